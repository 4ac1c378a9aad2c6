// Behind `tappet view` stands a server: it tells when the result has grown, and runs the model anew with other numbers.

import { Run } from './data';
import { el, panel } from './dom';
import { plain } from './format';

interface Parameter { path: string; number: number; unit: string }
interface Knob extends Parameter { reach: number }
interface State { version: string; running: boolean; problem: string }

/** The server's secret, from the address of this page. */
const token = new URLSearchParams(location.search).get('token') ?? '';
/** More parameters than these are shown with their groups shut. */
const openUpTo = 120;

/** A slider reaches half the number to each side. Around zero it reaches as far as its neighbours in a list, or numbers of its unit, are large. */
function knobOf({ path, number, unit }: Parameter, all: Parameter[]): Knob {
  if (number !== 0) return { path, number, unit, reach: 0.5 * Math.abs(number) };
  const owner = path.slice(0, path.lastIndexOf('.') + 1), inList = /\.\d+$/.test(path);
  const beside = inList ? all.filter((one) => one.path.startsWith(owner) && /^\d+$/.test(one.path.slice(owner.length)) && one.number !== 0) : [];
  // A zero needs no unit where its neighbours have one; other numbers in its place do.
  if (!unit && beside[0]) unit = beside[0].unit;
  const same = beside.filter((one) => one.unit === unit);
  const last = path.replace(/\.\d+$/, '').split('.').pop()!;
  const alike = same.length ? same : all.filter((one) => one.number !== 0 && one.unit === unit && one.path.replace(/\.\d+$/, '').endsWith(`.${last}`));
  const sizes = alike.map((one) => Math.abs(one.number)).sort((a, b) => a - b);
  return { path, number, unit, reach: sizes[sizes.length >> 1] ?? 1 };
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, body === undefined ? { headers: { 'X-Tappet': token } }
    : { method: 'POST', headers: { 'X-Tappet': token, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json() as Promise<T>;
}

/** Calls `show` with every new state of the result. */
export class Live {
  readonly box: HTMLElement;
  private readonly status = el('small', { class: 'live-state', role: 'status' });
  private readonly problem = el('p', { class: 'remark bad', hidden: true });
  private readonly list = el('div', { class: 'knobs' });
  private readonly line = el('code');
  private readonly values = new Map<string, string>();  // settings that differ from the file
  private version = '';
  private model = '';
  private timer = 0;
  private all: Knob[] = [];
  private kept = new Set<string>();  // favourites
  private words: string[] = [];      // of the filter
  /** Stands where the report will be. */
  readonly waiting = el('p', { class: 'remark' }, 'The run begins; the page fills with its first samples.');

  constructor(private readonly show: (run: Run) => void) {
    const filter = el('input', { type: 'search', placeholder: 'Filter, such as radius', 'aria-label': 'Filter the parameters' });
    filter.addEventListener('input', () => this.filter(filter.value));
    const { box, body } = panel('Parameters', 'parameters', this.status, filter, el('button', { onclick: () => this.reset() }, 'as in the file'));
    this.box = box;
    body.append(this.problem, this.list, el('p', { class: 'quiet' }, 'The same from the command line: ', this.line));
    void this.begin();
  }

  private async begin() {
    try {
      const { model, values, settings } = await ask<{ model: string; values: Parameter[]; settings?: string[] }>('api/parameters');
      this.model = model;
      this.all = values.map((one) => knobOf(one, values));
      this.kept = new Set(JSON.parse(localStorage.getItem(this.storage()) ?? '[]') as string[]);
      // What was set before this page was loaded.
      for (const setting of settings ?? []) this.values.set(setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1));
      this.fill();
      this.writeLine();
    } catch (error) {
      this.complain(error);
    }
    void this.poll();
  }

  private storage() { return `tappet favourites ${this.model}`; }

  /** Groups by the element that numbers belong to, favourites before them. Of a large model they are shut, and filled when opened. */
  private fill() {
    const wanted = this.words.filter((word) => word);
    const matches = this.all.filter(({ path }) => wanted.every((word) => path.toLowerCase().includes(word)));
    const groups = new Map<string, Knob[]>();
    for (const knob of matches) {
      const its = knob.path.split('.').slice(0, 2).join('.');
      groups.set(its, [...(groups.get(its) ?? []), knob]);
    }
    this.list.replaceChildren();
    const starred = this.all.filter(({ path }) => this.kept.has(path));
    if (starred.length && !wanted.length) this.list.append(this.group('favourites', starred, true, true));
    for (const [name, knobs] of groups) this.list.append(this.group(name, knobs, matches.length <= openUpTo, false));
    if (!matches.length) this.list.append(el('p', { class: 'quiet' }, 'No parameter has such a name.'));
  }

  private group(name: string, knobs: Knob[], open: boolean, starred: boolean): HTMLElement {
    const box = el('details', { class: `knob-group${starred ? ' starred' : ''}`, open }, el('summary', {}, name, el('small', {}, ` ${knobs.length}`)));
    let built = false;
    const build = () => {
      if (built || !box.open) return;
      built = true;
      for (const knob of knobs) box.append(this.knob(knob, starred ? knob.path : knob.path.split('.').slice(2).join('.') || knob.path));
    };
    box.addEventListener('toggle', build);
    build();
    return box;
  }

  /** A slider around the number, and the number itself for anything else. */
  private knob({ path, number, unit, reach }: Knob, label: string): HTMLElement {
    const now = this.values.has(path) ? parseFloat(this.values.get(path)!) : number;
    const low = Math.min(number - reach, now), high = Math.max(number + reach, now);
    const slider = el('input', { type: 'range', min: low, max: high, step: reach / 200, value: now, 'aria-label': path });
    const field = el('input', { type: 'number', step: 'any', value: Number(now.toPrecision(12)), 'aria-label': `${path}, number` });
    const star = el('button', { class: `bare star${this.kept.has(path) ? ' on' : ''}`, title: 'Keep at the top', 'aria-label': `Keep ${path} at the top`,
      'aria-pressed': String(this.kept.has(path)), onclick: (event: Event) => (event.preventDefault(), this.star(path)) }, '★');
    const row = el('label', { class: `knob${now !== number ? ' changed' : ''}`, 'data-path': path, title: path }, el('span', {}, label), slider, field, el('small', {}, unit), star);
    const set = (value: number) => {
      if (!isFinite(value)) return;
      const text = `${Number(value.toPrecision(8))}${unit ? ' ' + unit : ''}`;
      value === number ? this.values.delete(path) : this.values.set(path, text);
      row.classList.toggle('changed', value !== number);
      this.writeLine();
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.run(), 150);
    };
    slider.addEventListener('input', () => ((field.value = plain(Number(slider.value), 8).replace('−', '-')), set(Number(slider.value))));
    field.addEventListener('change', () => ((slider.value = field.value), set(Number(field.value))));
    return row;
  }

  private star(path: string) {
    this.kept.has(path) ? this.kept.delete(path) : this.kept.add(path);
    localStorage.setItem(this.storage(), JSON.stringify([...this.kept]));
    const open = new Set([...this.list.querySelectorAll('details[open] > summary')].map((one) => one.firstChild!.textContent));
    this.fill();
    for (const box of this.list.querySelectorAll('details')) if (open.has(box.querySelector('summary')!.firstChild!.textContent)) box.open = true;
  }

  private reset() {
    this.values.clear();
    this.fill();
    this.writeLine();
    void this.run();
  }

  private filter(text: string) {
    this.words = text.trim().toLowerCase().split(/\s+/);
    this.fill();
  }

  private settings() { return [...this.values].map(([path, value]) => `${path}=${value}`); }
  private writeLine() {
    const quoted = this.settings().map((setting) => ` --set ${/[^\w.=+-]/.test(setting) ? `'${setting}'` : setting}`);
    this.line.textContent = `tappet run ${this.model}${quoted.join('')}`;
  }

  private complain(error: unknown) {
    this.problem.textContent = error instanceof Error ? error.message : String(error ?? '');
    this.problem.hidden = !this.problem.textContent;
  }

  private async run() {
    try {
      this.status.textContent = 'running';
      await ask('api/run', { settings: this.settings() });
      this.complain('');
    } catch (error) {
      this.status.textContent = '';
      this.complain(error);
    }
  }

  private async poll() {
    let wait = 500;
    try {
      const state = await ask<State>('api/state');
      this.status.textContent = state.running ? 'running' : 'ready';
      if (state.problem) this.complain(state.problem);
      if (!state.running) this.waiting.textContent = 'The run ended before it had anything to show; below stands why. Another value runs it again.';
      // Version "3:0" has no samples yet.
      if (state.version !== this.version && !/^\d+:0/.test(state.version)) {
        const payload = await ask<ConstructorParameters<typeof Run>[0]>('api/data');
        this.version = state.version;
        const run = new Run(payload);
        if (run.time.length > 1) this.show(run);
      }
      if (state.running) wait = 250;
    } catch {
      this.status.textContent = 'the server is away';
      wait = 2000;
    }
    setTimeout(() => void this.poll(), wait);
  }
}
