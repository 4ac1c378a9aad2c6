// The mechanism as three.js objects: bodies by their shapes, or as links between their joints; springs, rods, forces.

import {
  BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, BoxGeometry, DoubleSide, Group, Line, LineBasicMaterial,
  LineSegments, Mesh, PlaneGeometry,
  MeshStandardMaterial, Object3D, Quaternion, SphereGeometry, Vector3,
} from 'three';
import type { Body, Joint, Run, Shape } from './data';
import { Poses, type Pose } from './poses';
import { Structures } from './structures';
import { block, boxOfInertia, coil, disc, ring, roundedPlate, shapeGeometry, turnFromZ } from './solids';

export const palette = ['#4c86c6', '#e39b2d', '#2fa58c', '#c9566b', '#8671c4', '#7f9c3b', '#3aa0b8', '#b9703f'];
const yAxis = new Vector3(0, 1, 0);
const isPin = (joint: Joint) => ['revolute', 'spherical', 'universal', 'cylindrical'].includes(joint.type);
const isSlide = (joint: Joint) => ['translational', 'cylindrical', 'point-on-line'].includes(joint.type);

/** Something that moves between two points. */
interface Span { object: Object3D; ends: [[string, number[]], [string, number[]]]; z: number }
interface Arrow { object: Group; shaft: Mesh; head: Mesh; origin: (row: number, part: number, out: Vector3) => boolean; force: Float32Array[] }
interface Trail { line: Line; body: string }

export class Mechanism {
  readonly root = new Group();
  readonly names: { body: string; at: Vector3 }[] = [];
  readonly missing: string[] = [];
  readonly low = new Vector3(Infinity, Infinity, Infinity);
  readonly high = new Vector3(-Infinity, -Infinity, -Infinity);
  readonly size: number;
  readonly forces = new Group();
  readonly contacts = new Group();
  readonly trails = new Group();
  readonly structures: Structures;
  largestForce = 0;

  private readonly poses: Poses;
  private readonly planar: boolean;
  private readonly bodies = new Map<string, Group>();
  private readonly layer = new Map<string, number>();
  private readonly spans: Span[] = [];
  private readonly arrows: Arrow[] = [];
  private readonly trailLines: Trail[] = [];
  private readonly materials: MeshStandardMaterial[] = [];
  private readonly pose: Pose = { p: new Vector3(), q: new Quaternion() };
  private readonly bar: number;        // half the width of a link
  private readonly thickness: number;  // of a plate
  private readonly metal: MeshStandardMaterial;
  private readonly fixed: MeshStandardMaterial;

  constructor(private readonly run: Run) {
    const model = run.info.model!;
    this.poses = new Poses(run, model);
    this.planar = this.poses.planar;
    this.metal = this.material('#59636e', 0.75, 0.35);
    this.fixed = this.material('#8b949e', 0.1, 0.8);
    this.structures = new Structures(run, palette, this.poses, (body) => this.z(body));
    this.size = this.measure();
    this.bar = 0.022 * this.size;
    this.thickness = 0.035 * this.size;
    this.chooseLayers();

    model.bodies.forEach((body, index) => {
      if (this.structures.names.includes(body.name)) return void this.names.push({ body: body.name, at: new Vector3() });
      if (!this.poses.knows(body.name)) return void this.missing.push(body.name);
      const group = new Group();
      const material = this.material(palette[index % palette.length]!, 0.15, 0.5);
      this.build(body, group, material);
      this.bodies.set(body.name, group);
      this.root.add(group);
      this.names.push({ body: body.name, at: new Vector3() });
      this.addTrail(body.name, palette[index % palette.length]!, index);
    });
    // Pins and journals at flexible bodies go with their interfaces.
    this.poses.interfaces.forEach((name) => {
      const group = new Group(), material = this.material('#59636e', 0.15, 0.5);
      for (const joint of this.joints()) this.addBearing(joint, name, group, material);
      this.bodies.set(name, group);
      this.root.add(group);
    });
    this.buildGround();
    this.buildSpans();
    this.buildArrows();
    this.root.add(this.forces, this.contacts, this.trails, this.structures.root);
  }

  dispose() {
    this.structures.dispose();
    this.root.traverse((object) => {
      if (object instanceof Mesh || object instanceof Line) object.geometry.dispose();
    });
    this.materials.forEach((material) => material.dispose());
  }

