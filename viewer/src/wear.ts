// Depth that surfaces of a joint have lost, around the joint: the profile now, and those before it.

import { axes } from './contacts';
import type { Run } from './data';
import { css, el, panel, sharpCanvas } from './dom';
import { plain, scaleFor } from './format';
import type { Player } from './player';

interface Surface { name: string; joint: string; columns: string[]; angles: number[] }

/** Signals NAME_depth_N of a run, surface by surface; N counts the nodes from the body's x axis. */
export function surfacesOf(run: Run): Surface[] {
  const found = new Map<string, [number, string][]>();
  for (const name of run.names) {
    const match = /^(.+\.(?:bearing|journal))_depth_(\d+)$/.exec(name);
    if (match) found.set(match[1]!, [...(found.get(match[1]!) ?? []), [Number(match[2]), name]]);
  }
  return [...found].filter(([, nodes]) => nodes.length > 2).map(([name, nodes]) => {
    nodes.sort((a, b) => a[0] - b[0]);
    const joint = name.slice(0, name.lastIndexOf('.'));
    const clearance = run.info.model?.joints?.find((one) => one.name === joint)?.clearance;
    const all = Number(clearance?.nodes ?? 360);
    return { name: name.replace('.', ': '), joint, columns: nodes.map(([, column]) => column), angles: nodes.map(([node]) => (360 * node) / all) };
  });
}

export class Wear {
  private readonly choice = el('select', { 'aria-label': 'Surface', onchange: () => this.redraw() });
  private readonly canvas = el('canvas', { class: 'square', role: 'img', 'aria-label': 'Worn depth around the joint' });
  private readonly note = el('p', { class: 'quiet' });
  private readonly panel = panel('Wear over life', 'wear', this.choice);
  private readonly context: () => CanvasRenderingContext2D | null;
  private surfaces: Surface[] = [];

  constructor(private readonly player: Player, private run: Run) {
    this.panel.body.append(this.canvas, this.note);
    this.context = sharpCanvas(this.canvas, () => this.redraw());
    player.onTime(() => this.redraw());
    this.setRun(run);
  }

  get box() { return this.panel.box; }

  setRun(run: Run) {
    this.run = run;
    this.surfaces = surfacesOf(run);
    this.choice.replaceChildren(...this.surfaces.map(({ name }, i) => el('option', { value: String(i) }, name)));
    this.choice.hidden = this.surfaces.length < 2;
    this.panel.box.hidden = !this.surfaces.length;
    this.redraw();
  }

  redraw() {
    const surface = this.surfaces[Number(this.choice.value) || 0];
    if (!surface || this.panel.box.hidden) return;
    const g = this.context();
    if (!g) return;
    const { run } = this, deepest = Math.max(1e-300, ...surface.columns.map((name) => run.range(name)[1]));
    const { factor, unit } = scaleFor('m', deepest);
    const frame = axes(g, this.canvas.clientWidth, this.canvas.clientHeight, [0, 360], [0, (1.08 * deepest) / factor],
      ['angle in the body / °', `worn depth / ${unit}`], false);
    const draw = (t: number, colour: string, width: number, alpha: number) => {
      g.strokeStyle = css(colour), g.lineWidth = width, g.globalAlpha = alpha;
      g.beginPath();
      surface.columns.forEach((name, i) => {
        const x = frame.x(surface.angles[i]!), y = frame.y(run.value(name, t) / factor);
        i ? g.lineTo(x, y) : g.moveTo(x, y);
      });
      // The last node is followed by the first.
      g.lineTo(frame.x(360), frame.y(run.value(surface.columns[0]!, t) / factor));
      g.stroke();
    };
    const parts = 5, now = this.player.time;
    for (let k = 1; k <= parts; ++k) draw(run.start + (k / parts) * run.duration, '--c1', 1, 0.25 + (0.35 * k) / parts);
    draw(now, '--c2', 2.5, 1);
    g.globalAlpha = 1;
    g.restore();
    const lived = run.has(`${surface.joint}.revolutions`) ? `, after ${plain(run.value(`${surface.joint}.revolutions`, now), 4)} revolutions` : '';
    const most = Math.max(...surface.columns.map((name) => run.value(name, now)));
    this.note.textContent = `What the surface has lost: thin after each fifth of the run, bold at the cursor${lived}: ${plain(most / factor, 4)} ${unit} at most.`;
  }
}
