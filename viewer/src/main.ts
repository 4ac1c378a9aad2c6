// Puts the page together.

import 'uplot/dist/uPlot.min.css';
import './style.css';
import { Contacts } from './contacts';
import { readPage, runsOfReport, type Run } from './data';
import { el, panel } from './dom';
import { count, plain } from './format';
import { headline, modelText, remarks } from './header';
import { ImpactTable } from './impacts';
import { Ledger } from './ledger';
import { Live } from './live';
import { Player } from './player';
import { Plots } from './plots';
import { SceneView } from './scene';
import { Solved, type SolvedData } from './solved';
import { transport } from './transport';
import { Wear } from './wear';

const keys: [string, string][] = [
  ['space', 'play or pause'], ['← →', 'one sample back or on; with shift a hundredth of the run'], ['Home End', 'first and last moment'],
  ['N P', 'next impact, impact before'], ['+ −', 'faster, slower'], ['Z X', 'zoom the plots in and out at the cursor'], ['A', 'all of the time in the plots'],
  ['F', 'see the whole mechanism'], ['D', 'dark or light'], ['?', 'this list'],
];

/** What was left out of structures, so that the page stays small. */
function structuresText(run: Run): string {
  const drawn = run.info.structures ?? [];
  if (!drawn.length) return '';
  const off = Math.max(...drawn.map((one) => one.error));
  return `Structures are drawn by their outer faces and lines from ${count(drawn[0]!.records)} records; nodes are off by at most ${plain(100 * off, 2)} % of the largest displacement. `;
}

class Report {
  private runs: Run[];
  readonly player: Player;
  readonly scene: SceneView;
  private readonly plots: Plots;
  private readonly contacts: Contacts;
  private readonly table: ImpactTable;
  private readonly ledger: Ledger;
  private readonly wear: Wear;
  private readonly top = el('header', { class: 'top' });
  private readonly remarks = el('div', { class: 'slot' });
  private readonly model = el('div', { class: 'slot' });
  private readonly footer = el('footer');
  private readonly comparing = el('div', { class: 'comparing' });
  private readonly help = el('dialog', { class: 'help', 'aria-label': 'Keys' });

