// The impact table: sortable, only the rows that are seen exist, a click goes to the impact.

import type { Run } from './data';
import { el, panel } from './dom';
import { count, plain, quantity } from './format';
import type { Player } from './player';

const columns: { key: string; title: string; unit: string; help: string }[] = [
  { key: 'contact', title: 'contact', unit: '', help: 'which contact' },
  { key: 'start', title: 'start', unit: 's', help: 'first touch' },
  { key: 'duration', title: 'lasts', unit: 's', help: 'from first touch to separation' },
  { key: 'speed_in', title: 'speed in', unit: 'm/s', help: 'normal speed at first touch' },
  { key: 'speed_out', title: 'speed out', unit: 'm/s', help: 'normal speed at separation' },
  { key: 'restitution', title: 'e realised', unit: '1', help: 'speed out / speed in' },
  { key: 'requested', title: 'e asked', unit: '1', help: 'restitution asked of the law' },
  { key: 'max_penetration', title: 'penetration', unit: 'm', help: 'largest' },
  { key: 'peak_force', title: 'peak force', unit: 'N', help: 'largest normal force' },
  { key: 'impulse', title: 'impulse', unit: 'N s', help: 'of the normal force' },
];
const rowHeight = 28;

export class ImpactTable {
  readonly box: HTMLElement;
  private readonly title = el('small');
  private readonly head = el('div', { class: 'row head', role: 'row' });
  private readonly rows = el('div', { class: 'rows', role: 'rowgroup' });
  private readonly scroller = el('div', { class: 'scroller', tabindex: 0, role: 'table', 'aria-label': 'Impacts' });
  private order: number[] = [];
  private sortKey = 'start';
  private rising = true;
  private chosen = -1;

  constructor(private readonly player: Player, private run: Run) {
    const { box, body } = panel('Impacts', 'impacts', this.title);
    this.box = box;
    this.scroller.append(this.head, this.rows);
    body.append(this.scroller);
    this.scroller.addEventListener('scroll', () => this.fill());
    new ResizeObserver(() => this.fill()).observe(this.scroller);
    this.scroller.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault(), event.stopPropagation();
      const place = Math.min(this.order.length - 1, Math.max(0, this.order.indexOf(this.chosen) + step));
      this.choose(this.order[place]!);
      this.reveal(place);
    });
    player.onTime(() => this.mark());
    this.setRun(run);
  }

  setRun(run: Run) {
    this.run = run;
    const { total, count: kept } = run.impacts;
    this.box.hidden = total === 0 && run.info.contacts.length === 0;
    this.title.textContent = kept < total ? `the ${count(kept)} hardest of ${count(total)}` : count(total);
    this.sort(this.sortKey, this.rising);
  }

  private value(row: number, key: string): number {
    const { column } = this.run.impacts;
    return key === 'duration' ? this.run.endOf(row) - column.start![row]! : column[key]![row]!;
  }

  private text(row: number, key: string, unit: string): string {
    const value = this.value(row, key);
    if (key === 'contact') return this.run.info.contacts[value] ?? '';
    if (!isFinite(value)) return '–';
    if (key === 'start') return `${plain(value, 7)} s`;
    return unit === '1' ? plain(value, 4) : quantity(value, unit, 4);
  }

  sort(key: string, rising: boolean) {
    [this.sortKey, this.rising] = [key, rising];
    const { count: rows } = this.run.impacts;
    this.order = Array.from({ length: rows }, (_, i) => i);
    const rank = (x: number) => (isFinite(x) ? x : -Infinity);
    this.order.sort((a, b) => (rising ? 1 : -1) * (rank(this.value(a, key)) - rank(this.value(b, key))) || a - b);
    this.head.replaceChildren(...columns.map(({ key: own, title, help }) => {
      const sorted = own === key;
      return el('div', { role: 'columnheader', 'aria-sort': sorted ? (rising ? 'ascending' : 'descending') : 'none' },
        el('button', { title: `${help}; click to sort`, 'data-key': own, onclick: () => this.sort(own, sorted ? !rising : own === 'start' || own === 'contact') },
          title, el('i', {}, sorted ? (rising ? '▲' : '▼') : '')));
    }));
    this.scroller.scrollTop = 0;
    this.rows.style.height = `${rows * rowHeight}px`;
    this.fill();
  }

  /** Only rows in sight. */
  private fill() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowHeight) - 4);
    const last = Math.min(this.order.length, first + Math.ceil(this.scroller.clientHeight / rowHeight) + 8);
    this.rows.replaceChildren();
    for (let place = first; place < last; ++place) {
      const row = this.order[place]!;
      const line = el('div', { class: 'row', role: 'row', 'data-row': row, style: `top:${place * rowHeight}px`, onclick: () => this.choose(row) },
        ...columns.map(({ key, unit }) => el('div', { role: 'cell' }, this.text(row, key, unit))));
      this.rows.append(line);
    }
    if (!this.order.length) this.rows.append(el('p', { class: 'quiet' }, 'No impact.'));
    this.mark();
  }

  private reveal(place: number) {
    const top = place * rowHeight, { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + 2 * rowHeight > scrollTop + clientHeight) this.scroller.scrollTop = top + 2 * rowHeight - clientHeight;
  }

  /** Goes to the impact and shows it so close that its peak is seen. */
  choose(row: number) {
    this.chosen = row;
    const [a, b] = [this.run.impacts.column.start![row]!, this.run.endOf(row)];
    const width = Math.min(0.5 * this.run.duration, Math.max(12 * (b - a), 4e-3 * this.run.duration));
    this.player.toggle(false);
    this.player.setWindow(0.5 * (a + b) - 0.5 * width, 0.5 * (a + b) + 0.5 * width);
    // To the moment of the peak, as far as samples tell it.
    const contact = this.run.info.contacts[this.run.impacts.column.contact![row]!]!;
    const force = this.run.column(`${contact}.normal`) ?? this.run.column(`${this.run.ownerOf(contact)}.normal`);
    let best = a;
    if (force) {
      const first = this.run.locate(a).row, last = this.run.locate(b).row + 1;
      let peak = -1;
      for (let i = first; i <= Math.min(last, force.length - 1); ++i)
        if (force[i]! > peak) (peak = force[i]!), (best = this.run.time[i]!);
    }
    this.player.seek(best);
  }

  private mark() {
    const t = this.player.time, { start } = this.run.impacts.column;
    for (const line of this.rows.children) {
      const row = Number((line as HTMLElement).dataset.row);
      line.classList.toggle('current', t >= start![row]! && t <= this.run.endOf(row));
      line.classList.toggle('chosen', row === this.chosen);
    }
  }
}
