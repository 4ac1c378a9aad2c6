// The page of `tappet solve --report`: equilibrium and natural modes of structures, one at a time.

import { Quaternion, Vector3 } from 'three';
import { bytes, Run, textOf, type Model, type StructureData } from './data';
import { el, panel } from './dom';
import { count, plain, quantity } from './format';
import { modelText } from './header';
import { Player } from './player';
import { SceneView } from './scene';

interface Mesh { name: string; nodes: string; faces: string; lines: string }
interface Still { shape: string; largest: number; stress: string; stress_high: number }
interface Case {
  name: string; frequency: number | null; structures: Still[]; bodies: { moved: number[]; turned: number[] }[]; facts: [string, number, string][];
}
/** As solved_data() (src/tappet/results/solved_report.cpp) wrote it. */
export interface SolvedData {
  title: string; model_file: string; created: string; version: string; model: Model | null; model_text: string; warnings: string[];
  size: number; facts: [string, number, string][]; meshes: Mesh[]; bodies: { name: string; place: number[]; turn: number[] }[]; cases: Case[];
}

const quarters = 12, period = 2;   // records of a quarter of a swing; seconds of a whole one on the page

/** One case as a run: a mode swings, an equilibrium grows from nothing. */
function runOf(data: SolvedData, one: Case, magnified: number): Run {
  const swings = one.frequency !== null, records = swings ? 4 * quarters + 1 : 2;
  const amounts = Array.from({ length: records }, (_, k) => (swings ? Math.sin((0.5 * Math.PI * k) / quarters) : k));
  const time = Float64Array.from(amounts, (_, k) => (k / (records - 1)) * (swings ? period : 1));
  const stressAt = Uint32Array.from(swings ? [0, 1, 2, 3, 4].map((k) => k * quarters) : [0, 1]);
  const structures = one.structures.map((still, s): StructureData => {
    const full = new Uint8Array(bytes(still.stress)), stress = new Uint8Array(stressAt.length * full.length);
    for (let k = 1; k < stressAt.length; k += 2) stress.set(full, k * full.length);
    return {
      ...data.meshes[s]!, time: textOf(time), mean: textOf(new Float32Array(3 * records)), shapes: 1, shape: still.shape, error: 0, records,
      amount: textOf(Float32Array.from(amounts, (a) => (a * still.largest) / 32767)),
      stress_high: still.stress_high, stress_at: textOf(stressAt), stress: textOf(stress),
    };
  });
  const columns = data.bodies.flatMap(({ name, place, turn }, b) => {
    const { moved, turned } = one.bodies[b] ?? { moved: [0, 0, 0], turned: [0, 0, 0] };
    const at = amounts.map((a) => {
      const by = new Vector3(...(turned as [number, number, number])).multiplyScalar(a * magnified), angle = by.length();
      const q = new Quaternion().setFromAxisAngle(angle > 0 ? by.divideScalar(angle) : by.set(0, 0, 1), angle)
        .multiply(new Quaternion(turn[1], turn[2], turn[3], turn[0]));
      return [...place.map((x, d) => x + a * magnified * moved[d]!), q.w, q.x, q.y, q.z, 2 * Math.atan2(q.z, q.w)];
    });
    return ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz', 'angle'].map((part, k) => ({ name: `${name}.${part}`, unit: '', data: textOf(Float32Array.from(at, (row) => row[k]!)) }));
  });
  return new Run({
    title: data.title, model_file: data.model_file, result_file: '', created: data.created, version: data.version, status: 'completed', summary: null,
    samples: records, deviation: 0, time: textOf(time), columns, contacts: [], impacts: { total: 0, columns: [], data: [] }, event_names: [], events: [],
    model: data.model, model_text: data.model_text, problem: '', structures,
  });
}

const fact = ([label, value, unit]: [string, number, string]) =>
  el('div', { class: 'figure' }, el('b', {}, unit === '' ? count(value) : quantity(value, unit)), el('span', {}, label));

export class Solved {
  readonly player: Player;
  readonly scene: SceneView;
  chosen = 0;
  private magnified = 1;
  private readonly rows: HTMLButtonElement[];
  private readonly facts = el('dl', { class: 'facts' });
  private readonly play = el('button', { class: 'primary play', onclick: () => this.player.toggle() });
  private readonly phase = el('input', { type: 'range', min: 0, max: 1000, step: 1, class: 'scrub' });
  private readonly magnify = el('select', { 'aria-label': 'Deformation', onchange: () => this.show(Number(this.magnify.value), true) });
  private readonly footer = el('footer');

