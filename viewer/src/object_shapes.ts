/* The three.js meshes of a frame: the surface of each object, over it the primitives in a pair, and over these the
 * primitives of the selected clash.
 *
 * Workload: up to thousands of objects and a few million triangles. Coordinates are made relative to the center of the
 * scene before they are rounded to single precision. */
import * as THREE from 'three';
import { chosenColor, markColor, objectColor } from './palette';
import { markCrowded } from './crowding';
import { type Clash, type Frame, type SceneObject, type Vector, vertexOf } from './record';
import { primitiveTriangles, type Surface, surfaceOf } from './surface';

export type Mode = 'shaded' | 'xray' | 'wireframe';

export type Selection = { object: number; primitives: number[] }[];

export interface Hit {
  object: number;
  primitive: number;
  point: THREE.Vector3; /* relative to the center */
}

const SPHERES_DETAILED = 2000;
const XRAY_OPACITY = 0.16;

interface ObjectShape {
  base: THREE.Mesh | THREE.InstancedMesh;
  marks: THREE.Mesh | THREE.InstancedMesh | null;
  material: THREE.MeshLambertMaterial;
}

function ballGeometry(count: number): THREE.BufferGeometry {
  return new THREE.IcosahedronGeometry(1, count > SPHERES_DETAILED ? 1 : 3);
}

/* An instanced mesh owns a buffer of matrices besides its geometry. */
export function releaseBuffers(mesh: THREE.Mesh): void {
  mesh.geometry.dispose();
  if (mesh instanceof THREE.InstancedMesh) mesh.dispose();
}

function dispose(mesh: THREE.Mesh): void {
  releaseBuffers(mesh);
  (mesh.material as THREE.Material).dispose();
}

/* Returns a mesh with the arrays and the material of another, whose buffers can be released on their own. */
function sharing(mesh: THREE.Mesh | THREE.InstancedMesh): THREE.Mesh {
  const geometry = new THREE.BufferGeometry();
  geometry.attributes = { ...mesh.geometry.attributes };
  geometry.index = mesh.geometry.index;
  let made = new THREE.Mesh(geometry, mesh.material);
  if (mesh instanceof THREE.InstancedMesh) {
    const balls = new THREE.InstancedMesh(geometry, mesh.material, 0);
    balls.instanceMatrix = mesh.instanceMatrix;
    balls.count = mesh.count;
    made = balls;
  }
  made.position.copy(mesh.position);
  return made;
}

export class ObjectShapes {
  readonly group = new THREE.Group();
  readonly chosen = new THREE.Group();
  private shapes: ObjectShape[] = [];
  private readonly surfaces = new WeakMap<object, { of: SceneObject; surface: Surface }[]>();
  private hidden = new Set<number>();
  private mode: Mode = 'shaded';
  private planes: THREE.Plane[] = [];
  private frame: Frame | null = null;

  constructor(public center: Vector) {}

  show(frame: Frame): void {
    this.clear();
    this.frame = frame;
    const marked = this.markedPrimitives(frame);
    frame.objects.forEach((object, index) => {
      const shape = this.makeShape(object, index, marked[index]);
      this.shapes.push(shape);
      this.group.add(shape.base);
      if (shape.marks !== null) this.group.add(shape.marks);
    });
    this.restyle();
  }

  /* Shows the same objects with new poses and pairs; the meshes of the objects are moved, not rebuilt. */
  update(frame: Frame): void {
    const marked = this.markedPrimitives(frame);
    frame.objects.forEach((object, index) => {
      const shape = this.shapes[index];
      if (shape.marks !== null) this.remove(shape.marks);
      shape.marks = this.makeMarks(object, marked[index], markColor, -2);
      if (shape.marks !== null) {
        shape.marks.userData.object = index;
        this.group.add(shape.marks);
      }
      const from = shape.base.userData.pose as number[] | null, to = object.pose;
      const shift = [3, 7, 11].map((i) => (to === null ? 0 : to[i]) - (from === null ? 0 : from[i]));
      shape.base.position.set(shift[0], shift[1], shift[2]);
      shape.base.updateMatrixWorld();
    });
    this.frame = frame;
    this.choose(null);
    this.restyle();
  }

  private remove(mesh: THREE.Mesh | THREE.InstancedMesh): void {
    this.group.remove(mesh);
    dispose(mesh);
  }