  private material(color: string, metalness: number, roughness: number) {
    const material = new MeshStandardMaterial({ color: new Color(color), metalness, roughness });
    this.materials.push(material);
    return material;
  }

  private mesh(geometry: BufferGeometry, material: MeshStandardMaterial, at?: Vector3, turn?: Quaternion) {
    const mesh = new Mesh(geometry, material);
    if (at) mesh.position.copy(at);
    if (turn) mesh.quaternion.copy(turn);
    return mesh;
  }

  private joints(): Joint[] { return this.run.info.model!.joints ?? []; }

  /** The points of a body that joints and forces take hold of. */
  private pointsOf(body: string): number[][] {
    const points: number[][] = [];
    for (const joint of this.joints())
      if (joint.bodies && joint.points)
        joint.bodies.forEach((name, side) => name === body && points.push(joint.points![side]!));
    if (body !== 'ground')
      for (const force of this.run.info.model!.forces ?? [])
        force.bodies?.forEach((name, side) => name === body && force.points?.[side] && points.push(force.points[side]!));
    return points.filter((p, i) => points.findIndex((o) => p.every((x, k) => Math.abs(x - o[k]!) < 1e-9)) === i);
  }

  /** Where everything ever is, from a hundred moments; returns the longest side. */
  private measure(): number {
    const { model, ...info } = this.run.info;
    void info;
    const world = new Vector3();
    const add = (p: Vector3, margin = 0) => {
      this.low.min(p.clone().subScalar(margin));
      this.high.max(p.clone().addScalar(margin));
    };
    const rows = this.run.time.length;
    this.structures.measure(this.low, this.high);
    for (let k = 0; k <= 100; ++k) {
      const row = Math.min(rows - 1, Math.round((k / 100) * (rows - 1)));
      for (const body of model!.bodies) {
        if (this.structures.names.includes(body.name)) continue;
        const points = [[0, 0, 0], ...this.pointsOf(body.name)];
        for (const point of points) if (this.poses.point(body.name, point, row, 0, world)) add(world);
      }
    }
    for (const point of this.pointsOf('ground')) add(new Vector3(point[0], point[1], point[2] ?? 0));
    for (const force of model!.forces ?? [])
      force.bodies?.forEach((name, side) => {
        const p = force.points?.[side];
        if (name === 'ground' && p) add(new Vector3(p[0], p[1], p[2] ?? 0));
      });
    // Bodies that stay in place are as large as their shapes or their inertia say.
    for (const body of model!.bodies) {
      if (!this.poses.knows(body.name)) continue;
      const radius = Math.max(0, ...(body.shapes ?? []).map((shape) => {
        const g = shapeGeometry(shape, this.planar, 1e-9, 0);
        g?.computeBoundingSphere();
        return (g?.boundingSphere?.center.length() ?? 0) + (g?.boundingSphere?.radius ?? 0);
      }));
      const alone = this.pointsOf(body.name).every((p) => Math.hypot(...p) < 1e-12);
      const solid = radius > 0 ? radius : alone && body.inertia && body.mass ? 0.5 * Math.hypot(...boxOfInertia(body.mass, body.inertia)) : 0;
      if (!(solid > 0) || solid > 1e3 * (this.high.distanceTo(this.low) || Infinity)) continue;
      const span = this.high.distanceTo(this.low);
      if (radius > 0 || solid < 0.3 * span || span < solid)
        for (const row of [0, rows >> 1, rows - 1]) if (this.poses.point(body.name, [0, 0, 0], row, 0, world)) add(world, solid);
    }
    if (!(this.low.x <= this.high.x)) add(new Vector3(), 0.5);
    const size = Math.max(...this.high.clone().sub(this.low).toArray());
    return size > 0 ? size : 1;
  }

  /** Planar bodies that are joined lie in different layers, so that links pass each other. */
  private chooseLayers() {
    this.layer.set('ground', -1);
    for (const body of this.run.info.model!.bodies) {
      const taken = new Set<number>();
      for (const joint of this.joints())
      {
        const owners = (joint.bodies ?? []).map((name) => name.split('.')[0]!);
        if (owners.includes(body.name))
          for (const name of owners) if (name !== body.name && this.layer.has(name)) taken.add(this.layer.get(name)!);
      }
      let layer = 0;
      while (taken.has(layer)) ++layer;
      this.layer.set(body.name, layer);
    }
    for (const name of this.poses.interfaces) this.layer.set(name, this.layer.get(name.split('.')[0]!) ?? 0);
  }
  private z(body: string) { return this.planar ? (this.layer.get(body) ?? 0) * 1.08 * this.thickness : 0; }

