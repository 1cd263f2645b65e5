/* Packings: divides the spheres into levels, one object per level, and computes the filled share as spheres are added. */
import { levelColor } from './palette';
import type { Frame, SceneObject } from './record';
import { measured } from './words';

/* Level 0 contains the largest sphere; the radii of each level range down to half of those of the previous level. */
function levelsOf(radii: ArrayLike<number>): number[][] {
  let largest = 0;
  for (let i = 0; i < radii.length; ++i) largest = Math.max(largest, radii[i]);
  const levels: number[][] = [];
  for (let i = 0; i < radii.length; ++i) {
    const level = radii[i] > 0 ? Math.max(0, Math.ceil(Math.log2(largest / radii[i])) - 1) : 0;
    (levels[level] ??= []).push(i);
  }
  return levels.filter((level) => level !== undefined);
}

function levelObject(spheres: SceneObject, numbers: number[], color: string): SceneObject {
  const positions = new Float64Array(3 * numbers.length), radii = new Float64Array(numbers.length);
  numbers.forEach((number, i) => {
    for (let axis = 0; axis < 3; ++axis) positions[3 * i + axis] = spheres.positions[3 * number + axis];
    radii[i] = spheres.radii![number];
  });
  const sorted = Array.from(radii).sort((a, b) => a - b);
  return {
    ...spheres, label: 'radius ' + measured(sorted[0], 3) + ' to ' + measured(sorted[sorted.length - 1], 3),
    primitiveCount: numbers.length, positions, radii, numbers: Uint32Array.from(numbers), color,
  };
}

/* Replaces the spheres of a frame by one object per level. */
export function frameByLevels(frame: Frame): Frame {
  const [body, spheres] = frame.objects;
  const levels = levelsOf(spheres.radii!);
  return {
    ...frame, objects: [{ ...body, ghost: true }, ...levels.map((numbers, level) => levelObject(spheres, numbers, levelColor(level, levels.length)))],
  };
}

/* Returns the share of a volume that the first i spheres fill, for i from 0 to the number of spheres. */
export function fillingOf(frame: Frame, volume: number): Float64Array {
  const radii = frame.objects[1].radii!;
  const filled = new Float64Array(radii.length + 1);
  for (let i = 0; i < radii.length; ++i) filled[i + 1] = filled[i] + ((4 / 3) * Math.PI * radii[i] ** 3) / volume;
  return filled;
}
