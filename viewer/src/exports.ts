/* The exported files of the page. CSV and JSON use the columns and names of `graze check`. */
import { partnerCounts } from './crowding';
import type { Frame, Json, PageRecord, SceneObject } from './record';
import { isEntire, type Vector, vertexOf } from './record';
import { primitiveTriangles } from './surface';

/* Returns pair numbers in the order of `graze check`: by objects and primitives. */
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

export function pairsAsCsv({ solid }: PageRecord, frame: Frame): string {
  const near = frame.distances;
  const lines = ['object_a,primitive_a,object_b,primitive_b' + (near === null ? '' : ',distance') + (solid ? ',relation' : '')];
  for (const pair of sortedPairs(frame))
    lines.push(frame.pairs.subarray(4 * pair, 4 * pair + 4).join(',') + (near === null ? '' : ',' + near[7 * pair]) + (solid ? ',intersects' : ''));
  if (solid)
    for (const one of frame.containments) lines.push(one.inner + ',,' + one.outer + ',,' + (isEntire(one) ? 'inside' : 'partly_inside'));
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
    ...(record.solid && {
      containments: frame.containments.map((one) =>
        ({ inner: one.inner, outer: one.outer, inside_primitives: one.insideCount, primitives: one.primitiveCount, entirely: isEntire(one) })),
    }),
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

/* Returns the objects that have primitives in a pair, with these primitives in ascending order. Spheres are omitted
 * because they have no faces. */
function involvedOf(frame: Frame): { object: SceneObject; index: number; primitives: number[] }[] {
  const counts = partnerCounts(frame);
  return frame.objects
    .map((object, index) => ({ object, index, primitives: [...counts[index].keys()].filter((primitive) => counts[index][primitive] > 0) }))
    .filter(({ object, primitives }) => primitives.length > 0 && object.kind !== 'sphere');
}

/* Writes one group per object, each with its own name. Spheres are omitted because OBJ has none. */
export function involvedAsObj(frame: Frame): string {
  const lines = ['# primitives that are in a pair'];
  const names = new Set<string>();
  let count = 0;
  for (const { object, index, primitives } of involvedOf(frame)) {
    let name = object.label.replace(/\s+/g, '_');
    while (names.has(name)) name += '_' + index;
    names.add(name);
    lines.push('g ' + name);
    const numbers = new Map<number, number>();
    const at: Vector = [0, 0, 0];
    for (const primitive of primitives) {
      const corners = primitiveTriangles(object, primitive);
      for (const corner of corners) {
        if (numbers.has(corner)) continue;
        numbers.set(corner, ++count);
        lines.push('v ' + vertexOf(object, corner, at).join(' '));
      }
      for (let i = 0; i < corners.length; i += 3)
        lines.push('f ' + [0, 1, 2].map((k) => numbers.get(corners[i + k])).join(' '));
    }
  }
  return lines.join('\n') + '\n';
}

function csvText(value: unknown): string {
  const text = String(value);
  return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

/* Writes the same primitives as PLY, which has no groups: each face stores the numbers of its object and primitive. */
export function involvedAsPly(frame: Frame): string {
  const vertices: string[] = [], faces: string[] = [];
  const at: Vector = [0, 0, 0];
  for (const { object, index, primitives } of involvedOf(frame)) {
    const numbers = new Map<number, number>();
    for (const primitive of primitives) {
      const corners = primitiveTriangles(object, primitive);
      for (const corner of corners) {
        if (numbers.has(corner)) continue;
        numbers.set(corner, vertices.length);
        vertices.push(vertexOf(object, corner, at).join(' '));
      }
      for (let i = 0; i < corners.length; i += 3)
        faces.push('3 ' + [0, 1, 2].map((k) => numbers.get(corners[i + k])).join(' ') + ' ' + index + ' ' + primitive);
    }
  }
  const names = frame.objects.map((object, index) => 'comment object ' + index + ' is ' + object.label.replace(/[^\x20-\x7e]+/g, '_'));
  return ['ply', 'format ascii 1.0', 'comment primitives that are in a pair', ...names,
    'element vertex ' + vertices.length, ...['x', 'y', 'z'].map((axis) => 'property double ' + axis),
    'element face ' + faces.length, 'property list uchar int vertex_indices', 'property int object', 'property int primitive', 'end_header',
    ...vertices, ...faces].join('\n') + '\n';
}

/* Writes rows that have the same members. Members that are lists or objects appear only in the JSON. */
export function rowsAsCsv(rows: Json[]): string {
  const names = Object.keys(rows[0] ?? {}).filter((name) => typeof rows[0][name] !== 'object');
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(csvText).join(',')).join('\n') + '\n';
}

export function recordAsJson(record: PageRecord): string {
  return JSON.stringify(record.result, null, 1) + '\n';
}

export function crowdingAsCsv(frame: Frame): string {
  const { k, neighbors } = frame.crowding!;
  return 'primitive,k,neighbors\n' + Array.from(k, (value, primitive) => primitive + ',' + value + ',' + neighbors[primitive]).join('\n') + '\n';
}

/* Writes the spheres in the order of the packing, like `graze pack --output`. */
export function spheresAsCsv(frame: Frame): string {
  const rows: string[] = [];
  for (const object of frame.objects)
    object.numbers?.forEach((number, i) => {
      rows[number] = [...object.positions.subarray(3 * i, 3 * i + 3), object.radii![i]].join(',');
    });
  return 'x,y,z,radius\n' + rows.join('\n') + '\n';
}

/* Returns the page with the state embedded. Generated elements are omitted, because the script creates them again. */
export function savedPage(state: object): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  copy.querySelector('#app')!.replaceChildren();
  copy.querySelector('title')!.textContent = 'graze';
  delete copy.dataset.ready;
  copy.querySelector('#graze-state')!.textContent = JSON.stringify(state).replace(/</g, '\\u003c');
  return '<!doctype html>\n' + copy.outerHTML + '\n';
}