  /** A joint's axis in the coordinates of one of its bodies. */
  private axisOf(joint: Joint, side: number): Vector3 {
    if (this.planar) return new Vector3(0, 0, 1);
    if (joint.axes) return new Vector3(...(joint.axes[side] as [number, number, number])).normalize();
    const axis = new Vector3(...((joint.axis ?? [0, 0, 1]) as [number, number, number])).normalize();
    if (side === 1 && joint.bodies) {
      const first = { p: new Vector3(), q: new Quaternion() }, second = { p: new Vector3(), q: new Quaternion() };
      if (this.poses.at(joint.bodies[0], 0, 0, first) && this.poses.at(joint.bodies[1], 0, 0, second))
        axis.applyQuaternion(first.q).applyQuaternion(second.q.invert());
    }
    return axis;
  }

  // ---- bodies ------------------------------------------------------------------------------------------------------

  private build(body: Body, group: Group, material: MeshStandardMaterial) {
    let drawn = false;
    for (const shape of body.shapes ?? []) {
      const geometry = shapeGeometry(shape, this.planar, this.thickness, this.size);
      if (geometry) group.add(this.mesh(geometry, material)), (drawn = true);
    }
    if (!drawn) this.planar ? this.planarLink(body, group, material) : this.spatialLink(body, group, material);
    for (const joint of this.joints()) this.addBearing(joint, body.name, group, material);
  }

  private blockSize(joint: Joint | undefined, bearing: number): [number, number] {
    const c = joint?.clearance;
    if (c?.slider_length) return [c.slider_length, c.slider_height];
    return [Math.max(4 * bearing, 0.13 * this.size), Math.max(3 * bearing, 0.085 * this.size)];
  }

  private bearingRadius(body: string) {
    return Math.max(0, ...this.joints().filter((j) => j.bodies?.[0] === body).map((j) => j.clearance?.bearing_radius ?? 0));
  }

  private slideOf(body: string) {
    return this.joints().find((j) => isSlide(j) && (j.type === 'cylindrical' || j.bodies?.[1] === body) && j.bodies?.includes(body));
  }

  private planarLink(body: Body, group: Group, material: MeshStandardMaterial) {
    const bearing = this.bearingRadius(body.name);
    const points = this.pointsOf(body.name).map((p) => [p[0]!, p[1]!] as const);
    const holes = this.joints().filter((j) => j.bodies?.[0] === body.name && j.clearance?.bearing_radius)
      .map((j) => ({ at: [j.points![0]![0]!, j.points![0]![1]!] as const, radius: j.clearance!.bearing_radius as number }));
    const slide = this.slideOf(body.name);
    if (slide) {
      // Along the guide as it lies in the body: the first body's axis, turned back by the body's angle at the start.
      const angle = Math.atan2(slide.axis?.[1] ?? 0, slide.axis?.[0] ?? 1) - this.run.value(`${body.name}.angle`, this.run.start) +
        (slide.bodies![0] === 'ground' ? 0 : this.run.value(`${slide.bodies![0]}.angle`, this.run.start) || 0);
      const side = slide.bodies!.indexOf(body.name), at = slide.points![side]!;
      const [length, height] = this.blockSize(slide, bearing);
      group.add(this.mesh(block([at[0]!, at[1]!], length, height, angle, this.thickness, holes), material));
      if (points.some((p) => Math.hypot(p[0] - at[0]!, p[1] - at[1]!) > 0.5 * length))
        group.add(this.mesh(roundedPlate(points, this.bar, 0.8 * this.thickness), material));
      return;
    }
    if (!body.inertia && points.every((p) => Math.hypot(...p) < 1e-12)) {
      group.add(this.mesh(new SphereGeometry(1.6 * this.bar, 32, 20), material));
      return;
    }
    const outline = points.length >= 2 ? points : [...points, [0, 0] as const];
    const spread = Math.max(...outline.map((p) => Math.hypot(p[0] - outline[0]![0], p[1] - outline[0]![1])));
    const r = Math.max(this.bar, 1.45 * bearing);
    if (spread < 1e-12 && body.inertia && body.mass) {
      const side = Math.sqrt((6 * body.inertia[0]!) / body.mass);
      const shown = side > 0.02 * this.size && side < 2 * this.size ? side : 0.1 * this.size;
      group.add(this.mesh(block([0, 0], shown, shown, 0, this.thickness, holes), material));
    } else {
      group.add(this.mesh(roundedPlate(outline, r, this.thickness, holes), material));
    }
  }

