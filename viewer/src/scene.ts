// The animation: camera, light, and the mechanism at the player's time.

import {
  AmbientLight, DirectionalLight, PerspectiveCamera, Quaternion, Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Run } from './data';
import { el } from './dom';
import { quantity } from './format';
import { Mechanism } from './mechanism';
import { rampStops, type Colouring } from './structures';
import type { Player } from './player';

export interface Layers { forces: boolean; contacts: boolean; trails: boolean; names: boolean }

export class SceneView {
  readonly box = el('div', { class: 'scene', tabindex: 0, role: 'img', 'aria-label': 'Animation of the mechanism' });
  readonly layers: Layers = { forces: false, contacts: true, trails: true, names: true };
  mechanism?: Mechanism;
  private renderer?: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(28, 1, 0.01, 1000);
  private controls?: OrbitControls;
  private readonly labels = el('div', { class: 'labels', 'aria-hidden': 'true' });
  private readonly ruler = el('div', { class: 'ruler' }, el('span'));
  private readonly note = el('div', { class: 'scene-note' });
  private readonly legend = el('div', { class: 'legend', hidden: true }, el('b'), el('i', { style: `background: linear-gradient(to right, ${rampStops})` }), el('span'));
  relative = false;   // colours stand for parts of the largest, which has no meaning of its own
  private magnified = 1;
  private colouring: Colouring = 'stress';
  private dirty = true;
  private pointer?: [number, number];

  constructor(private readonly player: Player) {
    this.box.append(this.labels, this.ruler, this.note, this.legend);
    try {
      // Kept after drawing, so that the picture can be saved and tested.
      this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    } catch {
      this.say('This browser offers no WebGL, which the animation needs; the plots and tables work without it.');
      return;
    }
    const { domElement } = this.renderer;
    this.box.prepend(domElement);
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    // The camera carries its light, so that what it looks at is lit from above and the left.
    this.scene.add(new AmbientLight(0xffffff, 1.1), this.camera);
    const sun = new DirectionalLight(0xffffff, 2.4), fill = new DirectionalLight(0xdfe9ff, 0.6);
    sun.position.set(-5, 8, 9);
    fill.position.set(6, -2, 4);
    this.camera.add(sun, fill, sun.target, fill.target);
    sun.target.position.set(0, 0, -10), fill.target.position.set(0, 0, -10);
    this.control();
    this.box.addEventListener('pointermove', (event) => this.point(event));
    this.box.addEventListener('pointerleave', () => this.point());
    new ResizeObserver(() => this.resize()).observe(this.box);
    player.onTime(() => this.redraw());
    this.setRun(player.run);
    const loop = () => {
      requestAnimationFrame(loop);
      if (this.dirty) this.draw();
    };
    requestAnimationFrame(loop);
  }