  choose(clash: Clash | null): void {
    this.select(clash === null || this.frame === null ? [] : this.selectionOf(this.frame, clash));
  }

  private selectionOf({ pairs }: Frame, clash: Clash): Selection {
    const primitives = [new Set<number>(), new Set<number>()];
    for (let i = clash.firstPair; i < clash.firstPair + clash.pairCount; ++i) {
      primitives[0].add(pairs[4 * i + 1]);
      primitives[clash.a === clash.b ? 0 : 1].add(pairs[4 * i + 3]);
    }
    return [clash.a, clash.b].map((object, side) => ({ object, primitives: [...primitives[side]].sort((a, b) => a - b) }));
  }

  /* Draws primitives as selected; those of each object are in ascending order. */
  select(chosen: Selection): void {
    this.release(this.chosen);
    for (const mesh of this.makeChosen(chosen)) this.chosen.add(mesh);
    this.restyle();
  }

  private makeChosen(chosen: Selection): THREE.Mesh[] {
    return chosen.flatMap(({ object, primitives }) => {
      const mesh = this.makeMarks(this.frame!.objects[object], primitives, chosenColor, -4);
      if (mesh === null) return [];
      mesh.userData.object = object;
      return [mesh];
    });
  }

  /* Returns some objects with a clash selected, to be drawn elsewhere. Pass each to `releaseBuffers` afterwards. */
  copyOf(objects: number[], clash: Clash): THREE.Mesh[] {
    const shapes = [...new Set(objects)].map((index) => this.shapes[index]);
    return [...shapes.flatMap(({ base, marks }) => (marks === null ? [base] : [base, marks])).map(sharing),
      ...this.makeChosen(this.selectionOf(this.frame!, clash))];
  }

  setMode(mode: Mode): void {
    this.mode = mode;
    this.restyle();
  }

  setPlanes(planes: THREE.Plane[]): void {
    this.planes = planes;
    this.restyle();
  }

  setHidden(objects: Set<number>): void {
    this.hidden = objects;
    this.restyle();
  }

  /* Returns the nearest visible primitive on a ray; one of an object that is always transparent only if there is no
   * other. */
  pick(ray: THREE.Raycaster): Hit | null {
    const targets = [...this.group.children, ...this.chosen.children].filter((child) => child.visible);
    let transparent: Hit | null = null;
    for (const hit of ray.intersectObjects(targets, false)) {
      if (this.planes.some((plane) => plane.distanceToPoint(hit.point) < 0)) continue;
      const { object, primitives } = hit.object.userData as { object: number; primitives: ArrayLike<number> | null };
      const place = hit.instanceId ?? hit.faceIndex ?? 0;
      const found = { object, primitive: primitives === null ? place : primitives[place], point: hit.point };
      if (this.frame!.objects[object].ghost !== true || hit.object !== this.shapes[object].base) return found;
      transparent ??= found;
    }
    return transparent;
  }

  clear(): void {
    this.release(this.group);
    this.release(this.chosen);
    this.shapes = [];
  }

  private release(group: THREE.Group): void {
    for (const child of group.children as THREE.Mesh[]) dispose(child);
    group.clear();
  }

  private markedPrimitives(frame: Frame): number[][] {
    const marks = frame.objects.map((object) => new Uint8Array(object.primitiveCount));
    for (let i = 0; i < frame.pairs.length; i += 2) marks[frame.pairs[i]][frame.pairs[i + 1]] = 1;
    if (frame.crowding !== null) markCrowded(frame.crowding, marks[0]);
    return marks.map((mark) => {
      const list: number[] = [];
      for (let i = 0; i < mark.length; ++i) if (mark[i] !== 0) list.push(i);
      return list;
    });
  }

  /* Applies the pose and subtracts the center. */
  private place(object: SceneObject, vertex: number, out: Vector): Vector {
    vertexOf(object, vertex, out);
    for (let axis = 0; axis < 3; ++axis) out[axis] -= this.center[axis];
    return out;
  }

