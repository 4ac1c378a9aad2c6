// Signals over time, one panel above the other, all with the player's time cursor and window.

import uPlot from 'uplot';
import type { Run } from './data';
import { css, el } from './dom';
import { pretty, plain, quantity, scaleFor } from './format';
import type { Player } from './player';

export const strokes = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6'];
const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

class Panel {
  readonly box = el('div', { class: 'plot' });
  private readonly chips = el('div', { class: 'chips' });
  private readonly area = el('div', { class: 'area' });
  private chart?: uPlot;
  private line?: HTMLElement;
  private values: (() => void)[] = [];
  private width = 0;

  constructor(private readonly plots: Plots, public signals: string[]) {
    this.box.append(this.chips, this.area);
    new ResizeObserver(() => {
      if (this.area.clientWidth && this.area.clientWidth !== this.width) this.rebuild();
    }).observe(this.area);
  }

  rebuild() {
    const { runs, player } = this.plots;
    this.width = this.area.clientWidth;
    this.buildChips();
    this.chart?.destroy();
    this.chart = undefined;
    if (!this.width) return;
    const known = this.signals.filter((name) => runs.some((run) => run.has(name)));
    if (!known.length) {
      this.area.replaceChildren(el('p', { class: 'quiet' }, 'No signal chosen.'));
      return;
    }
    this.area.replaceChildren();

    // One scale a unit, the prefix chosen for the largest number.
    const units = [...new Set(known.map((name) => this.unit(name)))];
    const scales = new Map(units.map((unit) => {
      const sizes = known.filter((name) => this.unit(name) === unit)
        .flatMap((name) => runs.map((run) => Math.max(...run.range(name).map(Math.abs))));
      return [unit, scaleFor(unit, Math.max(...sizes))];
    }));

    const series: uPlot.Series[] = [{}];
    const tables: uPlot.AlignedData[] = [];
    runs.forEach((run, r) => {
      const columns: (Float32Array | number[])[] = [];
      known.forEach((name, k) => {
        const column = run.column(name);
        if (!column) return;
        const { factor } = scales.get(this.unit(name))!;
        columns.push(factor === 1 ? column : Float64Array.from(column, (x) => x / factor) as unknown as number[]);
        series.push({
          label: name, scale: this.unit(name), stroke: css(strokes[k % strokes.length]!), width: r ? 1.2 : 1.5, dash: dashes[r % dashes.length],
          alpha: r ? 0.85 : 1, points: { show: false }, spanGaps: true,
        });
      });
      tables.push([run.time as unknown as number[], ...(columns as number[][])]);
    });
    const data = tables.length === 1 ? tables[0]! : uPlot.join(tables);
    const [low, high] = player.window;
    const grid = { stroke: css('--grid'), width: 1 }, stroke = css('--quiet');
    const time = scaleFor('s', player.run.end);
    const axes: uPlot.Axis[] = [
      { grid, ticks: grid, stroke, values: (_, splits) => splits.map((t) => plain(t / time.factor, 6)), font: '11px system-ui', size: 30,
        label: this.plots.isLast(this) ? `time / ${time.unit}` : undefined, labelFont: '11px system-ui', labelSize: 18, gap: 3 },
      ...units.map((unit, i): uPlot.Axis => ({
        scale: unit, side: i % 2 ? 1 : 3, grid: i ? { show: false } : grid, ticks: grid, stroke, font: '11px system-ui', size: 58,
        values: (_, splits) => splits.map((x) => plain(x, 5)), label: pretty(scales.get(unit)!.unit) || '–', labelFont: '11px system-ui', labelSize: 16, gap: 4,
      })),
    ];
    this.chart = new uPlot({
      width: this.width, height: this.plots.height(), series, axes,
      scales: { x: { time: false, min: low, max: high } },
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, sync: { key: 'tappet' }, points: { show: false }, y: false },
      hooks: {
        ready: [() => this.moveCursor()],
        // A new window takes effect some time after it was set.
        setScale: [(_, scale) => { if (scale === 'x') this.moveCursor(); }],
        setSelect: [(chart) => {
          const { left, width } = chart.select;
          if (width < 4) return;
          player.setWindow(chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x'));
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
      },
    }, data, this.area);
    this.listen(this.chart);
    this.moveCursor();
  }

  private unit(name: string) { return this.plots.runs.find((run) => run.has(name))?.unit(name) ?? ''; }

  private listen(chart: uPlot) {
    const { player } = this.plots;
    this.line = el('div', { class: 'now' });
    chart.over.append(this.line);
    let down = 0;
    chart.over.addEventListener('mousedown', (event) => (down = event.clientX));
    chart.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - down) < 4) player.seek(chart.posToVal(event.offsetX, 'x'));
    });
    chart.over.addEventListener('dblclick', () => player.setWindow(player.run.start, player.run.end));
    chart.over.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;  // the page scrolls
      event.preventDefault();
      player.zoom(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, chart.posToVal(event.offsetX, 'x'));
    }, { passive: false });
  }

  private buildChips() {
    const { player, runs } = this.plots;
    this.values = [];
    this.chips.replaceChildren();
    this.signals.forEach((name, k) => {
      const value = el('b');
      const unit = this.unit(name);
      const others = runs.slice(1).map(() => el('b', { class: 'other' }));
      this.values.push(() => {
        value.textContent = quantity(runs[0]!.value(name, player.time), unit, 4).replace(unit, pretty(unit));
        others.forEach((other, i) => (other.textContent = ` ${quantity(runs[i + 1]!.value(name, player.time), unit, 4).replace(unit, pretty(unit))}`));
      });
      this.chips.append(el('span', { class: 'chip', style: `--chip: var(${strokes[k % strokes.length]})` }, el('i'), name, value, ...others,
        el('button', { class: 'bare', title: `Take ${name} away`, 'aria-label': `Take ${name} away`, onclick: () => this.plots.remove(this, name) }, '×')));
    });
    this.chips.append(el('button', { class: 'small', onclick: () => this.plots.choose(this) }, '+ signal'));
    if (this.plots.panels.length > 1)
      this.chips.append(el('button', { class: 'bare close', title: 'Close this plot', 'aria-label': 'Close this plot', onclick: () => this.plots.close(this) }, '✕'));
  }

  moveCursor() {
    this.values.forEach((f) => f());
    if (!this.chart || !this.line) return;
    const x = this.chart.valToPos(this.plots.player.time, 'x');
    this.line.style.transform = `translateX(${x}px)`;
    this.line.hidden = !(x >= -1 && x <= this.chart.over.clientWidth + 1);
  }

  showWindow() {
    const [min, max] = this.plots.player.window;
    this.chart?.setScale('x', { min, max });
    this.moveCursor();
  }
}

