// Where every body is at a time, from the recorded signals.

import { Quaternion, Vector3 } from 'three';
import type { Model, Run } from './data';

export interface Pose { p: Vector3; q: Quaternion }

const zAxis = new Vector3(0, 0, 1);

export class Poses {
  readonly planar: boolean;
  private readonly columns = new Map<string, Float32Array[]>();
  /** BODY.INTERFACE that joints take hold of. */
  readonly interfaces: string[] = [];
  private readonly other = new Quaternion();

  constructor(readonly run: Run, readonly model: Model) {
    this.planar = model.dimension === 'planar';
    const parts = this.planar ? ['x', 'y', 'angle'] : ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'];
    const known = (names: string[]) => {
      const columns = names.map((name) => run.column(name));
      return columns.every((column) => column && column.length) ? (columns as Float32Array[]) : undefined;
    };
    for (const body of model.bodies) {
      const columns = known(parts.map((part) => `${body.name}.${part}`));
      if (columns) this.columns.set(body.name, columns);
    }
    // Interfaces of flexible bodies; in space they are drawn with their body's axes.
    for (const joint of model.joints ?? [])
      for (const name of joint.bodies ?? []) {
        const [body, interface_] = name.split('.');
        if (!interface_ || this.columns.has(name)) continue;
        const columns = known(parts.map((part) => (part.startsWith('q') ? `${body}.${part}` : `${name}.${part}`)));
        if (columns) this.columns.set(name, columns), this.interfaces.push(name);
      }
  }

  /** The ground stands still; a body whose motion was not recorded is nowhere. */
  knows(body: string) { return body === 'ground' || this.columns.has(body); }

  at(body: string, row: number, part: number, out: Pose): boolean {
    if (body === 'ground') return out.p.set(0, 0, 0), out.q.identity(), true;
    const c = this.columns.get(body);
    if (!c) return false;
    const next = Math.min(row + 1, c[0]!.length - 1);
    const mix = (k: number) => c[k]![row]! + part * (c[k]![next]! - c[k]![row]!);
    if (this.planar) {
      out.p.set(mix(0), mix(1), 0);
      out.q.setFromAxisAngle(zAxis, mix(2));
    } else {
      out.p.set(mix(0), mix(1), mix(2));
      out.q.set(c[4]![row]!, c[5]![row]!, c[6]![row]!, c[3]![row]!);
      this.other.set(c[4]![next]!, c[5]![next]!, c[6]![next]!, c[3]![next]!);
      out.q.slerp(this.other, part).normalize();
    }
    return true;
  }

  /** A point of a body in world axes. */
  point(body: string, local: readonly number[], row: number, part: number, out: Vector3): boolean {
    const pose = { p: new Vector3(), q: new Quaternion() };
    if (!this.at(body, row, part, pose)) return false;
    out.set(local[0] ?? 0, local[1] ?? 0, local[2] ?? 0).applyQuaternion(pose.q).add(pose.p);
    return true;
  }
}
