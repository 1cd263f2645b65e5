/* Clashes as a BCF 2.1 archive (buildingSMART: markup.xsd, visinfo.xsd, version.xsd): one topic for each pair of objects
 * that intersect, and for each object inside another.
 * Ids and texts equal those of `graze check --bcf` (cli/check_bcf.c, cli/bcf_topic.c), so either archive updates the
 * topics of the other. */
import type { Clash, Containment, Frame, PageRecord, SceneObject, Vector } from './record';
import { counted, grouped } from './words';
import { ZIP_ENTRIES, zipOf, type ZipEntry } from './zip';

/* An orthographic camera: `height` is the height of the visible region. */
export interface BcfView {
  eye: Vector;
  direction: Vector;
  up: Vector;
  height: number;
  png: Uint8Array | null;
}

/* The clashes of two objects, or of one object with itself if a equals b; or object a inside b. */
export interface BcfSubject {
  a: number;
  b: number;
  clashes: Clash[];
  inside?: Containment;
}

/* Rendering a snapshot is slow, so only this many topics get one, those with the most pairs. */
export const SNAPSHOTS = 100;

const LINES_SHOWN = 20, FILES_OF_TOPIC = 3;
const TOPICS_MOST = Math.floor((ZIP_ENTRIES - 1) / FILES_OF_TOPIC);

export function subjectsOf(clashes: Clash[]): BcfSubject[] {
  const subjects: BcfSubject[] = [];
  for (const clash of clashes) {
    const { a, b, inside } = clash, last = subjects[subjects.length - 1];
    if (last !== undefined && last.a === a && last.b === b && last.inside === inside) last.clashes.push(clash);
    else subjects.push({ a, b, clashes: [clash], inside });
  }
  return subjects;
}

/* Returns why the subjects cannot be exported; '' if they can. */
export function bcfTrouble(frame: Frame, subjects: BcfSubject[]): string {
  if (frame.kinds === null && frame.pairs.length > 0) return 'The pairs of this scene are not grouped into clashes, which BCF needs.';
  if (subjects.length === 0) return 'There are no clashes to export.';
  const count = subjects.length;
  return count > TOPICS_MOST ? `BCF holds at most ${grouped(TOPICS_MOST)} topics, but ${counted(count, 'pair')} of objects intersect.` : '';
}

function pairCountOf(subject: BcfSubject): number {
  return subject.clashes.reduce((sum, clash) => sum + clash.pairCount, 0);
}

function chooseSnapshots(subjects: BcfSubject[]): Set<BcfSubject> {
  const counts = new Map(subjects.map((subject) => [subject, pairCountOf(subject)]));
  return new Set([...subjects].sort((a, b) => counts.get(b)! - counts.get(a)!).slice(0, SNAPSHOTS));
}

/* ------------------------------------------------------------------------------------------------ ids */

const MASK = (1n << 64n) - 1n;

function hashWords(words: string[], start: bigint): bigint {
  let hash = start;
  for (const word of words)
    for (const byte of [...new TextEncoder().encode(word), 0]) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  hash = ((hash ^ (hash >> 32n)) * 0x9e3779b97f4a7c15n) & MASK;
  return hash ^ (hash >> 32n);
}

export function guidOf(words: string[]): string {
  const high = hashWords(words, 0xcbf29ce484222325n), low = hashWords(words, 0x9e3779b97f4a7c15n);
  const text = (value: bigint, digits: number) => value.toString(16).padStart(digits, '0');
  return [text(high >> 32n, 8), text((high >> 16n) & 0xffffn, 4), '8' + text(high & 0xfffn, 3),
    text(0x8000n | ((low >> 48n) & 0x3fffn), 4), text(low & 0xffffffffffffn, 12)].join('-');
}

/* Numbers objects that have the same label, in the order of their labels with folders, to distinguish them. */
function numbersOf(objects: SceneObject[]): { number: string; repeats: boolean }[] {
  const counts = new Map<string, number>(), numbers: number[] = [];
  const order = objects.map((_, i) => i).sort((i, j) => comesBefore(objects[i].label, objects[j].label) || i - j);
  for (const i of order) {
    numbers[i] = counts.get(objects[i].bcfLabel) ?? 0;
    counts.set(objects[i].bcfLabel, numbers[i] + 1);
  }
  return objects.map(({ bcfLabel }, i) => ({ number: String(numbers[i]), repeats: counts.get(bcfLabel)! > 1 }));
}

/* Compares by code points, which is the byte order of strcmp for UTF-8. */
function comesBefore(a: string, b: string): number {
  const left = [...a].map((c) => c.codePointAt(0)!), right = [...b].map((c) => c.codePointAt(0)!);
  for (let i = 0; i < Math.min(left.length, right.length); ++i) if (left[i] !== right[i]) return left[i] - right[i];
  return left.length - right.length;
}

/* ------------------------------------------------------------------------------------------------ XML */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

