// Elastic structures in their deformed shape, coloured by stress or displacement.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, Quaternion, Vector3,
} from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { bytes, type Run, type StructureData } from './data';
import { quantity } from './format';
import type { Pose, Poses } from './poses';

export type Colouring = 'stress' | 'displacement' | 'plain';

/** From low to high: dark blue, green, yellow; even in brightness, so that it also reads in grey. */
const ramp = ['#30246b', '#3a5ba0', '#2b8a8f', '#4bb070', '#b3c940', '#f7e04b'].map((c) => new Color(c));

/** How wide beams are drawn, pixels. */
const beamWidth = 5;

/** Beams and other lines, wide enough for their colours to be seen. */
class Beams {
  readonly object: LineSegments2;
  private readonly geometry = new LineSegmentsGeometry();
  private readonly at: Float32Array;
  private readonly tint: Float32Array;

  constructor(private readonly lines: Uint32Array) {
    this.at = new Float32Array(3 * lines.length);
    this.tint = new Float32Array(3 * lines.length);
    this.object = new LineSegments2(this.geometry, new LineMaterial({ vertexColors: true, linewidth: beamWidth }));
  }

  update(position: Float32Array, colour: Float32Array) {
    for (let i = 0; i < this.lines.length; ++i)
      for (let d = 0; d < 3; ++d) {
        this.at[3 * i + d] = position[3 * this.lines[i]! + d]!;
        this.tint[3 * i + d] = colour[3 * this.lines[i]! + d]!;
      }
    this.geometry.setPositions(this.at), this.geometry.setColors(this.tint);
  }
}

class Structure {
  readonly object = new Group();
  readonly at = new Vector3();
  readonly name: string;
  readonly highest: number;
  readonly carried: boolean;   // by the body of this name, whose pose is recorded
  readonly furthest: number;   // largest displacement without the mean
  private readonly nodes: Float32Array;
  private readonly time: Float64Array;
  private readonly mean: Float32Array;
  private readonly shape: Int16Array;
  private readonly amount: Float32Array;
  private readonly stressAt: Uint32Array;
  private readonly stress: Uint8Array;
  readonly position: BufferAttribute;
  private readonly colour: BufferAttribute;
  private readonly moved: Float32Array;
  private readonly centre = new Vector3();
  private readonly pose: Float32Array | undefined;   // of each record: x y z qw qx qy qz
  private readonly turn = new Quaternion();
  private readonly bodyPose: Pose = { p: new Vector3(), q: new Quaternion() };
  private readonly beams: Beams | undefined;
  private readonly skin: MeshStandardMaterial;
  private readonly wire: LineBasicMaterial;

