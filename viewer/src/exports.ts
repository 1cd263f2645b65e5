/* What leaves the page as a file. CSV and JSON have the columns and names of `graze check`. */
import type { Frame, PageRecord } from './record';
import { type Vector, vertexOf } from './record';
import { primitiveTriangles } from './surface';

/* Pair numbers in the order of `graze check`: by objects and primitives. */
function sortedPairs(frame: Frame): number[] {
  const pairs = frame.pairs;
  const order = Array.from({ length: pairs.length / 4 }, (_, i) => i);
  return order.sort((a, b) => {
    for (let k = 0; k < 4; ++k) {
      const [left, right] = [pairs[4 * a + k], pairs[4 * b + k]];
      if (left !== right) return left - right;
    }
    return 0;
  });
}

export function pairsAsCsv(frame: Frame): string {
  const near = frame.distances;
  const lines = ['object_a,primitive_a,object_b,primitive_b' + (near === null ? '' : ',distance')];
  for (const pair of sortedPairs(frame))
    lines.push(frame.pairs.subarray(4 * pair, 4 * pair + 4).join(',') + (near === null ? '' : ',' + near[7 * pair]));
  return lines.join('\n') + '\n';
}

export function clashesAsJson(record: PageRecord, frame: Frame): string {
  const pairs = frame.pairs;
  return JSON.stringify({
    graze: record.version,
    record: 'clashes',
    title: record.title,
    frame: frame.name,
    hash: frame.hash,
    pair_count: pairs.length / 4,
    objects: frame.objects.map((object) => ({ name: object.label, kind: object.kind, primitives: object.primitiveCount })),
    clashes: frame.clashes.map((clash) => ({
      object_a: clash.a,
      object_b: clash.b,
      clash: clash.kind,
      id: clash.id,
      pairs: clash.pairCount,
      min: clash.low,
      max: clash.high,
      depth: clash.depth,
      distance: clash.distance,
      pair_list: Array.from({ length: clash.pairCount }, (_, i) => {
        const pair = clash.firstPair + i;
        return [pairs[4 * pair + 1], pairs[4 * pair + 3]];
      }),
    })),
  }, null, 1) + '\n';
}

/* One group for each object; spheres, which OBJ lacks, are left out. */
export function involvedAsObj(frame: Frame): string {
  const lines = ['# primitives that are in a pair'];
  let count = 0;
  frame.objects.forEach((object, index) => {
    const involved = new Set<number>();
    for (let i = 0; i < frame.pairs.length; i += 2) if (frame.pairs[i] === index) involved.add(frame.pairs[i + 1]);
    if (involved.size === 0 || object.kind === 'sphere') return;
    lines.push('g ' + object.label.replace(/\s+/g, '_'));
    const numbers = new Map<number, number>();
    const at: Vector = [0, 0, 0];
    for (const primitive of [...involved].sort((a, b) => a - b)) {
      const corners = primitiveTriangles(object, primitive);
      for (const corner of corners) {
        if (numbers.has(corner)) continue;
        numbers.set(corner, ++count);
        lines.push('v ' + vertexOf(object, corner, at).join(' '));
      }
      for (let i = 0; i < corners.length; i += 3)
        lines.push('f ' + [0, 1, 2].map((k) => numbers.get(corners[i + k])).join(' '));
    }
  });
  return lines.join('\n') + '\n';
}

/* The page with a state in it; what the program has made is left out, as it makes it again. */
export function savedPage(state: object): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  copy.querySelector('#app')!.replaceChildren();
  copy.querySelector('#graze-state')!.textContent = JSON.stringify(state).replace(/</g, '\\u003c');
  return '<!doctype html>\n' + copy.outerHTML + '\n';
}