export class Plots {
  readonly box = el('div', { class: 'plots' });
  readonly panels: Panel[] = [];
  private readonly dialog = el('dialog', { class: 'chooser', 'aria-label': 'Choose signals' });

  constructor(readonly player: Player, public runs: Run[], signals = defaults(runs[0]!), private readonly fixedHeight = 0) {
    this.box.append(this.dialog);
    for (const own of signals) this.add(own);
    player.onTime(() => this.panels.forEach((panel) => panel.moveCursor()));
    player.onWindow(() => this.panels.forEach((panel) => panel.showWindow()));
  }

  height() { return this.fixedHeight || (window.innerWidth < 700 ? 170 : Math.max(150, Math.min(230, 620 / this.panels.length))); }
  isLast(panel: Panel) { return this.panels[this.panels.length - 1] === panel; }

  setRuns(runs: Run[]) {
    this.runs = runs;
    this.rebuild();
  }
  rebuild() { this.panels.forEach((panel) => panel.rebuild()); }

  add(signals: string[]) {
    const panel = new Panel(this, signals);
    this.panels.push(panel);
    this.box.append(panel.box);
    this.rebuild();
    return panel;
  }
  close(panel: Panel) {
    this.panels.splice(this.panels.indexOf(panel), 1);
    panel.box.remove();
    this.rebuild();
  }
  remove(panel: Panel, name: string) {
    panel.signals = panel.signals.filter((other) => other !== name);
    panel.rebuild();
  }

  /** A list of all signals to choose from. */
  choose(panel: Panel) {
    const filter = el('input', { type: 'search', placeholder: 'Filter, such as slider or .vx', 'aria-label': 'Filter the signals' });
    const list = el('div', { class: 'list' });
    const fill = () => {
      const wanted = filter.value.trim().toLowerCase().split(/\s+/);
      list.replaceChildren();
      let owner = '';
      for (const name of this.runs[0]!.names) {
        if (!wanted.every((word) => name.toLowerCase().includes(word))) continue;
        const its = name.slice(0, name.lastIndexOf('.'));
        if (its !== owner) list.append(el('h4', {}, (owner = its)));
        const box = el('input', { type: 'checkbox', checked: panel.signals.includes(name), onchange: () => {
          panel.signals = box.checked ? [...panel.signals, name] : panel.signals.filter((other) => other !== name);
          panel.rebuild();
        } });
        list.append(el('label', {}, box, name, el('small', {}, pretty(this.runs[0]!.unit(name)))));
      }
      if (!list.childElementCount) list.append(el('p', { class: 'quiet' }, 'No signal has such a name.'));
    };
    filter.addEventListener('input', fill);
    fill();
    this.dialog.replaceChildren(el('form', { method: 'dialog' }, el('header', {}, el('h2', {}, 'Signals of this plot'),
      el('button', { class: 'bare', 'aria-label': 'Close' }, '✕')), filter, list, el('button', { class: 'primary' }, 'Done')));
    this.dialog.showModal();
    filter.focus();
  }
}

/** What most people want to see first: the motor's effort, the contact's force, how the last body moves. */
function defaults(run: Run): string[][] {
  const { model } = run.info, { contacts } = run;
  const out: string[][] = [];
  const motor = run.names.find((name) => model?.motions?.some((motion) => name.startsWith(motion.name + '.')));
  if (motor) out.push([motor]);
  const contact = contacts.slice(0, 4).map((name) => `${name}.normal`).filter((name) => run.has(name));
  if (contact.length) out.push(contact);
  // What is nothing but rounding beside the others is not shown.
  const size = (name: string) => run.range(name)[1] - run.range(name)[0];
  const last = [...(model?.bodies ?? [])].reverse().find((body) => ['vx', 'vy', 'vz'].some((part) => run.has(`${body.name}.${part}`)));
  if (last) {
    const speeds = ['vx', 'vy', 'vz'].map((part) => `${last.name}.${part}`).filter((name) => run.has(name));
    const most = Math.max(...speeds.map(size));
    const turning = ['omega', 'wx', 'wy', 'wz'].map((part) => `${last.name}.${part}`).filter((name) => run.has(name));
    out.push(most > 0 ? speeds.filter((name) => size(name) > 1e-6 * most) : turning);
  }
  if (out.filter((signals) => signals.length).length < 3) out.push(['energy.kinetic', 'energy.potential'].filter((name) => run.has(name)));
  const found = out.filter((signals) => signals.length).slice(0, 3);
  return found.length ? found : [run.names.slice(0, 1)];
}