  constructor(data: StructureData, private readonly plain: Color, private readonly poses: Poses) {
    this.name = data.name;
    this.nodes = new Float32Array(bytes(data.nodes));
    this.time = new Float64Array(bytes(data.time));
    this.mean = new Float32Array(bytes(data.mean));
    this.shape = new Int16Array(bytes(data.shape));
    this.amount = new Float32Array(bytes(data.amount));
    this.stressAt = new Uint32Array(bytes(data.stress_at));
    this.stress = new Uint8Array(bytes(data.stress));
    this.highest = data.stress_high;
    this.pose = data.pose === undefined ? undefined : new Float32Array(bytes(data.pose));
    this.carried = !!data.carried && poses.knows(data.name);
    this.moved = new Float32Array(this.nodes.length);
    this.position = new BufferAttribute(this.nodes.slice(), 3);
    this.colour = new BufferAttribute(new Float32Array(this.nodes.length), 3);
    for (let i = 0; i < this.nodes.length; ++i) this.centre.setComponent(i % 3, this.centre.getComponent(i % 3) + this.nodes[i]! / (this.nodes.length / 3));

    const faces = new Uint32Array(bytes(data.faces)), lines = new Uint32Array(bytes(data.lines));
    const triangles: number[] = [], edges = new Map<number, [number, number]>(), count = this.nodes.length / 3;
    for (let f = 0; f < faces.length; f += 4) {
      const [a, b, c, d] = faces.subarray(f, f + 4) as unknown as [number, number, number, number];
      triangles.push(a, b, c);
      if (c !== d) triangles.push(a, c, d);
      for (const [p, q] of (c === d ? [[a, b], [b, c], [c, a]] : [[a, b], [b, c], [c, d], [d, a]]) as [number, number][])
        edges.set(Math.min(p, q) * count + Math.max(p, q), [p, q]);
    }
    const geometry = (index: number[]) => {
      const g = new BufferGeometry();
      g.setAttribute('position', this.position);
      g.setAttribute('color', this.colour);
      g.setIndex(index);
      return g;
    };
    this.skin = new MeshStandardMaterial({ vertexColors: true, metalness: 0.05, roughness: 0.7, side: DoubleSide, flatShading: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.wire = new LineBasicMaterial({ color: '#1b2530', transparent: true, opacity: 0.28 });
    const parts = [
      ...(triangles.length ? [new Mesh(geometry(triangles), this.skin), new LineSegments(geometry([...edges.values()].flat()), this.wire)] : []),
    ];
    if (lines.length) this.beams = new Beams(lines), (this.beams.object.frustumCulled = false), this.object.add(this.beams.object);
    for (const part of parts) part.frustumCulled = false, this.object.add(part);
    let furthest = 0;
    for (let f = 0; f < this.time.length; ++f) this.deform(f, 0), (furthest = this.moved.reduce((most, d) => Math.max(most, Math.abs(d)), furthest));
    this.furthest = furthest;
  }

  dispose() {
    for (const part of this.object.children as (Mesh | LineSegments | LineSegments2)[]) part.geometry.dispose(), (part.material as MeshStandardMaterial).dispose();
  }

  /** The record at or before t, and how far t is on the way to the next. */
  private locate(t: number): [number, number] {
    let low = 0, high = this.time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      this.time[middle]! <= t ? (low = middle) : (high = middle - 1);
    }
    const next = this.time[low + 1];
    return [low, next === undefined ? 0 : Math.min(1, Math.max(0, (t - this.time[low]!) / (next - this.time[low]! || 1)))];
  }

  /** Displacements without the mean. */
  private deform(record: number, part: number) {
    const n = this.nodes.length, shapes = n ? this.shape.length / n : 0, next = Math.min(record + 1, this.time.length - 1);
    this.moved.fill(0);
    for (let k = 0; k < shapes; ++k) {
      const amount = (1 - part) * this.amount[record * shapes + k]! + part * this.amount[next * shapes + k]!, first = k * n;
      for (let i = 0; i < n; ++i) this.moved[i]! += amount * this.shape[first + i]!;
    }
  }

  /** Puts the axes of displacements where they are between two records. */
  private place(record: number, next: number, part: number) {
    const pose = this.pose!, [a, b] = [7 * record, 7 * next];
    this.object.position.fromArray(pose, a).lerp(this.at.fromArray(pose, b), part);
    this.object.quaternion.set(pose[a + 4]!, pose[a + 5]!, pose[a + 6]!, pose[a + 3]!).slerp(this.turn.set(pose[b + 4]!, pose[b + 5]!, pose[b + 6]!, pose[b + 3]!), part);
  }

  /** Largest distance of a node from `centre`, over some of the records. */
  measure(low: Vector3, high: Vector3) {
    const p = new Vector3(), step = Math.max(1, Math.floor(this.time.length / 40));
    for (let f = 0; f < this.time.length; f += step) {
      this.deform(f, 0);
      for (let i = 0; i < this.nodes.length; i += 3) {
        for (let d = 0; d < 3; ++d) p.setComponent(d, this.nodes[i + d]! + this.moved[i + d]! + this.mean[3 * f + d]!);
        if (this.pose) this.place(f, f, 0), p.applyQuaternion(this.object.quaternion).add(this.object.position);
        low.min(p), high.max(p);
      }
    }
  }

  /** `z`: the layer that a planar model's body lies in. */
  update(t: number, magnified: number, colouring: Colouring, highestStress: number, furthest: number, z: number) {
    const [record, part] = this.locate(t), next = Math.min(record + 1, this.time.length - 1);
    this.deform(record, part);
    const mean = [0, 1, 2].map((d) => (1 - part) * this.mean[3 * record + d]! + part * this.mean[3 * next + d]!);
    const to = this.position.array as Float32Array;
    for (let i = 0; i < to.length; ++i) to[i] = this.nodes[i]! + mean[i % 3]! + magnified * this.moved[i]!;
    this.position.needsUpdate = true;
    if (this.carried) {
      // Samples are closer together than records.
      const now = this.poses.run.locate(t);
      this.poses.at(this.name, now.row, now.part, this.bodyPose);
      this.object.position.copy(this.bodyPose.p), this.object.quaternion.copy(this.bodyPose.q);
    } else if (this.pose) this.place(record, next, part);
    this.object.position.z += this.pose ? z : 0;
    this.at.copy(this.centre).add(new Vector3(...(mean as [number, number, number]))).applyQuaternion(this.object.quaternion).add(this.object.position);
    this.paint(t, colouring, highestStress, furthest);
    this.beams?.update(to, this.colour.array as Float32Array);
  }

  private paint(t: number, colouring: Colouring, highestStress: number, furthest: number) {
    const to = this.colour.array as Float32Array, count = this.nodes.length / 3;
    // Stress is known at some of the records.
    let k = 0;
    while (k + 1 < this.stressAt.length && this.time[this.stressAt[k + 1]!]! <= t) ++k;
    const next = Math.min(k + 1, this.stressAt.length - 1);
    const [a, b] = [this.time[this.stressAt[k]!]!, this.time[this.stressAt[next]!]!];
    const part = b > a ? Math.min(1, Math.max(0, (t - a) / (b - a))) : 0;
    for (let i = 0; i < count; ++i) {
      let value = 0;
      if (colouring === 'stress') value = (((1 - part) * this.stress[k * count + i]! + part * this.stress[next * count + i]!) / 255) * (highestStress > 0 ? this.highest / highestStress : 0);
      else if (colouring === 'displacement') value = furthest > 0 ? Math.hypot(this.moved[3 * i]!, this.moved[3 * i + 1]!, this.moved[3 * i + 2]!) / (Math.sqrt(3) * furthest) : 0;
      const [r, g, bl] = colouring === 'plain' ? [this.plain.r, this.plain.g, this.plain.b] : mix(value);
      to[3 * i] = r, to[3 * i + 1] = g, to[3 * i + 2] = bl;
    }
    this.colour.needsUpdate = true;
  }
}

function mix(value: number): [number, number, number] {
  // The root shows what is small beside a peak.
  const x = Math.sqrt(Math.min(1, Math.max(0, value))) * (ramp.length - 1), k = Math.min(ramp.length - 2, Math.floor(x)), s = x - k;
  const [a, b] = [ramp[k]!, ramp[k + 1]!];
  return [a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b)];
}