  private makeShape(object: SceneObject, index: number, marked: number[]): ObjectShape {
    const material = new THREE.MeshLambertMaterial({ color: object.color ?? objectColor(index), flatShading: true, side: THREE.DoubleSide });
    const base = object.kind === 'sphere' ? this.makeBalls(object, null, material) : this.makeSurface(object, material);
    base.userData.object = index;
    base.userData.pose = object.pose;
    const marks = this.makeMarks(object, marked, markColor, -2);
    if (marks !== null) marks.userData.object = index;
    return { base, marks, material };
  }

  /* Solids with the same lists share a surface, which takes long to find. A record stores equal lists once, so one equal
   * list is not enough. */
  private surface(object: SceneObject): Surface {
    const key = object.tetrahedra ?? object.faceCorners;
    if (key === undefined) return surfaceOf(object);
    const known = this.surfaces.get(key) ?? [];
    const isSame = (of: SceneObject) => of.kind === object.kind && of.cellFirst === object.cellFirst && of.faceFirst === object.faceFirst;
    let found = known.find(({ of }) => isSame(of));
    if (found === undefined) this.surfaces.set(key, [...known, (found = { of: object, surface: surfaceOf(object) })]);
    return found.surface;
  }

  private makeSurface(object: SceneObject, material: THREE.Material): THREE.Mesh {
    const surface = this.surface(object);
    const count = object.positions.length / 3;
    const places = new Float32Array(3 * count);
    const at: Vector = [0, 0, 0];
    for (let vertex = 0; vertex < count; ++vertex) places.set(this.place(object, vertex, at), 3 * vertex);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setIndex(new THREE.BufferAttribute(surface.triangles, 1));
    const mesh = new THREE.Mesh(geometry, material);
    mesh.userData.primitives = surface.primitiveOf;
    return mesh;
  }

  /* Makes all spheres of an object, or the listed ones as marks, which are slightly larger. */
  private makeBalls(object: SceneObject, listed: number[] | null, material: THREE.Material): THREE.InstancedMesh {
    const count = listed === null ? object.primitiveCount : listed.length;
    const mesh = new THREE.InstancedMesh(ballGeometry(count), material, count);
    const matrix = new THREE.Matrix4();
    const at: Vector = [0, 0, 0];
    for (let i = 0; i < count; ++i) {
      const primitive = listed === null ? i : listed[i];
      const radius = object.radii![primitive] * (listed === null ? 1 : 1.003);
      this.place(object, primitive, at);
      mesh.setMatrixAt(i, matrix.makeScale(radius, radius, radius).setPosition(at[0], at[1], at[2]));
    }
    mesh.userData.primitives = listed;
    return mesh;
  }

  private makeMarks(object: SceneObject, primitives: number[], color: string, offset: number): THREE.Mesh | null {
    if (primitives.length === 0) return null;
    const material = new THREE.MeshLambertMaterial({
      color, flatShading: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: offset, polygonOffsetUnits: offset,
    });
    if (object.kind === 'sphere') return this.makeBalls(object, primitives, material);
    const places: number[] = [], primitiveOf: number[] = [];
    const at: Vector = [0, 0, 0];
    for (const primitive of primitives) {
      const corners = primitiveTriangles(object, primitive);
      for (const corner of corners) places.push(...this.place(object, corner, at));
      for (let i = 0; i < corners.length / 3; ++i) primitiveOf.push(primitive);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(places), 3));
    const mesh = new THREE.Mesh(geometry, material);
    mesh.userData.primitives = primitiveOf;
    return mesh;
  }

  private restyle(): void {
    this.shapes.forEach((shape, index) => {
      const shown = !this.hidden.has(index);
      const seeThrough = this.mode === 'xray' || this.frame?.objects[index].ghost === true;
      shape.base.visible = shown;
      shape.material.transparent = seeThrough;
      shape.material.opacity = seeThrough ? XRAY_OPACITY : 1;
      shape.material.depthWrite = !seeThrough;
      shape.material.wireframe = this.mode === 'wireframe';
      shape.material.clippingPlanes = this.planes;
      shape.material.needsUpdate = true;
      if (shape.marks === null) return;
      shape.marks.visible = shown;
      (shape.marks.material as THREE.Material).clippingPlanes = this.planes;
    });
    for (const mesh of this.chosen.children as THREE.Mesh[]) {
      const index = mesh.userData.object as number;
      mesh.visible = !this.hidden.has(index);
      (mesh.material as THREE.Material).clippingPlanes = this.planes;
    }
  }
}
