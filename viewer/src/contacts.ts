// One contact in two pictures: the journal's orbit inside its clearance circle, and force against penetration.

import type { Run } from './data';
import { css, el, panel, sharpCanvas } from './dom';
import { plain, scaleFor } from './format';
import type { Player } from './player';

interface Frame { x: (v: number) => number; y: (v: number) => number }

/** Axes with round numbers around a drawing area; returns the map from numbers to pixels. */
export function axes(g: CanvasRenderingContext2D, width: number, height: number, xs: [number, number], ys: [number, number],
  labels: [string, string], equal: boolean): Frame {
  const [left, right, top, bottom] = [52, 10, 10, 34];
  const [w, h] = [width - left - right, height - top - bottom];
  let [x0, x1] = xs, [y0, y1] = ys;
  if (equal) {
    const per = Math.max((x1 - x0) / w, (y1 - y0) / h), cx = 0.5 * (x0 + x1), cy = 0.5 * (y0 + y1);
    [x0, x1, y0, y1] = [cx - 0.5 * per * w, cx + 0.5 * per * w, cy - 0.5 * per * h, cy + 0.5 * per * h];
  }
  const frame = { x: (v: number) => left + ((v - x0) / (x1 - x0)) * w, y: (v: number) => top + h - ((v - y0) / (y1 - y0)) * h };
  const step = (span: number, room: number) => {
    const raw = span / Math.max(2, room / 70), power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((d) => d * power).find((d) => d >= raw)!;
  };
  g.font = '11px system-ui';
  g.lineWidth = 1;
  g.strokeStyle = css('--grid');
  g.fillStyle = css('--quiet');
  g.textAlign = 'center';
  g.textBaseline = 'top';
  const sx = step(x1 - x0, w), sy = step(y1 - y0, 1.6 * h);
  for (let v = Math.ceil(x0 / sx) * sx; v <= x1; v += sx) {
    g.beginPath(), g.moveTo(frame.x(v), top), g.lineTo(frame.x(v), top + h), g.stroke();
    g.fillText(plain(Math.abs(v) < 1e-9 * sx ? 0 : v, 4), frame.x(v), top + h + 4);
  }
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  for (let v = Math.ceil(y0 / sy) * sy; v <= y1; v += sy) {
    g.beginPath(), g.moveTo(left, frame.y(v)), g.lineTo(left + w, frame.y(v)), g.stroke();
    g.fillText(plain(Math.abs(v) < 1e-9 * sy ? 0 : v, 4), left - 5, frame.y(v));
  }
  g.textAlign = 'center';
  g.textBaseline = 'bottom';
  g.fillText(labels[0], left + w / 2, height - 2);
  g.save(), g.translate(2, top + h / 2), g.rotate(-Math.PI / 2), (g.textBaseline = 'top'), g.fillText(labels[1], 0, 0), g.restore();
  g.beginPath(), g.rect(left, top, w, h), g.save(), g.clip();
  return frame;
}

function path(g: CanvasRenderingContext2D, frame: Frame, xs: Float32Array, ys: Float32Array, from: number, to: number, fx: number, fy: number) {
  g.beginPath();
  for (let i = from; i <= to; ++i) g.lineTo(frame.x(xs[i]! / fx), frame.y(ys[i]! / fy));
  g.stroke();
}

export class Contacts {
  readonly boxes: HTMLElement[] = [];
  private contact = '';
  private readonly choice = el('select', { 'aria-label': 'Contact', onchange: () => this.show(this.choice.value) });
  private readonly orbit = el('canvas', { class: 'square', role: 'img', 'aria-label': 'Orbit of the journal in its clearance circle' });
  private readonly loop = el('canvas', { class: 'square', role: 'img', 'aria-label': 'Force against penetration' });
  private readonly orbitNote = el('p', { class: 'quiet' });
  private readonly orbitPanel = panel('Journal orbit', 'orbit', this.choice);
  private readonly loopPanel = panel('Force against penetration', 'loop');
  private readonly draws: (() => void)[] = [];