export class Structures {
  readonly root = new Group();
  readonly parts: Structure[];
  readonly names: string[];
  magnified = 1;
  colouring: Colouring = 'stress';

  constructor(run: Run, colours: string[], poses: Poses, private readonly z: (body: string) => number) {
    this.parts = (run.info.structures ?? []).map((data, i) => new Structure(data, new Color(colours[i % colours.length]!), poses));
    this.names = this.parts.map((part) => part.name);
    for (const part of this.parts) this.root.add(part.object);
  }
  dispose() { this.parts.forEach((part) => part.dispose()); }

  get highestStress() { return Math.max(0, ...this.parts.map((part) => part.highest)); }
  get furthest() { return Math.max(0, ...this.parts.map((part) => part.furthest)); }

  measure(low: Vector3, high: Vector3) { this.parts.forEach((part) => part.measure(low, high)); }

  update(t: number) {
    for (const part of this.parts) part.update(t, this.magnified, this.colouring, this.highestStress, this.furthest, this.z(part.name));
  }

  /** What the brightest colour means. */
  legend(): string {
    if (this.colouring === 'stress') return quantity(this.highestStress, 'Pa', 3);
    return this.colouring === 'displacement' ? quantity(Math.sqrt(3) * this.furthest, 'm', 3) : '';
  }
}

/** For the legend: CSS stops at the values they stand for. */
export const rampStops = ramp.map((c, i) => `#${c.getHexString()} ${(100 * (i / (ramp.length - 1)) ** 2).toFixed(0)}%`).join(', ');