  /** Controls take the camera's upward direction for good when they are made. */
  private control() {
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.renderer!.domElement);
    this.controls.addEventListener('change', () => this.redraw());
  }

  /** Where the pointer is: the name of the body under it comes forward. */
  private point(event?: PointerEvent) {
    const frame = this.box.getBoundingClientRect();
    this.pointer = event ? [event.clientX - frame.left, event.clientY - frame.top] : undefined;
    this.redraw();
  }

  /** Against gravity; z without it. */
  get up(): Vector3 {
    if (this.planar) return new Vector3(0, 1, 0);
    const g = this.player.run.info.model?.gravity ?? [], up = new Vector3(-(g[0] ?? 0), -(g[1] ?? 0), -(g[2] ?? 0));
    return up.length() > 0 ? up.normalize() : new Vector3(0, 0, 1);
  }

  private say(text: string) { this.note.textContent = text; }

  redraw() { this.dirty = true; }

  setRun(run: Run, keepCamera = false) {
    if (!this.renderer) return;
    if (this.mechanism) this.scene.remove(this.mechanism.root), this.mechanism.dispose();
    this.mechanism = undefined;
    this.labels.replaceChildren();
    this.say('');
    if (!run.info.model) return this.say(run.info.problem || 'The result holds no model to draw.');
    if (!run.time.length) return this.say('No samples yet.');
    const mechanism = new Mechanism(run);
    this.mechanism = mechanism;
    this.scene.add(mechanism.root);
    const { missing, names } = mechanism;
    if (missing.length) {
      const some = missing.length > 4 ? `${missing.slice(0, 4).join(', ')} and ${missing.length - 4} more` : missing.join(', ');
      this.say(`Not recorded, so not drawn: ${some}. Add their signals to output.signals.`);
    }
    for (const { body } of names) this.labels.append(el('span', {}, body));
    this.showStructures();
    if (!keepCamera) this.home();
    this.redraw();
  }

  /** How structures are shown. */
  setColouring(colouring: Colouring) { this.colouring = colouring, this.showStructures(); }
  setMagnified(times: number) { this.magnified = times, this.showStructures(); }
  private showStructures() {
    const structures = this.mechanism?.structures;
    if (!structures) return;
    structures.colouring = this.colouring, structures.magnified = this.magnified;
    this.legend.hidden = !structures.parts.length || this.colouring === 'plain';
    this.legend.children[0]!.textContent = this.colouring === 'stress' ? 'von Mises stress 0' : 'displacement 0';
    this.legend.children[2]!.textContent = this.relative ? 'largest' : structures.legend();
    this.redraw();
  }

  get planar() { return this.player.run.info.model?.dimension === 'planar'; }

  /** Back to where everything is seen. */
  home() {
    const m = this.mechanism;
    if (!m || !this.controls) return;
    const scale = 10 / m.size;
    m.root.scale.setScalar(scale);
    const centre = m.low.clone().add(m.high).multiplyScalar(0.5 * scale);
    const half = m.high.clone().sub(m.low).multiplyScalar(0.5 * scale);
    const aspect = this.camera.aspect || 1.5, tan = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance: number;
    const up = this.up;
    if (!this.camera.up.equals(up)) this.camera.up.copy(up), this.control();
    if (this.planar) {
      distance = Math.max((half.y + 1.1) / tan, (half.x + 1.1) / (tan * aspect)) + half.z;
      this.camera.position.copy(centre).add(new Vector3(-0.07, 0.12, 1).normalize().multiplyScalar(distance));
    } else {
      distance = (1.08 * half.length()) / (tan * Math.min(1, aspect));
      const view = new Vector3(0.55, -1, 0.5).applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
      this.camera.position.copy(centre).add(view.normalize().multiplyScalar(distance));
    }
    this.controls.target.copy(centre);
    this.controls.update();
    this.redraw();
  }

  private resize() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!this.renderer || !width || !height) return;
    const first = this.renderer.domElement.width <= 300 && this.camera.aspect === 1;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setSize(width, height, false);
    if (first) this.home();
    this.draw();
  }

  draw() {
    this.dirty = false;
    const m = this.mechanism;
    if (!this.renderer) return;
    if (m) {
      m.root.scale.setScalar(10 / m.size);
      m.forces.visible = this.layers.forces;
      m.contacts.visible = this.layers.contacts;
      m.trails.visible = this.layers.trails;
      m.update(this.player.time, this.trailSeconds());
    }
    this.renderer.render(this.scene, this.camera);
    if (m) this.placeLabels(m);
  }

  /** A tenth of what the plots show. */
  private trailSeconds() {
    const [low, high] = this.player.window;
    return 0.1 * (high - low);
  }

  private placeLabels(m: Mechanism) {
    const { clientWidth: width, clientHeight: height } = this.box;
    const p = new Vector3();
    const places = m.names.map(({ body, at }, i) => {
      p.copy(at).multiplyScalar(10 / m.size).project(this.camera);
      return { label: this.labels.children[i] as HTMLElement, half: 0.5 * (7 * body.length + 12), depth: p.z,
        x: Math.round((p.x + 1) * 0.5 * width), y: Math.round((1 - p.y) * 0.5 * height) };
    });
    // A few names stand above their bodies, of which much is to be seen; many stand on them, so that it is clear whose they are.
    const lift = places.length > 12 ? 0 : 22;
    // The one under the pointer comes first, then those in front. In a crowd names fade and keep a distance.
    const crowd = places.length > 12, pointer = this.pointer;
    const away = (place: (typeof places)[number]) => (pointer ? Math.hypot(place.x - pointer[0], place.y - pointer[1]) : Infinity);
    const nearest = places.reduce((best, place) => (away(place) < Math.min(away(best), 40) ? place : best), places[0]!);
    const near = nearest && away(nearest) < 40 ? nearest : undefined;
    const used: typeof places = [];
    for (const place of [...places].sort((a, b) => Number(b === near) - Number(a === near) || a.depth - b.depth)) {
      const { label, x, y, half, depth } = place, air = crowd ? 1.25 : 1;
      const free = this.layers.names && depth < 1 && x > 0 && x < width && y > 0 && y < height &&
        used.every((other) => Math.abs(other.x - x) > air * (other.half + half) || Math.abs(other.y - y) > air * 17);
      label.hidden = !free;
      label.classList.toggle('faint', crowd && place !== near);
      label.classList.toggle('near', place === near);
      if (free) used.push(place), (label.style.transform = `translate(${x}px, ${y - lift}px) translate(-50%, -50%)`);
    }
    // A length of 1, 2 or 5 that takes about a tenth of the width, at the distance of the centre.
    const distance = this.camera.position.distanceTo(this.controls!.target);
    const metres = (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height / (10 / m.size);
    const target = 0.12 * width * metres, power = 10 ** Math.floor(Math.log10(target));
    const length = [5, 2, 1].map((d) => d * power).find((d) => d <= target)!;
    this.ruler.style.width = `${length / metres}px`;
    this.ruler.firstElementChild!.textContent = quantity(length, 'm', 2);
  }

  /** How far on the screen a body is from the left and the top; for tests. */
  placeOf(body: string): [number, number] | undefined {
    const found = this.mechanism?.names.find((name) => name.body === body);
    if (!found) return undefined;
    this.draw();
    const p = found.at.clone().multiplyScalar(10 / this.mechanism!.size).project(this.camera);
    return [(p.x + 1) * 0.5 * this.box.clientWidth, (1 - p.y) * 0.5 * this.box.clientHeight];
  }
}
