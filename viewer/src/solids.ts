// Solids that bodies are drawn with.

import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, CatmullRomCurve3, CylinderGeometry, ExtrudeGeometry, Float32BufferAttribute,
  Path, PlaneGeometry, Quaternion, Shape as Outline, SphereGeometry, TubeGeometry, Vector3,
} from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Shape } from './data';

type Point = readonly [number, number];

/** Convex hull, counter-clockwise. */
function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const unique = sorted.filter((p, i) => i === 0 || Math.hypot(p[0] - sorted[i - 1]![0], p[1] - sorted[i - 1]![1]) > 1e-12);
  if (unique.length < 3) return unique;
  const half = (input: Point[]) => {
    const out: Point[] = [];
    for (const p of input) {
      while (out.length >= 2) {
        const [a, b] = [out[out.length - 2]!, out[out.length - 1]!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(unique), ...half(unique.slice().reverse())];
}

/** Everything within r of the hull of the points: a disc, a bar with round ends, a plate with round corners. */
export function roundedPlate(points: Point[], r: number, thickness: number, holes: { at: Point; radius: number }[] = []): BufferGeometry {
  const corners = hull(points);
  const outline = new Outline();
  if (corners.length === 1) {
    outline.absarc(corners[0]![0], corners[0]![1], r, 0, 2 * Math.PI, false);
  } else {
    const n = corners.length;
    const direction = (i: number) => {
      const [a, b] = [corners[i % n]!, corners[(i + 1) % n]!];
      return Math.atan2(b[1] - a[1], b[0] - a[0]);
    };
    for (let i = 0; i < n; ++i) {
      const from = direction((i + n - 1) % n) - Math.PI / 2;
      let to = direction(i) - Math.PI / 2;
      while (to < from - 1e-9) to += 2 * Math.PI;
      outline.absarc(corners[i]![0], corners[i]![1], r, from, to, false);
    }
    outline.closePath();
  }
  return extruded(outline, thickness, 0.1 * r, holes);
}

export function block(centre: Point, length: number, height: number, angle: number, thickness: number,
  holes: { at: Point; radius: number }[] = []): BufferGeometry {
  const outline = new Outline();
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([i, j], k) => {
    const [x, y] = [0.5 * i! * length, 0.5 * j! * height];
    const p: Point = [centre[0] + c * x - s * y, centre[1] + s * x + c * y];
    k === 0 ? outline.moveTo(...p) : outline.lineTo(...p);
  });
  outline.closePath();
  return extruded(outline, thickness, 0, holes);
}

function extruded(outline: Outline, thickness: number, bevel: number, holes: { at: Point; radius: number }[]): BufferGeometry {
  for (const { at, radius } of holes) {
    const hole = new Path();
    hole.absarc(at[0], at[1], radius, 0, 2 * Math.PI, true);
    outline.holes.push(hole);
  }
  // The bevel would narrow a hole, which shows a clearance: plates with holes go without.
  const flat = holes.length > 0 || bevel === 0;
  const geometry = new ExtrudeGeometry(outline, {
    depth: flat ? thickness : thickness - 2 * bevel, bevelEnabled: !flat, bevelSize: bevel, bevelOffset: -bevel,
    bevelThickness: bevel, bevelSegments: 2, curveSegments: 48,
  });
  geometry.translate(0, 0, flat ? -thickness / 2 : -thickness / 2 + bevel);
  return geometry;
}

/** A ring about z. */
export function ring(inner: number, outer: number, length: number): BufferGeometry {
  const outline = new Outline();
  outline.absarc(0, 0, outer, 0, 2 * Math.PI, false);
  return extruded(outline, length, 0, [{ at: [0, 0], radius: inner }]);
}

/** A disc or pin about z. */
export function disc(radius: number, length: number): BufferGeometry {
  return new CylinderGeometry(radius, radius, length, 64).rotateX(Math.PI / 2);
}

/** A coil of unit length along y. */
export function coil(radius: number, wire: number, turns = 9): BufferGeometry {
  const points: Vector3[] = [new Vector3(0, 0, 0), new Vector3(0, 0.08, 0)];
  for (let i = 0; i <= 16 * turns; ++i) {
    const s = i / (16 * turns), a = 2 * Math.PI * turns * s;
    points.push(new Vector3(radius * Math.sin(a), 0.1 + 0.8 * s, radius * Math.cos(a)));
  }
  points.push(new Vector3(0, 0.92, 0), new Vector3(0, 1, 0));
  return new TubeGeometry(new CatmullRomCurve3(points), 24 * turns, wire, 6);
}

/** Turns +z into `direction`. */
export function turnFromZ(direction: Vector3): Quaternion {
  return new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), direction.clone().normalize());
}

// ---- shapes of the model file --------------------------------------------------------------------------------------

const num = (shape: any, ...names: string[]): number | undefined => {
  for (const name of names) if (typeof shape[name] === 'number') return shape[name];
  return undefined;
};
const list = (shape: any, ...names: string[]): number[] | undefined => {
  for (const name of names) if (Array.isArray(shape[name])) return shape[name];
  return undefined;
};