  private spatialLink(body: Body, group: Group, material: MeshStandardMaterial) {
    const points = this.pointsOf(body.name).map((p) => new Vector3(...(p as [number, number, number])));
    const reach = Math.max(0, ...points.map((p) => p.length()));
    const slide = this.slideOf(body.name);
    if (slide) {
      const side = slide.bodies!.indexOf(body.name), at = points.length ? slide.points![side]! : [0, 0, 0];
      const [length, height] = this.blockSize(slide, this.bearingRadius(body.name));
      const turn = turnFromZ(this.axisOf(slide, side));
      const box = ring(0.45 * this.bar, 0.5 * height, length);
      const solid = slide.bodies![0] === 'ground' || this.bearingRadius(body.name) > 0;
      group.add(this.mesh(solid ? new BoxGeometry(height, height, length) : box, material, new Vector3(...(at as [number, number, number])), turn));
      if (solid && this.bearingRadius(body.name) > 0) (material.transparent = true), (material.opacity = 0.55), (material.depthWrite = false);
    } else if (reach < 1e-9) {
      if (!body.inertia) group.add(this.mesh(new SphereGeometry(2.2 * this.bar, 32, 20), material));
      else {
        let sides = boxOfInertia(body.mass ?? 1, body.inertia);
        const most = Math.max(...sides);
        if (most < 0.03 * this.size || most > 2 * this.size) sides = sides.map((s) => (0.1 * this.size * s) / most) as [number, number, number];
        group.add(this.mesh(new BoxGeometry(...sides), material));
      }
      return;
    }
    // A rod to each joint, from one another when there are two, from the centre of mass otherwise.
    const rods: [Vector3, Vector3][] = points.length === 2 ? [[points[0]!, points[1]!]] : points.map((p) => [new Vector3(), p]);
    for (const [a, b] of rods) {
      if (a.distanceTo(b) < 1e-9) continue;
      const rod = this.mesh(new CylinderGeometry(0.55 * this.bar, 0.55 * this.bar, a.distanceTo(b), 24), material,
        a.clone().add(b).multiplyScalar(0.5), new Quaternion().setFromUnitVectors(yAxis, b.clone().sub(a).normalize()));
      group.add(rod);
    }
    for (const p of points) group.add(this.mesh(new SphereGeometry(0.8 * this.bar, 24, 16), material, p));
  }

  /** Pins of ideal joints, journals and bearings of those with play. */
  private addBearing(joint: Joint, name: string, group: Group, material: MeshStandardMaterial) {
    if (!joint.bodies || !joint.points || !isPin(joint)) return;
    const side = joint.bodies.indexOf(name);
    if (side < 0) return;
    const local = joint.points[side]!, at = new Vector3(local[0], local[1], local[2] ?? 0);
    const c = joint.clearance;
    const spherical = joint.type === 'spherical' || joint.type === 'universal';
    const turn = spherical ? new Quaternion() : turnFromZ(this.axisOf(joint, side));
    const depth = this.planar ? 1.3 * this.thickness : (c?.length as number | undefined) ?? 3 * this.bar;
    if (c?.bearing_radius) {
      const [bearing, journal] = [c.bearing_radius as number, c.journal_radius as number];
      if (side === 1) {
        // The journal reaches into the bearing's layer.
        at.z += this.planar ? this.z(joint.bodies[0]) - this.z(name) : 0;
        group.add(this.mesh(spherical ? new SphereGeometry(journal, 48, 32) : disc(journal, 1.02 * depth), material, at, turn));
        group.add(this.mesh(disc(0.18 * journal, 1.06 * depth), this.metal, at, turn));
        if (this.planar) group.add(this.mesh(disc(0.6 * journal, 2 * Math.abs(this.z(joint.bodies[0]) - this.z(name))), material,
          new Vector3(local[0], local[1], 0.5 * (this.z(joint.bodies[0]) - this.z(name))), turn));
      } else if (!spherical) {
        group.add(this.mesh(ring(bearing, 1.12 * bearing, this.planar ? 1.02 * this.thickness : depth), this.metal, at, turn));
      }
      return;
    }
    if (side === 1) return;
    if (spherical) return void group.add(this.mesh(new SphereGeometry(0.9 * this.bar, 32, 20), this.metal, at));
    if (this.planar) {
      const [low, high] = [this.z(joint.bodies[0]), this.z(joint.bodies[1])].sort((a, b) => a - b) as [number, number];
      at.z = 0.5 * (low + high) - this.z(name);
      group.add(this.mesh(disc(0.48 * this.bar, high - low + 1.35 * this.thickness), this.metal, at));
    } else {
      group.add(this.mesh(disc(0.75 * this.bar, 3.2 * this.bar), this.metal, at, turn));
    }
  }