  constructor(app: HTMLElement, runs: Run[], live?: Live) {
    this.runs = runs;
    const run = runs[0]!;
    this.player = new Player(run);
    this.scene = new SceneView(this.player);
    this.plots = new Plots(this.player, runs);
    this.contacts = new Contacts(this.player, run);
    this.table = new ImpactTable(this.player, run);
    this.ledger = new Ledger(this.player, run);
    this.wear = new Wear(this.player, run);

    const animation = panel('Animation', 'animation');
    animation.body.append(this.scene.box, transport(this.player, this.scene));
    const signals = panel('Signals', 'signals', ...this.plotTools());
    signals.body.append(this.comparing, this.plots.box);
    this.help.append(el('form', { method: 'dialog' }, el('header', {}, el('h2', {}, 'Keys'), el('button', { class: 'bare', 'aria-label': 'Close' }, '✕')),
      el('dl', {}, ...keys.flatMap(([key, what]) => [el('dt', {}, key), el('dd', {}, what)])),
      el('p', { class: 'quiet' }, 'Plots: drag to zoom, double-click for all, click to go to a moment, shift and wheel to zoom. Animation: drag to turn, right-drag to move, wheel to zoom.')));
    app.append(this.top, el('main', {}, animation.box, signals.box, live?.box ?? '', ...this.contacts.boxes, this.wear.box, this.ledger.box, this.table.box, this.remarks, this.model), this.footer, this.help);
    this.describe();
    this.listen();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolour());
  }

  private plotTools() {
    const { player } = this;
    const button = (text: string, title: string, onclick: () => void) => el('button', { title, 'aria-label': title, onclick }, text);
    const file = el('input', { type: 'file', accept: '.html,text/html', hidden: true, onchange: () => this.compare(file.files) });
    return [
      button('+', 'Zoom in (Z)', () => player.zoom(0.5)), button('−', 'Zoom out (X)', () => player.zoom(2)),
      button('all', 'All of the time (A)', () => player.setWindow(player.run.start, player.run.end)),
      button('new plot', 'Add a plot', () => this.plots.choose(this.plots.add([]))),
      button('compare…', 'Draw the signals of another report beside these', () => file.click()), file,
    ];
  }

  private async compare(files: FileList | null) {
    try {
      for (const file of files ?? []) this.runs.push(...runsOfReport(await file.text()));
      this.showRuns();
    } catch (error) {
      alert(error instanceof Error ? error.message : String(error));
    }
  }

  /** Another first result, of the same model or a changed one. */
  setRun(run: Run, keepCamera: boolean) {
    this.runs[0] = run;
    this.scene.setRun(run, keepCamera);
    this.contacts.setRun(run);
    this.table.setRun(run);
    this.ledger.setRun(run);
    this.wear.setRun(run);
    this.player.setRun(run);
    this.showRuns();
    this.describe();
  }

  private showRuns() {
    this.plots.setRuns(this.runs);
    this.comparing.replaceChildren();
    if (this.runs.length < 2) return;
    this.runs.forEach((run, i) => {
      this.comparing.append(el('span', { class: `run run${i % 4}` }, el('i'), run.label,
        i ? el('button', { class: 'bare', 'aria-label': `Leave ${run.label} out`, onclick: () => (this.runs.splice(i, 1), this.showRuns()) }, '×') : null));
    });
  }

  private describe() {
    const run = this.runs[0]!;
    document.title = `${run.info.title || run.info.result_file} – Tappet`;
    this.top.replaceChildren(headline(run), el('nav', {},
      el('button', { title: 'Keys (?)', 'aria-label': 'Keys', onclick: () => this.help.showModal() }, '?'),
      el('button', { title: 'Dark or light (D)', 'aria-label': 'Dark or light', onclick: () => this.theme() }, '◐')));
    const found = remarks(run);
    this.remarks.replaceChildren(...(found ? [found] : []));
    this.model.replaceChildren(modelText(run));
    const drawn = run.time.length;
    this.footer.textContent = (drawn < run.info.samples
      ? `Drawn from ${count(drawn)} of ${count(run.info.samples)} samples, chosen so that curves differ from the result by at most ${plain(100 * run.info.deviation, 2)} % of their range. `
      : `Drawn from all ${count(drawn)} samples. `) + structuresText(run) + 'Arrows are as long as the root of their force. All figures are of the full result.';
    this.showRuns();
  }

  private theme() {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const now = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light');
    document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark';
    this.recolour();
  }
  private recolour() {
    this.plots.rebuild();
    this.ledger.plots.rebuild();
    this.contacts.redraw();
    this.wear.redraw();
    this.scene.redraw();
  }

  private listen() {
    const { player } = this;
    
    document.addEventListener('keydown', (event) => {
      const target = event.target as HTMLElement;
      const typing = target.matches('input:not([type=range]):not([type=checkbox]), select, textarea') || target.closest('dialog');
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const actions: Record<string, () => void> = {
        ' ': () => player.toggle(),
        ArrowLeft: () => (event.shiftKey ? player.seek(player.time - player.run.duration / 100) : player.step(-1)),
        ArrowRight: () => (event.shiftKey ? player.seek(player.time + player.run.duration / 100) : player.step(1)),
        Home: () => player.seek(player.run.start), End: () => player.seek(player.run.end),
        n: () => player.jump(1), p: () => player.jump(-1), '+': () => player.faster(1), '=': () => player.faster(1), '-': () => player.faster(-1),
        z: () => player.zoom(0.5), x: () => player.zoom(2), a: () => player.setWindow(player.run.start, player.run.end),
        f: () => this.scene.home(), d: () => this.theme(), '?': () => this.help.showModal(),
      };
      const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      // Buttons and boxes keep their space bar.
      if (!action || (event.key === ' ' && target.matches('button, input[type=checkbox], summary'))) return;
      event.preventDefault();
      action();
    });
  }
}

const app = document.getElementById('app')!;
try {
  const page = readPage(document.getElementById('data')!.textContent!);
  let report: Report | undefined;
  const begin = (runs: Run[], live?: Live) => {
    app.replaceChildren();
    report = new Report(app, runs, live);
    // #t=0.2215 opens the page at that moment, from and to choose what the plots show; otherwise it plays, unless the
    // reader wants rest.
    const hash = new URLSearchParams(location.hash.slice(1)), asked = (key: string) => Number(hash.get(key) ?? NaN);
    if (isFinite(asked('from')) && isFinite(asked('to'))) report.player.setWindow(asked('from'), asked('to'));
    if (isFinite(asked('t'))) report.player.seek(asked('t'));
    else if (!live && !matchMedia('(prefers-reduced-motion: reduce)').matches) report.player.toggle(true);
    // For tests and the curious.
    (window as any).tappet = report;
  };
  if (page.solved) (window as any).tappet = new Solved(app, page.solved as SolvedData);
  else if (!page.live) begin(page.runs);
  else {
    const live: Live = new Live((run) => {
      if (!report) return begin([run], live);
      // A body that came or went, or a joint elsewhere, needs another look.
      const before = report.player.run;
      const same = JSON.stringify(before.info.model?.bodies.map((body) => body.name)) === JSON.stringify(run.info.model?.bodies.map((body) => body.name));
      report.setRun(run, same);
    });
    if (page.runs.length) begin(page.runs, live);
    else app.append(live.waiting, live.box);
  }
} catch (error) {
  app.append(el('p', { class: 'remark bad' }, `This report cannot be shown: ${error instanceof Error ? error.message : error}`));
  throw error;
}