function escaped(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd').replace(/&/g, '&amp;').replace(/</g, '&lt;')
    .replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

function tag(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>\n`;
}

function vector(name: string, [x, y, z]: Vector): string {
  return `<${name}><X>${x}</X><Y>${y}</Y><Z>${z}</Z></${name}>\n`;
}

function component(id: string): string {
  if (/^[0-3][0-9A-Za-z_$]{21}$/.test(id)) return `<Component IfcGuid="${id}"/>\n`;
  return '<Component>\n' + tag('OriginatingSystem', 'graze') + tag('AuthoringToolId', id) + '</Component>\n';
}

/* ------------------------------------------------------------------------------------------------ topics */

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function describe(subject: BcfSubject): string {
  if (subject.inside !== undefined) return `${subject.inside.insideCount} of ${subject.inside.primitiveCount} primitives lie inside.`;
  const lines = subject.clashes.slice(0, LINES_SHOWN).map((clash) => {
    const middle = clash.low.map((low, axis) => short((low + clash.high[axis]) / 2)).join(', ');
    return `\n${clash.kind}, ${counted(clash.pairCount, 'pair')}, near (${middle})` + (clash.depth === null ? '' : ', depth ' + short(clash.depth));
  });
  const more = subject.clashes.length > LINES_SHOWN ? `\nand ${subject.clashes.length - LINES_SHOWN} more` : '';
  return `${counted(subject.clashes.length, 'clash', 'clashes')} in ${counted(pairCountOf(subject), 'pair')} of primitives.${lines.join('')}${more}`;
}

function labelOf(subject: BcfSubject, words: string[]): string {
  if (subject.inside !== undefined) return 'inside';
  return words[subject.clashes.reduce((most, clash) => Math.max(most, words.indexOf(clash.kind)), 0)];
}

function markup(title: string, label: string, topic: string, viewpoint: string, index: number, subject: BcfSubject, files: string[], time: Date, hasPicture: boolean): string {
  return DECLARATION + '<Markup>\n<Header>\n' + files.map((file) => '<File>' + tag('Filename', file) + '</File>\n').join('') + '</Header>\n' +
    `<Topic Guid="${topic}" TopicType="Clash" TopicStatus="Open">\n` + tag('Title', title) + `<Index>${index}</Index>\n` + tag('Labels', label) +
    tag('CreationDate', time.toISOString().replace(/\.\d+/, '')) + tag('CreationAuthor', 'graze') + tag('Description', describe(subject)) + '</Topic>\n' +
    `<Viewpoints Guid="${viewpoint}">\n` + tag('Viewpoint', 'viewpoint.bcfv') + (hasPicture ? tag('Snapshot', 'snapshot.png') : '') + '</Viewpoints>\n</Markup>\n';
}

function viewpointText(guid: string, ids: string[], view: BcfView): string {
  return DECLARATION + `<VisualizationInfo Guid="${guid}">\n<Components>\n<Selection>\n` + ids.map(component).join('') +
    '</Selection>\n<Visibility DefaultVisibility="true"/>\n</Components>\n<OrthogonalCamera>\n' + vector('CameraViewPoint', view.eye) +
    vector('CameraDirection', view.direction) + vector('CameraUpVector', view.up) +
    `<ViewToWorldScale>${view.height}</ViewToWorldScale>\n</OrthogonalCamera>\n</VisualizationInfo>\n`;
}

/* The view without WebGL: from a corner of the largest clash, along the space diagonal. */
export function plainView(clashes: Clash[]): BcfView {
  const { low, high } = clashes.reduce((most, clash) => (clash.pairCount > most.pairCount ? clash : most));
  const size = Math.hypot(...low.map((value, axis) => high[axis] - value)) || 1;
  const part = Math.sqrt(1 / 3), third = Math.sqrt(1 / 6);
  return {
    eye: low.map((value, axis) => (value + high[axis]) / 2 + 10 * size * part) as Vector, direction: [-part, -part, -part],
    up: [-third, 2 * third, -third], height: 2 * size, png: null,
  };
}

/* `look` returns the view of a subject, and renders it if it is `pictured`; calls run one after the other. */
export async function bcfOf(record: PageRecord, frame: Frame, subjects: BcfSubject[], look: (subject: BcfSubject, pictured: boolean) => Promise<BcfView>): Promise<Blob> {
  const time = new Date();
  const numbers = numbersOf(frame.objects);
  const text = (name: string, words: string): ZipEntry => ({ name, bytes: new TextEncoder().encode(words) });
  const entries = [text('bcf.version', DECLARATION + '<Version VersionId="2.1">\n<DetailedVersion>2.1</DetailedVersion>\n</Version>\n')];
  const pictured = chooseSnapshots(subjects);
  for (let i = 0; i < subjects.length; ++i) {
    const subject = subjects[i];
    const { a, b, inside } = subject;
    const sides = [a, b].map((index) => ({ label: frame.objects[index].bcfLabel, number: numbers[index].number }));
    const words = [...sides].sort((p, q) => comesBefore(p.label, q.label) || comesBefore(p.number, q.number)).flatMap(({ label, number }) => [label, number]);
    const purpose = inside === undefined ? 'clash' : 'inside';
    const topic = guidOf(['graze', purpose, ...words]), viewpoint = guidOf(['graze', purpose + ' view', ...words]);
    const [first, second] = [a, b].map((index) => frame.objects[index].bcfLabel + (numbers[index].repeats ? ` (object ${index})` : ''));
    const title = first + (a === b ? ' intersects itself' : (inside === undefined ? ' intersects ' : ' lies inside ') + second);
    const view = await look(subject, pictured.has(subject));
    const members = a === b ? [a] : [a, b];
    entries.push(
      text(topic + '/markup.bcf', markup(title, labelOf(subject, record.clashWords), topic, viewpoint, i + 1, subject,
        [...new Set(members.map((index) => frame.objects[index].file))], time, view.png !== null)),
      text(topic + '/viewpoint.bcfv', viewpointText(viewpoint, members.map((index) => frame.objects[index].bcfId), view)));
    if (view.png !== null) entries.push({ name: topic + '/snapshot.png', bytes: view.png });
  }
  return zipOf(entries, time);
}