  // ---- what does not move ------------------------------------------------------------------------------------------

  private buildGround() {
    const group = new Group();
    group.position.z = this.z('ground');
    for (const shape of this.run.info.model!.ground?.shapes ?? []) {
      if (!this.planar && shape.type === 'plane') {
        this.addFloor(shape, group);
        continue;
      }
      if (!this.planar && shape.type === 'profile') {
        this.addProfile(shape, group);
        continue;
      }
      const geometry = shapeGeometry(shape, this.planar, this.thickness, this.size);
      if (geometry) group.add(this.mesh(geometry, this.fixed));
    }
    for (const joint of this.joints()) {
      if (!joint.bodies || !joint.points) continue;
      const side = joint.bodies.indexOf('ground');
      if (side < 0) continue;
      const p = joint.points[side]!, at = new Vector3(p[0], p[1], p[2] ?? 0);
      this.addBearing(joint, 'ground', group, this.fixed);
      if (isSlide(joint)) this.addRails(joint, side, group);
      else if (this.planar) this.addSupport(at, group, Math.max(1, (joint.clearance?.bearing_radius ?? 0) / this.bar));
      else group.add(this.mesh(new BoxGeometry(2.4 * this.bar, 2.4 * this.bar, 2.4 * this.bar), this.fixed, at));
    }
    this.root.add(group);
  }

  /** Stairs or a road without end, heights along z: what of it lies around the moving parts, with a line along each edge. */
  private addProfile(shape: Shape, group: Group) {
    const at = new Vector3(...((shape.position ?? [0, 0, 0]) as [number, number, number]));
    const [w, x, y, z] = (shape.orientation ?? [1, 0, 0, 0]) as number[];
    const turn = new Quaternion(x, y, z, w);
    const centre = this.low.clone().add(this.high).multiplyScalar(0.5).sub(at).applyQuaternion(turn.clone().invert());
    const reach = 1.2 * this.size, left = centre.x - reach, right = centre.x + reach;
    const given = shape.points as number[][], first = given[0]!, last = given[given.length - 1]!;
    const line = [[Math.min(left, first[0]!), first[1]!], ...given, [Math.max(right, last[0]!), last[1]!]];
    const faces: number[] = [], edges: number[] = [];
    const [front, back] = [centre.y - reach, centre.y + reach];
    for (let i = 1; i < line.length; ++i) {
      const [a, b] = [line[i - 1]!, line[i]!];
      if (b[0]! < left || a[0]! > right) continue;
      const cut = (x: number) => (b[0]! > a[0]! ? a[1]! + ((x - a[0]!) / (b[0]! - a[0]!)) * (b[1]! - a[1]!) : a[1]!);
      const [p, q] = [a[0]! < left ? [left, cut(left)] : a, b[0]! > right ? [right, cut(right)] : b];
      faces.push(p[0]!, front, p[1]!, q[0]!, front, q[1]!, q[0]!, back, q[1]!);
      faces.push(p[0]!, front, p[1]!, q[0]!, back, q[1]!, p[0]!, back, p[1]!);
      edges.push(p[0]!, front, p[1]!, p[0]!, back, p[1]!, q[0]!, front, q[1]!, q[0]!, back, q[1]!);
      edges.push(p[0]!, front, p[1]!, q[0]!, front, q[1]!, p[0]!, back, p[1]!, q[0]!, back, q[1]!);
    }
    const surface = new BufferGeometry();
    surface.setAttribute('position', new BufferAttribute(new Float32Array(faces), 3));
    surface.computeVertexNormals();
    const ground = this.mesh(surface, this.material('#b7c0ca', 0, 1), at, turn);
    Object.assign(ground.material, { side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const outline = new BufferGeometry();
    outline.setAttribute('position', new BufferAttribute(new Float32Array(edges), 3));
    ground.add(new LineSegments(outline, new LineBasicMaterial({ color: '#5c6670' })));
    group.add(ground);
  }

  /** A plane without end, shown as a square with a grid below what moves. */
  private addFloor(shape: Shape, group: Group) {
    const normal = new Vector3(...((shape.normal ?? [0, 0, 1]) as [number, number, number])).normalize();
    const point = new Vector3(...((shape.point ?? [0, 0, 0]) as [number, number, number]));
    const centre = this.low.clone().add(this.high).multiplyScalar(0.5);
    centre.addScaledVector(normal, -normal.dot(centre.clone().sub(point)));
    const side = 2.4 * this.size, lines: number[] = [];
    for (let i = 0; i <= 24; ++i) {
      const x = (i / 24 - 0.5) * side;
      lines.push(x, -side / 2, 0, x, side / 2, 0, -side / 2, x, 0, side / 2, x, 0);
    }
    const floor = this.mesh(new PlaneGeometry(side, side), this.material('#b7c0ca', 0, 1), centre, turnFromZ(normal));
    (floor.material as MeshStandardMaterial).transparent = true;
    (floor.material as MeshStandardMaterial).opacity = 0.55;
    (floor.material as MeshStandardMaterial).side = DoubleSide;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(lines), 3));
    const grid = new LineSegments(geometry, new LineBasicMaterial({ color: '#7d8996', transparent: true, opacity: 0.5 }));
    grid.position.z = 1e-3 * this.size;
    floor.add(grid);
    group.add(floor);
  }

