/* Draws the boxes of a search structure as lines, with eight corners each, relative to the center of the scene.
 *
 * Workload: up to 20,000 boxes, rebuilt after each query while the layer is on. */
import * as THREE from 'three';
import type { EngineStructure } from '../engine/engine';
import { structureColor } from './palette';
import type { Vector } from './record';

export const MOST_BOXES = 20000;

export interface BoxLines {
  corners: Float32Array; /* 24 a box */
  colors: Float32Array; /* as many */
}

/* The two corners of an edge differ in one bit. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/* `places` are the poses of objects, three rows of four, applied to boxes that precede the pose. Boxes that single
 * precision cannot represent are omitted. */
export function boxLines(structure: EngineStructure, colorNumbers: ArrayLike<number>, places: number[][], center: Vector): BoxLines {
  const count = structure.levels.length;
  const corners = new Float32Array(24 * count), colors = new Float32Array(24 * count);
  const color = new THREE.Color();
  let kept = 0;
  for (let i = 0; i < count; ++i) {
    const box = structure.boxes.subarray(6 * i, 6 * i + 6), place = places[structure.objects[i]];
    color.set(structureColor(colorNumbers[i]));
    for (let corner = 0; corner < 8; ++corner) {
      const at = [0, 1, 2].map((axis) => box[axis + 3 * ((corner >> axis) & 1)]);
      for (let axis = 0; axis < 3; ++axis) {
        const row = 4 * axis;
        const moved = place === undefined ? at[axis] : place[row] * at[0] + place[row + 1] * at[1] + place[row + 2] * at[2] + place[row + 3];
        corners[24 * kept + 3 * corner + axis] = moved - center[axis];
      }
      color.toArray(colors, 24 * kept + 3 * corner);
    }
    if (corners.subarray(24 * kept, 24 * kept + 24).every(Number.isFinite)) ++kept;
  }
  return { corners: corners.subarray(0, 24 * kept), colors: colors.subarray(0, 24 * kept) };
}

export class StructureBoxes {
  readonly lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true }));

  constructor() {
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }

  show(boxes: BoxLines | null): void {
    const count = boxes === null ? 0 : boxes.corners.length / 24;
    this.lines.geometry.dispose();
    this.lines.visible = count > 0;
    if (boxes === null || count === 0) return;
    const index = new Uint32Array(24 * count);
    for (let i = 0; i < index.length; ++i) index[i] = 8 * Math.floor(i / 24) + EDGES[i % 24];
    this.lines.geometry = new THREE.BufferGeometry();
    this.lines.geometry.setAttribute('position', new THREE.BufferAttribute(boxes.corners, 3));
    this.lines.geometry.setAttribute('color', new THREE.BufferAttribute(boxes.colors, 3));
    this.lines.geometry.setIndex(new THREE.BufferAttribute(index, 1));
  }

  setPlanes(planes: THREE.Plane[]): void {
    this.lines.material.clippingPlanes = planes;
  }
}