  constructor(app: HTMLElement, private readonly data: SolvedData) {
    this.player = new Player(runOf(data, data.cases[0]!, 1));
    this.scene = new SceneView(this.player);
    this.scene.layers.trails = false;
    this.rows = data.cases.map((one, k) => el('button', { class: 'case', onclick: () => this.choose(k) },
      el('span', {}, one.name), el('b', {}, one.frequency === null ? '' : `${plain(one.frequency, 5)} Hz`)));
    const colour = el('select', { 'aria-label': 'Colour', title: 'What the colour of structures shows', onchange: () => this.scene.setColouring(colour.value as 'stress') },
      el('option', { value: 'stress' }, 'stress'), el('option', { value: 'displacement' }, 'displacement'), el('option', { value: 'plain' }, 'plain'));
    const names = el('input', { type: 'checkbox', checked: true, onchange: () => ((this.scene.layers.names = names.checked), this.scene.redraw()) });
    const animation = panel('Deformation', 'animation solved');
    animation.body.append(this.scene.box, el('div', { class: 'transport' },
      el('div', { class: 'line' }, this.play, el('div', { class: 'track' }, this.phase)),
      el('div', { class: 'line wrap' }, colour, this.magnify, el('span', { class: 'gap' }), el('label', { class: 'toggle', title: 'Names of the bodies' }, names, 'names'),
        el('button', { title: 'See everything (F)', onclick: () => this.scene.home() }, 'fit'))));
    const results = panel(data.cases.some((one) => one.frequency !== null) ? 'Equilibrium and natural modes' : 'Equilibrium', 'signals');
    results.body.append(el('div', { class: 'cases', role: 'listbox', 'aria-label': 'Cases' }, ...this.rows), this.facts);
    const warnings = el('div', { class: 'slot' }, ...data.warnings.map((text) => el('p', { class: 'remark fair' }, text)));
    app.append(
      el('header', { class: 'top' }, el('div', { class: 'headline' },
        el('div', { class: 'name' }, el('h1', {}, data.title || data.model_file),
          el('p', {}, el('span', { class: 'state good' }, 'solved'), ` ${data.model_file} · ${data.created.replace('T', ' ').replace('Z', ' UTC')} · Tappet ${data.version}`)),
        el('div', { class: 'figures' }, ...data.facts.map(fact))),
      el('nav', {}, el('button', { title: 'Dark or light (D)', 'aria-label': 'Dark or light', onclick: () => this.theme() }, '◐'))),
      el('main', {}, animation.box, results.box, ...(data.warnings.length ? [warnings] : []), el('div', { class: 'slot' }, modelText(this.player.run))), this.footer);
    this.player.loop = true;
    this.player.onTime(() => (this.phase.value = String(Math.round((1000 * this.player.time) / this.player.run.end))));
    this.player.onState(() => {
      this.play.textContent = this.player.playing ? '❚❚' : '▶';
      this.play.setAttribute('aria-label', this.player.playing ? 'Pause' : 'Play');
    });
    this.player.changed();
    this.phase.addEventListener('input', () => (this.player.toggle(false), this.player.seek((Number(this.phase.value) / 1000) * this.player.run.end)));
    this.choose(0);
    document.addEventListener('keydown', (event) => this.key(event));
  }

  choose(k: number) {
    this.chosen = Math.min(this.data.cases.length - 1, Math.max(0, k));
    const one = this.data.cases[this.chosen]!, swings = one.frequency !== null;
    this.rows.forEach((row, i) => row.classList.toggle('chosen', i === this.chosen));
    this.rows[this.chosen]!.scrollIntoView({ block: 'nearest' });
    this.facts.replaceChildren(...one.facts.flatMap(([label, value, unit]) => [el('dt', {}, label), el('dd', {}, unit === '' ? count(value) : quantity(value, unit))]));
    // As large as can be seen well: a tenth of the structures' size, as a round number; of a mechanism, of its bodies' places.
    const ofBodies = this.data.meshes.length > 0 ? [] : one.bodies.map((b) => Math.max(Math.hypot(...b.moved), 0.5 * this.data.size * Math.hypot(...b.turned)));
    const largest = Math.max(0, ...one.structures.map((s) => s.largest), ...ofBodies), target = largest > 0 ? (0.1 * this.data.size) / largest : 1;
    const power = 10 ** Math.floor(Math.log10(target)), best = swings ? target : Math.max(1, [5, 2, 1].map((d) => d * power).find((d) => d <= target)!);
    const times = swings ? [0.25, 0.5, 1, 2, 4].map((f) => [f * best, `shape ${f}×`] as const)
      : [...new Set([1, best / 10, best / 5, best / 2, best, 2 * best, 5 * best, 10 * best].filter((m) => m >= 1))].sort((a, b) => a - b).map((m) => [m, `deformed ${plain(m)}×`] as const);
    this.magnify.replaceChildren(...times.map(([m, text]) => el('option', { value: m }, text)));
    this.magnify.title = swings ? 'How far the mode is drawn to swing' : 'Displacements, magnified';
    this.magnify.value = String(best);
    this.phase.setAttribute('aria-label', swings ? 'Phase of the swing' : 'From undeformed to deformed');
    this.phase.title = this.phase.getAttribute('aria-label')!;
    this.play.hidden = !swings;
    this.scene.relative = swings;
    document.title = `${this.data.title || this.data.model_file} – Tappet`;
    this.footer.textContent = swings ? 'A mode has no size of its own: displacement and stress are shown against their largest.'
      : 'Colours are those of the true displacement; the slider goes from the undeformed shape to it.';
    this.show(best, this.scene.mechanism !== undefined && this.magnified !== 1);
    if (swings && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.player.toggle(true);
    if (!swings) this.player.toggle(false), this.player.seek(this.player.run.end);
  }

  private show(magnified: number, keepCamera: boolean) {
    this.magnified = magnified;
    const run = runOf(this.data, this.data.cases[this.chosen]!, magnified), phase = this.player.time / this.player.run.end;
    this.scene.setRun(run, keepCamera);
    this.scene.setMagnified(magnified);
    this.player.setRun(run);
    this.player.setSpeed(1);
    this.player.seek(phase * run.end);
  }

  private theme() {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches, root = document.documentElement;
    root.dataset.theme = (root.dataset.theme ?? (dark ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark';
    this.scene.redraw();
  }

  private key(event: KeyboardEvent) {
    if ((event.target as HTMLElement).matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Record<string, () => void> = {
      ' ': () => this.data.cases[this.chosen]!.frequency !== null && this.player.toggle(), ArrowDown: () => this.choose(this.chosen + 1), ArrowUp: () => this.choose(this.chosen - 1),
      f: () => this.scene.home(), d: () => this.theme(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
