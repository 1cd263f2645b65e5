/* Histograms of k and of the number of partners, and the choice of the crowded primitives. */
import type { Crowding, Frame, Json } from './record';

const CROWDED_PART = 0.01;

/* Returns the smallest k of the crowded primitives. They have the largest value of k, and lower values as long as they
 * are at most CROWDED_PART of all. Infinity if more than half of all primitives have the largest value. */
export function crowdedFrom(crowding: Crowding): number {
  const counts: number[] = [];
  for (const k of crowding.k) counts[k] = (counts[k] ?? 0) + 1;
  let from = counts.length - 1, sum = counts[from] ?? 0;
  if (sum === 0 || sum > crowding.k.length / 2) return Infinity;
  while (from > 1 && sum + (counts[from - 1] ?? 0) <= CROWDED_PART * crowding.k.length) sum += counts[--from] ?? 0;
  return from;
}

export function markCrowded(crowding: Crowding, marks: Uint8Array): void {
  const from = crowdedFrom(crowding);
  crowding.k.forEach((k, primitive) => {
    if (k >= from) marks[primitive] = 1;
  });
}

/* Returns the number of partners of each primitive of each object. */
export function partnerCounts(frame: Frame): Uint32Array[] {
  const counts = frame.objects.map((object) => new Uint32Array(object.primitiveCount));
  for (let i = 0; i < frame.pairs.length; i += 2) ++counts[frame.pairs[i]][frame.pairs[i + 1]];
  return counts;
}

export interface Bin {
  low: number;
  high: number; /* inclusive, like low */
  count: number;
}

/* Makes one bin per value if there are at most `most` values, otherwise bins of equal width. Zeros are ignored. */
export function binsOf(values: Uint32Array[], most: number): Bin[] {
  let low = Infinity, high = 0;
  for (const list of values)
    for (const value of list) {
      if (value === 0) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (high === 0) return [];
  const width = Math.ceil((high - low + 1) / most);
  const bins = Array.from({ length: Math.ceil((high - low + 1) / width) }, (_, i) => ({
    low: low + i * width, high: Math.min(high, low + (i + 1) * width - 1), count: 0,
  }));
  for (const list of values) for (const value of list) if (value > 0) ++bins[Math.floor((value - low) / width)].count;
  return bins;
}

/* Returns the primitives of a bin, in ascending order for each object. */
export function primitivesIn(values: ArrayLike<number>[], bin: Bin): { object: number; primitives: number[] }[] {
  return values.map((list, object) => {
    const primitives: number[] = [];
    for (let i = 0; i < list.length; ++i) if (list[i] >= bin.low && list[i] <= bin.high) primitives.push(i);
    return { object, primitives };
  });
}

export interface CrowdedPrimitive {
  primitive: number;
  k: number;
  neighbors: number;
}

export function mostCrowded(result: Json): CrowdedPrimitive[] {
  return (result.files[0].worst as [number, number, number][]).map(([primitive, k, neighbors]) => ({ primitive, k, neighbors }));
}