  constructor(private readonly player: Player, private run: Run) {
    this.orbitPanel.body.append(this.orbit, this.orbitNote);
    this.loopPanel.body.append(this.loop, el('p', { class: 'quiet' }, 'All loops of the time that the plots show; the one at the cursor is bold.'));
    const drawOrbit = () => this.drawOrbit(orbitContext), drawLoop = () => this.drawLoop(loopContext);
    const orbitContext = sharpCanvas(this.orbit, drawOrbit), loopContext = sharpCanvas(this.loop, drawLoop);
    this.draws.push(drawOrbit, drawLoop);
    this.boxes.push(this.orbitPanel.box, this.loopPanel.box);
    player.onTime(() => this.redraw());
    player.onWindow(() => this.redraw());
    this.setRun(run);
  }

  redraw() { this.draws.forEach((f) => f()); }

  setRun(run: Run) {
    this.run = run;
    const { contacts } = run;
    this.choice.replaceChildren(...contacts.map((name) => el('option', { value: name }, name)));
    this.choice.hidden = contacts.length < 2;
    const hardest = this.hardest();
    this.show(contacts.includes(this.contact) ? this.contact : hardest ?? contacts[0] ?? '');
  }

  private hardest(): string | undefined {
    const { column, count, hardness } = this.run.impacts;
    let best = -1;
    for (let i = 0; i < count; ++i) if (best < 0 || hardness[i]! > hardness[best]!) best = i;
    const name = best < 0 ? undefined : this.run.info.contacts[column.contact![best]!];
    return name === undefined || this.run.contacts.includes(name) ? name : this.run.ownerOf(name);
  }

  show(contact: string) {
    this.contact = contact;
    this.choice.value = contact;
    const has = (part: string) => this.run.has(`${contact}.${part}`);
    const radial = this.clearance() !== undefined && has('ex') && has('ey');
    this.orbitPanel.box.hidden = !radial;
    this.loopPanel.box.hidden = !(has('penetration') && has('normal')) || !this.run.impacts.count;
    // The choice goes to the panel that is there.
    (radial ? this.orbitPanel : this.loopPanel).box.querySelector('.tools')!.append(this.choice);
    this.redraw();
  }

  /** Radial clearance of the joint that this contact belongs to, m. */
  private clearance(): number | undefined {
    const joint = this.run.info.model?.joints?.find((j) => this.contact === j.name || this.contact.startsWith(j.name + '.'));
    const c = joint?.clearance;
    return c?.bearing_radius ? c.bearing_radius - c.journal_radius : undefined;
  }

  private rows(): [number, number, number] {
    const [low, high] = this.player.window;
    return [this.run.locate(low).row, this.run.locate(high).row, this.run.locate(this.player.time).row];
  }

  /** The two components of the offset across the joint's axis. */
  private plane(): ['x' | 'y' | 'z', 'x' | 'y' | 'z'] {
    const joint = this.run.info.model?.joints?.find((j) => this.contact.startsWith(j.name));
    const axis = this.run.info.model?.dimension === 'spatial' ? joint?.axis : undefined;
    if (!axis) return ['x', 'y'];
    const k = axis.map(Math.abs).indexOf(Math.max(...axis.map(Math.abs)));
    return k === 0 ? ['y', 'z'] : k === 1 ? ['x', 'z'] : ['x', 'y'];
  }