/** A shape of the model, with its place in the body; undefined for a kind that cannot be drawn. */
export function shapeGeometry(given: Shape, planar: boolean, thickness: number, size: number): BufferGeometry | undefined {
  // `{sphere: {radius}}` and `{type: sphere, radius}` mean the same.
  let kind = String(given.type ?? given.shape ?? '');
  let shape: any = given;
  if (!kind) {
    const inner = Object.entries(given).find(([, value]) => value && typeof value === 'object' && !Array.isArray(value));
    if (!inner) return undefined;
    [kind, shape] = inner;
  }
  const geometry = bare(kind, shape, planar, thickness, size);
  if (!geometry) return undefined;
  const q = list(shape, 'orientation');
  if (q?.length === 4) geometry.applyQuaternion(new Quaternion(q[1], q[2], q[3], q[0]));
  const axis = list(shape, 'axis');
  if (axis?.length === 3) geometry.applyQuaternion(turnFromZ(new Vector3(...axis)));
  const angle = num(shape, 'angle');
  if (planar && angle) geometry.rotateZ(angle);
  const at = list(shape, 'position', 'centre', 'center', 'point', 'at');
  if (at) geometry.translate(at[0] ?? 0, at[1] ?? 0, at[2] ?? 0);
  return geometry;
}

function bare(kind: string, shape: any, planar: boolean, thickness: number, size: number): BufferGeometry | undefined {
  const radius = num(shape, 'radius') ?? 0;
  const half = list(shape, 'half_extents', 'half_size', 'half');
  const extents = half ? half.map((x) => 2 * x) : list(shape, 'size', 'extents', 'lengths');
  switch (kind) {
    case 'sphere':
    case 'circle':
    case 'disc':
    case 'disk':
      return planar ? disc(radius, thickness) : new SphereGeometry(radius, 40, 24);
    case 'point':
      return new SphereGeometry(0.01 * size, 16, 12);
    case 'box':
    case 'rectangle': {
      const [x, y, z] = [extents?.[0] ?? num(shape, 'length', 'width') ?? size, extents?.[1] ?? num(shape, 'height') ?? size,
        planar ? thickness : extents?.[2] ?? num(shape, 'depth') ?? size];
      return new BoxGeometry(x, y, z);
    }
    case 'cylinder':
      return disc(radius, num(shape, 'length', 'height') ?? 2 * radius);
    case 'capsule':
      return new CapsuleGeometry(radius, num(shape, 'length', 'height') ?? 2 * radius, 8, 32).rotateX(Math.PI / 2);
    case 'ellipsoid': {
      const [a, b, c] = list(shape, 'semi_axes') ?? [size, size, size];
      return planar ? disc(1, thickness).scale(a!, b!, 1) : new SphereGeometry(1, 40, 24).scale(a!, b!, c ?? a!);
    }
    case 'segment': {
      const ends = (shape.points ?? []) as number[][];
      if (ends.length !== 2) return undefined;
      return roundedPlate(ends.map((p) => [p[0]!, p[1]!] as const), Math.max(radius, 0.004 * size), thickness);
    }
    case 'hull': {
      const corners = (shape.points ?? []) as number[][];
      return planar ? roundedPlate(corners.map((p) => [p[0]!, p[1]!] as const), Math.max(radius, 1e-4 * size), thickness)
        : new ConvexGeometry(corners.map((p) => new Vector3(p[0], p[1], p[2])));
    }
    case 'profile': {
      // In the plane, an open line of the ground, such as stairs: a thin wall along each piece.
      const corners = (shape.points ?? []) as number[][];
      const walls = corners.slice(1).map((b, i) => roundedPlate(
        [[corners[i]![0]!, corners[i]![1]!], [b[0]!, b[1]!]], 0.003 * size, 2 * thickness));
      return walls.length ? mergeGeometries(walls) ?? undefined : undefined;
    }
    case 'plane':
    case 'half-space':
    case 'line': {
      const normal = list(shape, 'normal') ?? [0, planar ? 1 : 0, planar ? 0 : 1];
      const n = new Vector3(normal[0] ?? 0, normal[1] ?? 0, normal[2] ?? 0);
      const geometry = planar ? new BoxGeometry(4 * size, 0.8 * thickness, 4 * thickness).translate(0, -0.4 * thickness, 0)
        : new PlaneGeometry(4 * size, 4 * size);
      return geometry.applyQuaternion(planar
        ? new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), n.normalize()) : turnFromZ(n));
    }
    case 'polygon':
    case 'polyline': {
      const points = shape.points ?? shape.vertices;
      if (!Array.isArray(points) || points.length < 3) return undefined;
      const outline = new Outline();
      points.forEach((p: number[], i: number) => (i ? outline.lineTo(p[0]!, p[1]!) : outline.moveTo(p[0]!, p[1]!)));
      outline.closePath();
      return extruded(outline, thickness, 0, []);
    }
    case 'mesh': {
      const vertices = shape.vertices as number[][] | undefined, faces = (shape.faces ?? shape.triangles) as number[][] | undefined;
      if (!vertices || !faces) return undefined;
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new Float32BufferAttribute(vertices.flat(), 3));
      geometry.setIndex(faces.flat());
      const flat = geometry.toNonIndexed();
      flat.computeVertexNormals();
      return flat;
    }
  }
  return undefined;
}

/** A homogeneous box of this mass and these moments of inertia about its axes (kg, kg m²): a² = 6 (I_y + I_z − I_x)/m. */
export function boxOfInertia(mass: number, inertia: number[]): [number, number, number] {
  const [x, y, z] = inertia.length === 9 ? [inertia[0]!, inertia[4]!, inertia[8]!] : [inertia[0]!, inertia[0]!, inertia[0]!];
  const side = (a: number) => Math.sqrt(Math.max(0, (6 * a) / mass));
  const sides = [side(y! + z! - x!), side(x! + z! - y!), side(x! + y! - z!)];
  const most = Math.max(...sides, 1e-12);
  return sides.map((s) => Math.max(s, 0.04 * most)) as [number, number, number];
}
