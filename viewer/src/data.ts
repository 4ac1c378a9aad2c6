// What report_data() (src/tappet/results/report.cpp) wrote, decoded.

export interface Shape { name?: string; type?: string; [key: string]: unknown }
export interface Body {
  name: string; mass?: number; inertia?: number[]; position?: number[]; angle?: number; orientation?: number[]; shapes?: Shape[];
}
export interface Joint {
  name: string; type: string; bodies?: [string, string]; points?: number[][]; axis?: number[]; axes?: number[][];
  length?: number; clearance?: Record<string, any>;
}
export interface Force { name: string; type: string; bodies?: string[]; points?: number[][]; body?: string; [key: string]: unknown }
export interface Model {
  dimension: 'planar' | 'spatial'; gravity: number[]; bodies: Body[]; joints?: Joint[]; forces?: Force[];
  motions?: { name: string }[]; ground?: { shapes?: Shape[] };
}
export interface Summary {
  status: string; stop_reason: string; t_end: number; wall_seconds: number; method: string; integrator: string;
  steps: number; rejected: number; evaluations: number; impacts: number; events: number; bodies: number; constraints: number;
  degrees_of_freedom: number; energy_residual: number | null; max_first_penetration: number | null;
  constraint_violation: number | null; notes: string[]; warnings: string[];
}
/** As deformation_json() (src/tappet/results/deformation.cpp) wrote it. */
export interface StructureData {
  name: string; nodes: string; faces: string; lines: string; time: string; mean: string; shapes: number; shape: string; amount: string;
  error: number; records: number; stress_high: number; stress_at: string; stress: string;
  /** Of what turns far: where its axes are in each record, x y z qw qx qy qz; displacements are in these axes. */
  pose?: string;
  /** Whether these are the axes of the body of this name. */
  carried?: boolean;
}
export interface Payload {
  structures?: StructureData[];
  title: string; model_file: string; result_file: string; created: string; version: string; status: string;
  summary: Summary | null; samples: number; deviation: number; time: string;
  columns: { name: string; unit: string; data: string }[]; contacts: string[];
  impacts: { total: number; columns: string[]; data: string[] }; event_names: string[]; events: [number, number][];
  model: Model | null; model_text: string; problem: string;
}

export function bytes(text: string): ArrayBuffer {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

/** The other way round. */
export function textOf(numbers: ArrayBufferView): string {
  const raw = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let out = '';
  for (let i = 0; i < raw.length; i += 8192) out += String.fromCharCode(...raw.subarray(i, i + 8192));
  return btoa(out);
}

/** One column of the impact table by name, and the contact's name. */
export interface Impacts {
  total: number; count: number; column: Record<string, Float64Array>;
  /** How hard each is: its peak force; of rigid impacts, which have none, the impulse. */
  hardness: Float64Array; hardnessUnit: 'N' | 'N s';
}

export class Run {
  readonly info: Omit<Payload, 'columns' | 'time' | 'impacts'>;
  readonly time: Float64Array;
  readonly names: string[] = [];
  readonly impacts: Impacts;
  private readonly units = new Map<string, string>();
  private readonly encoded = new Map<string, string>();
  private readonly decoded = new Map<string, Float32Array>();
  private readonly ranges = new Map<string, [number, number]>();

  constructor(payload: Payload) {
    const { columns, time, impacts, ...info } = payload;
    this.info = info;
    this.time = new Float64Array(bytes(time));
    for (const { name, unit, data } of columns) {
      this.names.push(name);
      this.units.set(name, unit);
      this.encoded.set(name, data);
    }
    const column: Record<string, Float64Array> = {};
    impacts.columns.forEach((name, i) => (column[name] = new Float64Array(bytes(impacts.data[i]!))));
    const peak = column.peak_force ?? new Float64Array(), forces = peak.some((force) => force > 0);
    this.impacts = { total: impacts.total, count: column.start?.length ?? 0, column,
      hardness: forces ? peak : column.impulse ?? peak, hardnessUnit: forces ? 'N' : 'N s' };
  }

  get start() { return this.time[0] ?? 0; }
  get end() { return this.time[this.time.length - 1] ?? 0; }
  get duration() { return Math.max(this.end - this.start, 1e-12); }
  /** The element of the model that a contact's place belongs to: `feet` of `feet.3`. */
  readonly ownerOf = (contact: string) => contact.split('.')[0]!;
  /** Contacts as they are recorded: a place that has its own signals, or the whole that it is one of. */
  get contacts(): string[] {
    const name = (contact: string) => (this.has(`${contact}.normal`) ? contact : this.ownerOf(contact));
    return [...new Set(this.info.contacts.map(name))];
  }
  /** When an impact ended; one that did not lasts as long as the run. */
  endOf(row: number): number {
    const end = this.impacts.column.end?.[row] ?? NaN;
    return isFinite(end) ? end : this.end;
  }

  get label() { return this.info.result_file; }

  has(name: string) { return this.encoded.has(name); }
  unit(name: string) { return this.units.get(name) ?? ''; }

  column(name: string): Float32Array | undefined {
    let column = this.decoded.get(name);
    if (!column && this.encoded.has(name)) {
      column = new Float32Array(bytes(this.encoded.get(name)!));
      this.decoded.set(name, column);
    }
    return column;
  }

  /** Smallest and largest number of a column. */
  range(name: string): [number, number] {
    let range = this.ranges.get(name);
    if (!range) {
      let low = Infinity, high = -Infinity;
      for (const x of this.column(name) ?? []) if (isFinite(x)) (low = Math.min(low, x)), (high = Math.max(high, x));
      range = low <= high ? [low, high] : [0, 0];
      this.ranges.set(name, range);
    }
    return range;
  }

  /** The row at or before t, and how far t is on the way to the next. */
  locate(t: number): { row: number; part: number } {
    const { time } = this;
    let low = 0, high = time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      time[middle]! <= t ? (low = middle) : (high = middle - 1);
    }
    const next = time[low + 1];
    const part = next === undefined ? 0 : Math.min(1, Math.max(0, (t - time[low]!) / (next - time[low]! || 1)));
    return { row: low, part };
  }

  value(name: string, t: number): number {
    const column = this.column(name);
    if (!column || !column.length) return NaN;
    const { row, part } = this.locate(t);
    return part === 0 ? column[row]! : column[row]! + part * (column[row + 1]! - column[row]!);
  }
}

export interface Page { live: boolean; runs: Run[]; solved?: unknown }

export function readPage(text: string): Page {
  const page = JSON.parse(text) as { live: boolean; runs: Payload[]; solved?: unknown };
  return { live: page.live, runs: page.runs.map((run) => new Run(run)), solved: page.solved };
}

/** The runs inside another report's HTML. */
export function runsOfReport(html: string): Run[] {
  const found = new DOMParser().parseFromString(html, 'text/html').getElementById('data');
  if (!found?.textContent) throw new Error('this file is not a report of Tappet');
  return readPage(found.textContent).runs;
}