  private drawOrbit(context: () => CanvasRenderingContext2D | null) {
    const c = this.clearance();
    if (this.orbitPanel.box.hidden || c === undefined) return;
    const g = context();
    const [a, b] = this.plane();
    const ex = this.run.column(`${this.contact}.e${a}`), ey = this.run.column(`${this.contact}.e${b}`);
    if (!g || !ex?.length || !ey) return;
    const [first, last, now] = this.rows();
    const { factor, unit } = scaleFor('m', c);
    let reach = c;
    for (let i = first; i <= last; ++i) reach = Math.max(reach, Math.hypot(ex[i]!, ey[i]!));
    const r = (1.12 * reach) / factor;
    const frame = axes(g, this.orbit.clientWidth, this.orbit.clientHeight, [-r, r], [-r, r],
      [`e${a} / ${unit}`, `e${b} / ${unit}`], true);
    const radius = Math.abs(frame.x(c / factor) - frame.x(0));
    g.fillStyle = css('--soft');
    g.strokeStyle = css('--text');
    g.lineWidth = 1.5;
    g.beginPath(), g.arc(frame.x(0), frame.y(0), radius, 0, 2 * Math.PI), g.fill(), g.setLineDash([6, 4]), g.stroke(), g.setLineDash([]);
    g.strokeStyle = css('--c1');
    g.globalAlpha = 0.35;
    g.lineWidth = 1;
    path(g, frame, ex, ey, first, last, factor, factor);
    // The last stretch is bright.
    g.globalAlpha = 1;
    g.lineWidth = 2;
    g.strokeStyle = css('--c2');
    const tail = this.run.locate(this.player.time - 0.04 * (this.player.window[1] - this.player.window[0])).row;
    path(g, frame, ex, ey, Math.max(tail, 0), now, factor, factor);
    g.fillStyle = css('--accent');
    const t = this.player.time;
    const [x, y] = [this.run.value(`${this.contact}.e${a}`, t) / factor, this.run.value(`${this.contact}.e${b}`, t) / factor];
    g.beginPath(), g.arc(frame.x(x), frame.y(y), 4.5, 0, 2 * Math.PI), g.fill();
    g.restore();
    this.orbitNote.textContent = `Centre of the journal of ${this.contact} against its bearing’s; dashed: the clearance, ${plain(c / factor)} ${unit}. Outside it the surfaces press.`;
  }

  private drawLoop(context: () => CanvasRenderingContext2D | null) {
    if (this.loopPanel.box.hidden) return;
    const g = context();
    const depth = this.run.column(`${this.contact}.penetration`), force = this.run.column(`${this.contact}.normal`);
    if (!g || !depth || !force) return;
    const [first, last, now] = this.rows();
    let [d, f] = [0, 0];
    for (let i = first; i <= last; ++i) (d = Math.max(d, depth[i]!)), (f = Math.max(f, force[i]!));
    if (!(d > 0) || !(f > 0)) {
      g.fillStyle = css('--quiet'), (g.font = '13px system-ui');
      g.fillText('No contact in the time shown.', 20, 30);
      return;
    }
    const dx = scaleFor('m', d), fy = scaleFor('N', f);
    const frame = axes(g, this.loop.clientWidth, this.loop.clientHeight, [0, (1.05 * d) / dx.factor], [0, (1.05 * f) / fy.factor],
      [`penetration / ${dx.unit}`, `normal force / ${fy.unit}`], false);
    g.strokeStyle = css('--c1');
    g.globalAlpha = 0.45;
    path(g, frame, depth, force, first, last, dx.factor, fy.factor);
    // The impact at the cursor, or the last one before it.
    let [a, b] = [now, now];
    while (a > first && !(depth[a]! > 0)) --a;
    if (depth[a]! > 0) {
      b = a;
      while (a > 0 && depth[a - 1]! > 0) --a;
      while (b < depth.length - 1 && depth[b + 1]! > 0) ++b;
      g.globalAlpha = 1;
      g.lineWidth = 2.5;
      g.strokeStyle = css('--c2');
      path(g, frame, depth, force, Math.max(0, a - 1), Math.min(depth.length - 1, b + 1), dx.factor, fy.factor);
    }
    const t = this.player.time, x = this.run.value(`${this.contact}.penetration`, t);
    if (x > 0) {
      g.fillStyle = css('--accent');
      g.beginPath(), g.arc(frame.x(x / dx.factor), frame.y(this.run.value(`${this.contact}.normal`, t) / fy.factor), 4.5, 0, 2 * Math.PI), g.fill();
    }
    g.restore();
  }
}
