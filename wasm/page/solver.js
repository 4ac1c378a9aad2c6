// The solver as this page sees it: wasm/live.cpp lists the calls.

/** Unpacks and starts it. */
export async function startSolver() {
  const packed = Uint8Array.from(atob(document.getElementById('solver').textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const wasmBinary = await new Response(stream).arrayBuffer();
  const module = await window.createTappet({ wasmBinary });
  const open = module.cwrap('tappet_open', 'number', ['string', 'string']);
  const advance = module.cwrap('tappet_advance', 'number', ['number']);
  const message = module.cwrap('tappet_message', 'string', []);
  const description = module.cwrap('tappet_description', 'string', []);
  const numbers = (at, count) => new Float64Array(module.HEAPF64.buffer, at, count);
  return {
    version: module.cwrap('tappet_version', 'string', [])(),
    /** Throws an Error whose message is the program's. */
    open(model, settings) {
      if (!open(model, settings.join('\n'))) throw new Error(message());
      return JSON.parse(description());
    },
    /** Computes for that many milliseconds; true while there is more. */
    advance(milliseconds) {
      const left = advance(milliseconds);
      if (left < 0) throw new Error(message());
      return left === 1;
    },
    /** Row by row; a view that is good until the next call. */
    rows: (columns) => numbers(module._tappet_data(), module._tappet_rows() * columns),
    impacts: (columns) => numbers(module._tappet_impacts(), module._tappet_hits() * columns),
  };
}

/** One run: what the solver has sampled so far, by names of signals. */
export class Run {
  constructor(solver, model, settings) {
    this.solver = solver;
    const { columns, impact_columns: impactColumns, ...about } = solver.open(model, settings);
    this.about = about;
    this.columns = columns;
    this.impactColumns = impactColumns;
    this.index = new Map(columns.map(({ name }, i) => [name, i]));
    this.values = columns.map(() => []);
    this.impacts = [];
    this.running = true;
    this.milliseconds = 0;
  }
  get length() { return this.values[0].length; }
  column(name) {
    const at = this.index.get(name);
    if (at === undefined) throw new Error(`the run has no signal ${name}`);
    return this.values[at];
  }
  /** Goes on for a while and takes what is new. */
  advance(milliseconds) {
    const before = performance.now();
    this.running = this.solver.advance(milliseconds);
    const width = this.columns.length, rows = this.solver.rows(width);
    for (let row = this.length * width; row < rows.length; row += width) this.values.forEach((column, i) => column.push(rows[row + i]));
    const wide = this.impactColumns.length, impacts = this.solver.impacts(wide);
    for (let row = this.impacts.length * wide; row < impacts.length; row += wide)
      this.impacts.push(Object.fromEntries(this.impactColumns.map((name, i) => [name, impacts[row + i]])));
    this.milliseconds += performance.now() - before;
  }
}
