// Behind `tappet view` stands a server: it tells when the result has grown, and runs the model anew with other numbers.

import { Run } from './data';
import { el, panel } from './dom';
import { plain } from './format';

interface Parameter { path: string; number: number; unit: string }
interface State { version: string; running: boolean; problem: string }

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, body === undefined ? { headers: { 'X-Tappet': '1' } }
    : { method: 'POST', headers: { 'X-Tappet': '1', 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
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
      const { model, values } = await ask<{ model: string; values: Parameter[] }>('api/parameters');
      this.model = model;
      let group = '', box: HTMLElement | undefined;
      for (const parameter of values) {
        const parts = parameter.path.split('.'), its = parts.slice(0, 2).join('.');
        if (its !== group || !box) this.list.append((box = el('div', { class: 'knob-group' }, el('h4', {}, (group = its)))));
        box.append(this.knob(parameter, parts.slice(2).join('.') || parts.join('.')));
      }
      this.writeLine();
    } catch (error) {
      this.complain(error);
    }
    void this.poll();
  }

  /** A slider from half to one and a half times the number, and the number itself for anything else. */
  private knob({ path, number, unit }: Parameter, label: string): HTMLElement {
    const reach = number === 0 ? 1 : Math.abs(number) * 0.5;
    const slider = el('input', { type: 'range', min: number - reach, max: number + reach, step: reach / 200, value: number, 'aria-label': path });
    const field = el('input', { type: 'number', step: 'any', value: Number(number.toPrecision(12)), 'aria-label': `${path}, number` });
    const row = el('label', { class: 'knob', 'data-path': path, title: path }, el('span', {}, label), slider, field, el('small', {}, unit));
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
    row.addEventListener('reset', () => ((slider.value = field.value = String(number)), row.classList.remove('changed')));
    return row;
  }

  private reset() {
    this.values.clear();
    this.list.querySelectorAll('.knob').forEach((knob) => knob.dispatchEvent(new Event('reset')));
    this.writeLine();
    void this.run();
  }

  private filter(text: string) {
    const words = text.trim().toLowerCase().split(/\s+/);
    for (const group of this.list.children) {
      let any = false;
      for (const knob of group.querySelectorAll<HTMLElement>('.knob')) {
        knob.hidden = !words.every((word) => knob.dataset.path!.toLowerCase().includes(word));
        any ||= !knob.hidden;
      }
      (group as HTMLElement).hidden = !any;
    }
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