  private addSupport(at: Vector3, group: Group, scale: number) {
    const w = 2.1 * this.bar * scale, h = 3 * this.bar * scale;
    const feet: (readonly [number, number])[] = [[at.x, at.y], [at.x - w, at.y - h], [at.x + w, at.y - h]];
    group.add(this.mesh(roundedPlate(feet, 0.7 * this.bar * scale, 0.7 * this.thickness), this.fixed));
    group.add(this.mesh(new BoxGeometry(3.6 * w, 0.7 * this.bar, 1.5 * this.thickness), this.fixed, new Vector3(at.x, at.y - h - 0.9 * this.bar * scale, 0)));
  }

  private addRails(joint: Joint, side: number, group: Group) {
    const other = joint.bodies![1 - side]!;
    const axis = new Vector3(joint.axis?.[0] ?? 1, joint.axis?.[1] ?? 0, this.planar ? 0 : joint.axis?.[2] ?? 0).normalize();
    const p = joint.points![side]!, origin = new Vector3(p[0], p[1], p[2] ?? 0), world = new Vector3();
    let low = Infinity, high = -Infinity;
    const rows = this.run.time.length;
    for (let k = 0; k <= 200; ++k) {
      if (!this.poses.point(other, joint.points![1 - side]!, Math.round((k / 200) * (rows - 1)), 0, world)) return;
      const s = world.sub(origin).dot(axis);
      low = Math.min(low, s), high = Math.max(high, s);
    }
    const [length, height] = this.blockSize(joint, this.bearingRadius(other));
    const middle = origin.clone().addScaledVector(axis, 0.5 * (low + high)), total = high - low + 1.25 * length;
    if (!this.planar) {
      group.add(this.mesh(new CylinderGeometry(0.35 * this.bar, 0.35 * this.bar, total, 20), this.fixed, middle,
        new Quaternion().setFromUnitVectors(yAxis, axis)));
      return;
    }
    const gap = joint.clearance?.clearance ?? 0, rail = 0.5 * this.bar;
    const normal = new Vector3(-axis.y, axis.x, 0), angle = Math.atan2(axis.y, axis.x);
    for (const sign of [1, -1]) {
      const at = middle.clone().addScaledVector(normal, sign * (0.5 * height + gap + 0.5 * rail));
      at.z = this.z(other) - this.z('ground');
      group.add(this.mesh(new BoxGeometry(total, rail, 1.3 * this.thickness), this.fixed, at, new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle)));
    }
  }

  // ---- rods and springs --------------------------------------------------------------------------------------------

  private buildSpans() {
    const add = (object: Object3D, bodies: readonly string[], points: number[][]) => {
      if (!bodies.every((body) => this.poses.knows(body))) return;
      this.root.add(object);
      this.spans.push({ object, ends: [[bodies[0]!, points[0]!], [bodies[1]!, points[1]!]], z: Math.max(this.z(bodies[0]!), this.z(bodies[1]!)) });
    };
    for (const joint of this.joints())
      if (joint.type === 'distance' && joint.bodies && joint.points)
        add(this.mesh(new CylinderGeometry(0.4 * this.bar, 0.4 * this.bar, 1, 20), this.metal), joint.bodies, joint.points);
    for (const force of this.run.info.model!.forces ?? [])
      if (/spring/.test(force.type) && force.bodies?.length === 2 && force.points?.length === 2)
        add(this.mesh(coil(0.9 * this.bar, 0.18 * this.bar), this.metal), force.bodies, force.points);
  }

  // ---- forces ------------------------------------------------------------------------------------------------------

  private forceColumns(name: string): Float32Array[] | undefined {
    const columns = (this.planar ? ['fx', 'fy'] : ['fx', 'fy', 'fz']).map((part) => this.run.column(`${name}.${part}`));
    return columns.every((c) => c?.length) ? (columns as Float32Array[]) : undefined;
  }

  private addArrow(group: Group, material: MeshStandardMaterial, force: Float32Array[], origin: Arrow['origin']) {
    const shaft = new Mesh(new CylinderGeometry(1, 1, 1, 16).translate(0, 0.5, 0), material);
    const head = new Mesh(new ConeGeometry(1, 1, 24).translate(0, 0.5, 0), material);
    const object = new Group();
    shaft.renderOrder = head.renderOrder = 10;
    object.add(shaft, head);
    group.add(object);
    this.arrows.push({ object, shaft, head, origin, force });
    for (let row = 0; row < force[0]!.length; ++row)
      this.largestForce = Math.max(this.largestForce, Math.hypot(...force.map((c) => c[row]!)) || 0);
  }

  private buildArrows() {
    const reactionColour = this.material('#2f81f7', 0, 0.6), contactColour = this.material('#f0533c', 0, 0.6);
    for (const material of [reactionColour, contactColour]) {
      material.emissive = material.color.clone().multiplyScalar(0.35);
      // Forces act inside bodies and are to be seen all the same.
      Object.assign(material, { depthTest: false, depthWrite: false, transparent: true });
    }
    const { contacts } = this.run;
    for (const joint of this.joints()) {
      if (!joint.bodies || !joint.points || contacts.includes(joint.name)) continue;
      const force = this.forceColumns(joint.name);
      if (force) this.addArrow(this.forces, reactionColour, force, (row, part, out) => this.poses.point(joint.bodies![1], joint.points![1]!, row, part, out));
    }
    for (const contact of contacts) {
      const force = this.forceColumns(contact), origin = this.contactPoint(contact);
      if (force && origin) this.addArrow(this.contacts, contactColour, force, origin);
    }
  }

  /** Where a contact of a joint with play acts: the bearing's centre, the offset, and the journal's radius beyond. */
  private contactPoint(contact: string): Arrow['origin'] | undefined {
    const vector = (a: string, b: string, c: string) => {
      const columns = [a, b, ...(this.planar ? [] : [c])].map((part) => this.run.column(`${contact}.${part}`));
      return columns.every((x) => x?.length) ? (columns as Float32Array[]) : undefined;
    };
    // Contacts between shapes record their place.
    const place = vector('x', 'y', 'z');
    if (place) return (row, _part, out) => (out.set(place[0]![row]!, place[1]![row]!, place[2]?.[row] ?? 0), true);
    const joint = this.joints().find((j) => contact === j.name || contact.startsWith(j.name + '.'));
    const offset = vector('ex', 'ey', 'ez');
    if (!joint?.bodies || !joint.points || !offset) return undefined;
    const radius = (joint.clearance?.journal_radius as number | undefined) ?? 0;
    const end = contact.endsWith('.1') ? -0.5 : contact.endsWith('.2') ? 0.5 : 0;
    const length = (joint.clearance?.length as number | undefined) ?? 0;
    const axis = this.axisOf(joint, 0), e = new Vector3();
    const local = joint.points[0]!.map((x, k) => x + (this.planar ? 0 : end * length * axis.getComponent(k)));
    return (row, part, out) => {
      if (!this.poses.point(joint.bodies![0], local, row, part, out)) return false;
      e.set(offset[0]![row]!, offset[1]![row]!, offset[2]?.[row] ?? 0);
      const size = e.length();
      out.add(e);
      if (size > 0) out.addScaledVector(e, radius / size);
      return true;
    };
  }

  // ---- trails ------------------------------------------------------------------------------------------------------

  private addTrail(body: string, color: string, index: number) {
    if (index >= 24) return;
    const rows = this.run.time.length, positions = new Float32Array(3 * rows), pose = { p: new Vector3(), q: new Quaternion() };
    // A body that stays in place has nothing to leave behind.
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    for (let row = 0; row < rows; ++row) {
      this.poses.at(body, row, 0, pose);
      low.min(pose.p), high.max(pose.p);
      pose.p.toArray(positions, 3 * row);
      if (this.planar) positions[3 * row + 2] = this.z(body) + 0.75 * this.thickness;
    }
    if (!(high.distanceTo(low) > 1e-3 * this.size)) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    const line = new Line(geometry, new LineBasicMaterial({ color, transparent: true, opacity: 0.75 }));
    line.frustumCulled = false;
    this.trails.add(line);
    this.trailLines.push({ line, body });
  }

  // ---- a moment ----------------------------------------------------------------------------------------------------

  update(t: number, trailSeconds: number) {
    const { row, part } = this.run.locate(t);
    for (const [name, group] of this.bodies) {
      this.poses.at(name, row, part, this.pose);
      group.position.copy(this.pose.p);
      if (this.planar) group.position.z = this.z(name);
      group.quaternion.copy(this.pose.q);
    }
    this.structures.update(t);
    for (const label of this.names) {
      const structure = this.structures.parts.find((one) => one.name === label.body);
      if (structure) label.at.copy(structure.at);
      else this.poses.point(label.body, [0, 0, 0], row, part, label.at);
    }
    const a = new Vector3(), b = new Vector3();
    for (const span of this.spans) {
      this.poses.point(span.ends[0][0], span.ends[0][1], row, part, a);
      this.poses.point(span.ends[1][0], span.ends[1][1], row, part, b);
      if (this.planar) a.z = b.z = span.z;
      span.object.position.copy(a);
      const length = Math.max(a.distanceTo(b), 1e-9 * this.size);
      span.object.quaternion.setFromUnitVectors(yAxis, b.sub(a).normalize());
      if ((span.object as Mesh).geometry instanceof CylinderGeometry) span.object.position.addScaledVector(b, 0.5 * length);
      span.object.scale.set(1, length, 1);
    }
    for (const arrow of this.arrows) this.updateArrow(arrow, row, part);
    const first = this.run.locate(t - trailSeconds).row;
    for (const { line } of this.trailLines) line.geometry.setDrawRange(first, Math.max(0, row - first + 1));
  }

  /** Lengths grow with the root of the force: a peak and what holds the mechanism together are both seen. */
  private updateArrow(arrow: Arrow, row: number, part: number) {
    const next = Math.min(row + 1, arrow.force[0]!.length - 1);
    const f = new Vector3(), at = new Vector3();
    arrow.force.forEach((c, k) => f.setComponent(k, c[row]! + part * (c[next]! - c[row]!)));
    const size = f.length();
    const length = this.largestForce > 0 ? 0.3 * this.size * Math.sqrt(size / this.largestForce) : 0;
    arrow.object.visible = isFinite(length) && length > 0.01 * this.size && arrow.origin(row, part, at);
    if (!arrow.object.visible) return;
    if (this.planar) at.z = 2.6 * this.thickness;
    arrow.object.position.copy(at);
    arrow.object.quaternion.setFromUnitVectors(yAxis, f.divideScalar(size));
    const head = Math.min(0.45 * length, 2.6 * this.bar), width = 0.3 * this.bar;
    arrow.shaft.scale.set(width, length - head, width);
    arrow.head.scale.set(0.36 * head, head, 0.36 * head);
    arrow.head.position.y = length - head;
  }
}
