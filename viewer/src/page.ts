/* The page: owns the panels and the 3D view, and passes selections and frames between them. Panels do not refer to each
 * other or to the 3D view. */
import { type PageState, readState, writeState } from './address';
import { bcfOf, bcfTrouble, plainView, SNAPSHOTS, subjectsOf } from './bcf';
import { ClashList } from './clash_list';
import { mostCrowded } from './crowding';
import { CrowdingSheet } from './crowding_sheet';
import { download, element, icon, icons } from './dom';
import { clashesAsJson, crowdingAsCsv, involvedAsObj, involvedAsPly, pairsAsCsv, recordAsJson, savedPage, spheresAsCsv } from './exports';
import { FactSheet, insideWords } from './fact_sheet';
import { FillingSheet } from './filling_sheet';
import { Live } from './live';
import { closeByEscape, fileStem, makeMenu, type MenuRow } from './menu';
import type { Hit, Mode, Selection } from './object_shapes';
import { ObjectTable } from './object_table';
import { PartnerSheet } from './partner_sheet';
import { fillingOf, frameByLevels } from './packing';
import { whenThemeChanges } from './palette';
import { edgesOf, PickedCard, type PickedPlace } from './picked_card';
import { boxOfPrimitive, type Clash, clashesAndInsides, type Frame, type PageRecord, type Vector } from './record';
import { resultWords } from './result_facts';
import { type Axis, type Section, Stage } from './stage';
import { TimeLine } from './time_line';
import { counted, grouped, manyOf, measured, milliseconds } from './words';

type SheetName = 'clashes' | 'objects' | 'facts' | 'partners' | 'live' | 'crowding' | 'filling';
interface Sheet {
  name: SheetName;
  words: string;
  root: HTMLElement;
}
const PRIMITIVES_SELECTED = 20000; /* of an object inside another */
const PROGRESS_MS = 50; /* between two updates of the progress of an export */
const KEYS: [string, string][] = [
  ['N, P', 'next and previous clash'], ['1, 2, 3', 'shaded, x-ray, wireframe'], ['X', 'section plane'], ['R', 'ruler'], ['G', 'search structure'],
  ['M', 'Live: drag objects or the view'], ['0', 'Live: reset positions'], ['F', 'fit to view'], ['U', 'change the axis that points up'], ['Arrow keys', 'rotate the focused view'], ['+, -', 'zoom in and out'],
  [', .', 'previous and next frame'], ['K', 'play or pause'], ['Esc', 'cancel an export; clear the selection'],
];
const UP_AXES = new Map<string, Vector>([
  ['x', [1, 0, 0]], ['y', [0, 1, 0]], ['z', [0, 0, 1]], ['-x', [-1, 0, 0]], ['-y', [0, -1, 0]], ['-z', [0, 0, -1]],
]);
const MODES: Mode[] = ['shaded', 'xray', 'wireframe'];
const UP_WORDS = 'Axis that points up';
const PAIR_KEYS = ['N, P', 'G', 'M', '0'];

export class Page {
  private frame: Frame;
  private frameNumber = 0;
  private clash: Clash | null = null;
  private picked: PickedPlace | null = null;
  private mode: Mode = 'shaded';
  private readonly firstMode: Mode;
  private up = 'y';
  private stage: Stage | null = null;
  private readonly list: ClashList;
  private readonly objects: ObjectTable;
  private readonly partners: PartnerSheet;
  private readonly facts: FactSheet;
  private readonly card: PickedCard;
  private readonly timeLine: TimeLine | null;
  private readonly recorded: PageRecord;
  private readonly live: Live;
  private readonly title = element('span', { class: 'title' });
  private readonly viewport = element('div', { class: 'viewport' });
  private readonly verdict = element('h1', { class: 'verdict' });
  private readonly subtitle = element('p', { class: 'quiet subtitle' });
  private readonly note = element('output', { class: 'note', hidden: true });
  private readonly undrawn = element('p', { class: 'plain-note', hidden: true },
    'This scene is too large or too small for the single precision of the view, so it is not drawn. The list and the numbers are complete.');
  private readonly tools = new Map<string, HTMLButtonElement>();
  private readonly sectionTool: HTMLElement;
  private section: Section | null = null;
  private sectionOf: () => Section = () => ({ axis: 'x', place: 0.5, flipped: false });
  private ruler = false;
  private movesObjects = true; /* while the live engine lets objects be moved */
  private canMove = false;

  /* Only for some commands. */
  private readonly crowding: CrowdingSheet | null = null;
  private readonly filling: FillingSheet | null = null;

  /* `record` is that of the frame shown: the live engine replaces it. */
  constructor(private record: PageRecord, private readonly app: HTMLElement, unpack: (id: string) => Promise<ArrayBuffer | null>) {
    if (record.command === 'pack') {
      this.filling = new FillingSheet(fillingOf(record.frames[0], record.result!.mesh_volume));
      record.frames = record.frames.map(frameByLevels);
    }
    this.firstMode = record.command === 'analyze' ? 'xray' : 'shaded'; /* the most crowded are often inside */
    if (record.command === 'analyze') this.crowding = new CrowdingSheet((chosen, words) => this.select(chosen, words), (primitive) => this.visit({ object: 0, primitive }));
    this.recorded = record;
    this.frame = record.frames[0];
    this.list = new ClashList((clash) => this.chooseClash(clash, true));
    this.objects = new ObjectTable(this.hasPairs, (hidden) => this.stage?.setHidden(hidden));
    this.partners = new PartnerSheet((chosen, words) => this.select(chosen, words));
    this.facts = new FactSheet(record);
    this.card = new PickedCard(record.clashWords, record.rounded, this.hasPairs, (at) => this.pick(at), (clash) => this.chooseClash(clash, true));
    this.timeLine = record.frames.length > 1 ? new TimeLine(record, (frame) => this.showFrame(frame)) : null;
    this.live = new Live(record, unpack, {
      loading: () => this.timeLine?.pause(),
      recordedFrame: () => record.frames[this.frameNumber],
      answered: (now, frame, fresh) => this.showLive(now, frame, fresh),
      draggable: (on) => this.makeDraggable(on, this.movesObjects),
      structure: (boxes) => this.stage?.showStructure(boxes),
      structureTurned: (on) => this.press('structure', on),
    });
    this.sectionTool = this.makeSectionTool();
    this.writeTitle();
    this.build();
    this.openStage();
    this.restore(readState());
    window.addEventListener('hashchange', () => this.follow(readState()));
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      if (!this.hasPairs) return;
      this.openSheet('live');
      void this.live.openFiles([...(event.dataTransfer?.files ?? [])]);
    });
    whenThemeChanges(() => {
      this.stage?.applyTheme();
      this.timeLine?.resize();
    });
    document.documentElement.dataset.ready = 'true';
  }

  /* ------------------------------------------------------------------------------------------ layout */

  private build(): void {
    this.viewport.append(this.makeTools(), this.sectionTool, this.card.root, this.note, this.exporting, this.undrawn);
    const stage = element('main', { class: 'stage' }, this.viewport);
    const panel = element('aside', { class: 'panel', 'aria-label': 'Results' }, this.makeHeader(), this.makeSheets(), this.makeFooter());
    this.app.className = 'layout';
    if (this.timeLine !== null) stage.append(this.timeLine.root);
    this.app.replaceChildren(stage, panel);
  }

  private makeHeader(): HTMLElement {
    return element('header', {},
      element('p', { class: 'brand' }, element('b', {}, 'graze'), this.title),
      this.verdict, this.subtitle,
      this.hasPairs && element('div', { class: 'walk' },
        element('button', { type: 'button', class: 'tool', 'aria-label': 'Previous clash', title: 'Previous clash (P)', onclick: () => this.list.step(-1) }, icon(icons.previous)),
        element('button', { type: 'button', class: 'tool next', title: 'Next clash (N)', onclick: () => this.list.step(1) }, 'Next clash', icon(icons.next))));
  }

  /* True for commands that search for pairs; their pages have the live engine. */
  private get hasPairs(): boolean {
    return this.record.command === 'check' || this.record.command === 'play';
  }

  private sheets(): Sheet[] {
    const objects: Sheet = { name: 'objects', words: this.filling === null ? 'Objects' : 'Levels', root: this.objects.root };
    const facts: Sheet = { name: 'facts', words: 'Numbers', root: this.facts.root };
    if (this.filling !== null) return [objects, { name: 'filling', words: 'Filling', root: this.filling.root }, facts];
    if (this.crowding !== null) return [{ name: 'crowding', words: 'Crowding', root: this.crowding.root }, objects, facts];
    return [{ name: 'clashes', words: 'Clashes', root: this.list.root }, objects, { name: 'partners', words: 'Partners', root: this.partners.root }, facts, { name: 'live', words: 'Live', root: this.live.root }];
  }

  private makeSheets(): HTMLElement {
    const sheets = this.sheets();
    const tabs = sheets.map(({ name, words }) => element('button', {
      type: 'button', role: 'tab', id: 'tab-' + name, 'aria-controls': 'sheet-' + name, onclick: () => open(name),
    }, words));
    const open = (chosen: SheetName, focus = false) => sheets.forEach(({ name, root }, i) => {
      tabs[i].setAttribute('aria-selected', String(name === chosen));
      tabs[i].tabIndex = name === chosen ? 0 : -1;
      root.hidden = name !== chosen;
      if (focus && name === chosen) tabs[i].focus();
      if (name === 'partners' && chosen === name) this.partners.refresh();
    });
    sheets.forEach(({ name, root }) => {
      root.id = 'sheet-' + name;
      root.setAttribute('role', 'tabpanel');
      root.setAttribute('aria-labelledby', 'tab-' + name);
      root.tabIndex = 0;
    });
    const bar = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Results' }, ...tabs);
    bar.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
      if (by !== 0) open(sheets[(at + by + sheets.length) % sheets.length].name, true);
    });
    this.openSheet = open;
    open(sheets[0].name);
    return element('div', { class: 'sheets' }, bar, ...sheets.map(({ root }) => root));
  }

  private makeFooter(): HTMLElement {
    const name = () => fileStem(this.record.title);
    const text = (ending: string, make: () => string, type: string) => () => download(name() + ending, new Blob([make()], { type }));
    const ofPairs: MenuRow[] = [
      ['Pairs as CSV', text('.csv', () => pairsAsCsv(this.record, this.frame), 'text/csv')],
      ['Clashes as JSON', text('.clashes.json', () => clashesAsJson(this.record, this.frame), 'application/json')],
      ['Clashes as BCF issues', () => void this.saveBcf(name())],
      ['Involved primitives as OBJ', text('.involved.obj', () => involvedAsObj(this.frame), 'model/obj')],
      ['Involved primitives as PLY', text('.involved.ply', () => involvedAsPly(this.frame), 'text/plain')],
    ];
    const ofResult: MenuRow[] = [
      this.crowding === null ? ['Spheres as CSV', text('.spheres.csv', () => spheresAsCsv(this.frame), 'text/csv')]
        : ['k of each primitive as CSV', text('.k.csv', () => crowdingAsCsv(this.frame), 'text/csv')],
      ['Record as JSON', text('.json', () => recordAsJson(this.record), 'application/json')],
    ];
    return makeMenu([
      ...(this.hasPairs ? ofPairs : ofResult),
      ['View as PNG', () => void this.stage?.picture().then((blob) => blob !== null && download(name() + '.png', blob))],
      ['Save a copy of this page', () => this.saveCopy()],
      ['Copy link to this view', () => void this.copyAddress()],
    ]);
  }

  private saveCopy(): void {
    download(fileStem(this.recorded.title) + '.html', new Blob([savedPage(this.state())], { type: 'text/html' }));
    if (this.showsFiles) this.tell('The copy shows the recorded scene.');
  }

  private readonly exportBar = element('progress', { 'aria-label': 'Issues written' });
  private readonly exportWords = element('span');
  private readonly exporting = element('div', { class: 'exporting', role: 'group', 'aria-label': 'Export', hidden: true }, this.exportWords, this.exportBar,
    element('button', { type: 'button', title: 'Cancel (Esc)', onclick: () => this.cancelBcf() }, 'Cancel'));
  private bcfCanceled = false;

  private cancelBcf(): void {
    this.bcfCanceled = true;
  }

  private async saveBcf(name: string): Promise<void> {
    if (!this.exporting.hidden) return;
    this.timeLine?.pause();
    const { frame, record, stage } = this;
    const subjects = subjectsOf(clashesAndInsides(record, frame)), count = subjects.length;
    let words = bcfTrouble(frame, subjects), done = 0, shown = -Infinity;
    if (words !== '') {
      this.tell(words);
      return;
    }
    this.tell('');
    this.bcfCanceled = this.exporting.hidden = false;
    this.exportBar.max = count;
    try {
      const archive = await bcfOf(record, frame, subjects, async (subject, pictured) => {
        this.exportBar.value = done;
        this.exportWords.textContent = `Writing issues: ${grouped(++done)} of ${grouped(count)}`;
        if (performance.now() - shown > PROGRESS_MS) {
          await new Promise((resolve) => setTimeout(resolve)); /* for the display and the pointer */
          shown = performance.now();
        }
        if (this.bcfCanceled) throw new Error('canceled');
        if (this.frame !== frame) throw new Error('the scene has changed');
        return stage === null ? plainView(subject.clashes) : stage.lookAt(subject.clashes, [subject.a, subject.b], pictured);
      });
      download(name + '.bcf', archive);
      words = stage !== null && count > SNAPSHOTS ? 'Only the ' + SNAPSHOTS + ' issues with the most pairs have a snapshot.' : counted(count, 'issue') + ' written.';
    } catch (error) {
      words = 'The issues were not written: ' + (error instanceof Error ? error.message : error) + '.';
    } finally {
      if (this.exporting.contains(document.activeElement)) this.app.querySelector<HTMLElement>('.menu summary')!.focus();
      this.exporting.hidden = true;
    }
    this.tell(words);
  }

  private makeTools(): HTMLElement {
    const make = (name: string, path: string, words: string, key: string, act: () => void) => {
      const button = element('button', {
        type: 'button', class: 'tool', 'aria-label': words, 'aria-pressed': 'false', title: words + ' (' + key + ')', onclick: act,
      }, icon(path));
      this.tools.set(name, button);
      return button;
    };
    const help = element('details', { class: 'help' },
      element('summary', { class: 'tool', 'aria-label': 'Keyboard shortcuts', title: 'Keyboard shortcuts' }, icon(icons.help)),
      element('dl', {}, ...KEYS.filter(([key]) => this.hasPairs || !PAIR_KEYS.includes(key)).flatMap(([key, words]) => [element('dt', {}, key), element('dd', {}, words)])));
    closeByEscape(help);
    const toolbar = element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'View' },
      element('div', { class: 'group' },
        make('shaded', icons.shaded, 'Shaded', '1', () => this.setMode('shaded')),
        make('xray', icons.xray, 'X-ray', '2', () => this.setMode('xray')),
        make('wireframe', icons.wireframe, 'Wireframe', '3', () => this.setMode('wireframe'))),
      element('div', { class: 'group' },
        make('section', icons.section, 'Section plane', 'X', () => this.toggleSection()),
        make('ruler', icons.ruler, 'Ruler', 'R', () => this.toggleRuler()),
        this.hasPairs && make('structure', icons.structure, 'Search structure', 'G', () => this.toggleStructure()),
        make('fit', icons.fit, 'Fit to view', 'F', () => this.stage?.fit()),
        make('up', icons.up, UP_WORDS + ': y', 'U', () => this.changeUp()),
        make('move', icons.move, 'Dragging moves objects', 'M', () => this.toggleMoving())),
      element('div', { class: 'group' }, help));
    for (const name of ['fit', 'up']) this.tools.get(name)!.removeAttribute('aria-pressed');
    this.tools.get('move')!.hidden = true;
    return toolbar;
  }

  private makeSectionTool(): HTMLElement {
    const axis = element('select', { 'aria-label': 'Section axis', onchange: () => change() },
      ...['x', 'y', 'z'].map((name) => element('option', { value: name }, name)));
    const place = element('input', { type: 'range', min: 0, max: 1, step: 0.005, value: 0.5, 'aria-label': 'Section position', oninput: () => change() });
    const flipped = element('input', { type: 'checkbox', onchange: () => change() });
    this.sectionOf = () => ({ axis: axis.value as Axis, place: Number(place.value), flipped: flipped.checked });
    const change = () => {
      this.section = this.sectionOf();
      this.stage?.setSection(this.section);
    };
    return element('div', { class: 'section-tool', hidden: true }, axis, place, element('label', {}, flipped, 'flip'));
  }

  private openStage(): void {
    try {
      this.stage = new Stage(this.record.center, {
        picked: (hit: Hit | null) => this.pick(hit),
        measured: (distance) => this.tell(distance === null ? (this.ruler ? 'Click two points.' : '') : 'Distance ' + measured(distance, 6) + ' ' + this.record.units),
        moved: () => this.writeAddress(),
      });
    } catch {
      this.viewport.append(element('p', { class: 'plain-note' },
        'This browser has no WebGL, so the scene is not drawn. The list and the numbers are complete.'));
      for (const button of this.tools.values()) button.disabled = true;
      return;
    }
    this.viewport.prepend(this.stage.canvas);
    const fitSize = () => {
      this.stage?.resize(this.viewport.clientWidth, this.viewport.clientHeight);
      this.timeLine?.resize();
    };
    new ResizeObserver(fitSize).observe(this.viewport);
    fitSize();
  }

  /* ------------------------------------------------------------------------------------------ frames and selection */

  private restore(state: PageState): void {
    this.setRecordedBox();
    this.stage?.startCamera();
    if (this.timeLine === null) this.showFrame(0);
    this.show(state);
  }

  private setRecordedBox(): void {
    const { frames } = this.recorded, last = frames.length - 1;
    this.setBox([...new Set([0, last >> 1, last])].map((number) => frames[number]));
  }

  private setBox(frames: Frame[]): void {
    this.undrawn.hidden = this.stage?.setBox(frames) ?? true;
  }

  private show(state: PageState): void {
    this.timeLine?.go((state.frame ?? 1) - 1);
    this.setMode(MODES.find((mode) => mode === state.mode) ?? this.firstMode);
    this.setUp(state.up ?? this.recorded.up);
    if (state.camera === undefined) this.stage?.fit(false);
    const clash = state.clash === undefined ? null : this.list.find(state.clash);
    if (clash !== null) this.chooseClash(clash, state.camera === undefined);
    if (state.camera !== undefined) this.stage?.setCamera(state.camera);
  }

  /* A link that is opened in this page: it belongs to the recorded scene. */
  private follow(state: PageState): void {
    if (this.showsFiles) return;
    this.clear();
    this.show(state);
  }

  /* Shows a recorded frame. */
  private showFrame(number: number): void {
    this.live.leave();
    if (this.record !== this.recorded) {
      this.record = this.recorded;
      this.facts.setRecord(this.record);
      this.card.rounded = this.record.rounded;
      this.setRecordedBox();
    }
    this.frameNumber = number;
    this.frame = this.record.frames[number];
    const kept = this.clash;
    this.clash = null;
    this.makeContainersTransparent();
    this.stage?.show(this.frame);
    this.objects.show(this.frame);
    this.showClashes();
    this.partners.show(this.frame);
    this.facts.show(this.frame);
    this.pick(null);
    if (this.crowding !== null) this.crowding.show(this.frame, mostCrowded(this.record.result!));
    this.keepClash(kept);
    this.writeAddress();
  }

  private showClashes(): void {
    this.writeVerdict();
    this.list.show(this.frame, clashesAndInsides(this.record, this.frame), this.record.units, this.verdict.textContent + '.');
  }

  /* Call before the frame is drawn. */
  private makeContainersTransparent(): void {
    if (!this.record.solid) return;
    const containers = new Set(this.frame.containments.map(({ outer }) => outer));
    this.frame.objects.forEach((object, index) => (object.ghost = containers.has(index)));
  }

  /* Selects the clash of the previous frame again if this frame has it. */
  private keepClash(kept: Clash | null): void {
    const same = kept === null ? null : this.list.find(kept.id);
    this.list.mark(same);
    if (same !== null) this.chooseClash(same, false);
    else if (!this.ruler) this.tell('');
  }

  private writeVerdict(): void {
    const { result, frames } = this.record;
    if (result !== null) {
      const { verdict, subtitle } = resultWords(this.record.command, result);
      this.verdict.textContent = verdict;
      this.verdict.classList.add('clear');
      this.subtitle.textContent = subtitle;
      return;
    }
    const { pairs, clashes, objects } = this.frame;
    const count = pairs.length / 4, meeting = frames.filter((frame) => frame.pairs.length > 0).length;
    const kinds = new Set(objects.map((object) => object.kind));
    const amount = objects.reduce((sum, object) => sum + object.primitiveCount, 0);
    const words = kinds.size === 1 ? [...kinds][0] : 'primitive';
    const many = kinds.size === 1 ? manyOf(words) : 'primitives';
    const found = this.record.clearance > 0 ? 'within ' + (measured(this.record.clearance) + ' ' + this.record.units).trim() : '';
    const inside = this.record.solid ? insideWords(this.frame) : '';
    this.verdict.textContent =
      count === 0
        ? inside || (this.record.clearance > 0 ? 'Nothing is ' + found : 'Nothing intersects') + (frames.length <= 1 ? '' : meeting === 0 ? ' in any frame' : ' in this frame')
        : this.frame.kinds === null
          ? (this.frame.limitReached ? 'More than ' : '') + counted(count, 'pair') + ' ' + found
          : counted(clashes.length, 'clash', 'clashes');
    this.verdict.classList.toggle('clear', count === 0 && inside === '');
    this.subtitle.textContent = [
      count > 0 && this.frame.kinds !== null ? counted(count, 'pair') : '',
      count > 0 ? inside : '',
      counted(amount, words, many) + (objects.length > 1 ? ' in ' + grouped(objects.length) + ' objects' : ''),
      milliseconds(this.frame.frameMs),
      frames.length > 1 && meeting > 0 ? grouped(meeting) + ' of ' + counted(frames.length, 'frame') + ' with pairs' : '',
    ].filter((text) => text !== '').join(' · ');
  }

  private chooseClash(clash: Clash | null, fly: boolean): void {
    this.clash = clash;
    this.partners.histogram.mark(null);
    this.stage?.choose(clash?.inside === undefined ? clash : null);
    if (clash?.inside !== undefined && clash.inside.primitiveCount <= PRIMITIVES_SELECTED)
      this.stage?.select([{ object: clash.a, primitives: Array.from({ length: clash.inside.primitiveCount }, (_, i) => i) }]);
    this.list.mark(clash);
    if (clash !== null && fly) this.stage?.flyToBox(clash.low, clash.high);
    this.tell(clash === null ? '' : this.clashWords(clash));
    this.writeAddress();
  }

  private clashWords(clash: Clash): string {
    const { objects } = this.frame;
    if (clash.inside !== undefined) return objects[clash.a].label + ' lies inside ' + objects[clash.b].label;
    return [clash.kind, objects[clash.a].label + (clash.a === clash.b ? '' : ' and ' + objects[clash.b].label), counted(clash.pairCount, 'pair')]
      .filter((text) => text !== '').join(' · ');
  }

  private pick(at: PickedPlace | null): void {
    this.picked = at;
    if (at === null && this.card.root.contains(document.activeElement)) this.stage?.canvas.focus();
    this.card.show(this.frame, at);
    this.stage?.outline(at === null ? [] : edgesOf(this.frame, at));
  }

  /* Selects primitives instead of a clash. */
  private select(chosen: Selection, words: string): void {
    if (this.clash !== null) {
      this.clash = null;
      this.list.mark(null);
      this.writeAddress();
    }
    this.stage?.select(chosen);
    this.tell(words);
  }

  /* Picks a primitive and moves the camera to it. */
  private visit(at: PickedPlace): void {
    const { low, high } = boxOfPrimitive(this.frame.objects[at.object], at.primitive);
    this.pick(at);
    this.stage?.select([{ object: at.object, primitives: [at.primitive] }]);
    this.stage?.flyToBox(low, high);
  }

  private setUp(name: string): void {
    const axis = UP_AXES.get(name);
    if (name === this.up || axis === undefined) return;
    this.up = name;
    this.stage?.setUp(axis);
    const button = this.tools.get('up')!;
    button.title = UP_WORDS + ': ' + name + ' (U)';
    button.setAttribute('aria-label', UP_WORDS + ': ' + name);
  }

  /* y and z take turns; another axis of the recorded scene is the third. */
  private changeUp(): void {
    const names = [...new Set(['y', 'z', this.recorded.up])];
    this.setUp(names[(names.indexOf(this.up) + 1) % names.length]);
    this.writeAddress();
  }

  private setMode(mode: Mode): void {
    this.mode = mode;
    this.stage?.setMode(mode);
    for (const name of ['shaded', 'xray', 'wireframe']) this.press(name, name === mode);
    this.writeAddress();
  }

  private toggleSection(): void {
    this.section = this.section === null ? this.sectionOf() : null;
    this.sectionTool.hidden = this.section === null;
    this.stage?.setSection(this.section);
    this.press('section', this.section !== null);
  }

  private toggleRuler(): void {
    this.ruler = !this.ruler;
    this.press('ruler', this.ruler);
    this.stage?.setRuler(this.ruler);
  }

  private toggleStructure(): void {
    if (!this.hasPairs || this.stage === null) return;
    this.openSheet('live');
    this.live.toggleStructure();
  }

  private press(name: string, pressed: boolean): void {
    this.tools.get(name)?.setAttribute('aria-pressed', String(pressed));
  }

  private tell(words: string): void {
    if (this.note.textContent !== words.trim()) this.note.textContent = words.trim(); /* it is announced */
    this.note.hidden = words.trim() === '';
  }

  private clear(): void {
    this.pick(null);
    this.chooseClash(null, false);
    this.crowding?.histogram.mark(null);
    this.partners.histogram.mark(null);
    if (this.ruler) this.toggleRuler();
  }

  /* ------------------------------------------------------------------------------------------ live */

  private openSheet: (name: SheetName) => void = () => undefined;

  private writeTitle(): void {
    this.title.textContent = this.record.title;
    document.title = this.record.title + ' · graze';
  }

  private showLive(record: PageRecord, frame: Frame, fresh: boolean): void {
    const other = record.center !== this.record.center;
    const kept = other ? null : this.clash;
    this.record = record;
    this.facts.setRecord(record);
    this.card.rounded = record.rounded;
    if (this.timeLine !== null) this.timeLine.root.hidden = this.showsFiles;
    this.frame = frame;
    this.clash = null;
    this.makeContainersTransparent();
    if (fresh) {
      this.writeTitle();
      if (other) this.stage?.setCenter(record.center);
      this.stage?.show(frame);
      this.setBox([frame]);
      if (other) {
        this.objects.reset();
        this.stage?.startCamera();
        if (this.ruler) this.stage?.setRuler(true);
      }
    } else {
      this.stage?.update(frame);
    }
    this.objects.show(frame);
    this.showClashes();
    this.partners.show(frame);
    this.facts.show(frame);
    this.pick(fresh ? null : this.picked);
    this.keepClash(kept);
  }

  /* A dragged object moves in the plane parallel to the screen, at the depth of the point where the drag started. */
  private makeDraggable(canMove: boolean, movesObjects: boolean): void {
    this.canMove = canMove;
    this.movesObjects = movesObjects;
    if (this.stage === null) return;
    this.tools.get('move')!.hidden = !canMove;
    this.press('move', movesObjects);
    let taken: Hit | null = null;
    this.stage.dragging = !canMove || !movesObjects ? null : (event, ray, hit) => {
      if (event === 'start') taken = hit;
      if (taken === null) return false;
      if (event === 'move') {
        const by = this.stage!.pointFacing(ray, taken.point).sub(taken.point);
        taken.point.add(by);
        this.live.move(taken.object, [by.x, by.y, by.z]);
      }
      return true;
    };
  }

  private toggleMoving(): void {
    if (this.canMove) this.makeDraggable(true, !this.movesObjects);
  }

  /* ------------------------------------------------------------------------------------------ keys and address */

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input[type=search], select')) return;
    const timeLine = this.showsFiles ? null : this.timeLine;
    const acts: Record<string, () => void> = {
      n: () => this.list.step(1), p: () => this.list.step(-1), '1': () => this.setMode('shaded'), '2': () => this.setMode('xray'),
      '3': () => this.setMode('wireframe'), x: () => this.toggleSection(), r: () => this.toggleRuler(), g: () => this.toggleStructure(), f: () => this.stage?.fit(),
      u: () => this.changeUp(), m: () => this.toggleMoving(), '0': () => this.live.resetPositions(),
      ',': () => timeLine?.step(-1), '.': () => timeLine?.step(1), k: () => timeLine?.toggle(), Escape: () => (this.exporting.hidden ? this.clear() : this.cancelBcf()),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  private get showsFiles(): boolean {
    return this.record.center !== this.recorded.center;
  }

  /* The page contains only the recorded scene, so its state has neither camera nor clash of other files. */
  private state(): PageState {
    const state = { frame: this.frameNumber + 1, mode: this.mode === this.firstMode ? undefined : this.mode, up: this.up === this.recorded.up ? undefined : this.up };
    return this.showsFiles ? state : { ...state, camera: this.stage?.cameraNumbers(), clash: this.clash?.id };
  }

  private addressTimer = 0;
  private writeAddress(): void {
    clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => writeState(this.state()), 150);
  }

  private async copyAddress(): Promise<void> {
    if (!writeState(this.state())) {
      this.tell('This browser does not let the page change its address, so there is no link to this view.');
      return;
    }
    try {
      await navigator.clipboard.writeText(location.href);
      this.tell('Link copied.' + (this.showsFiles ? ' It shows the recorded scene.' : ''));
    } catch {
      this.tell('Cannot copy; the address bar contains the link to this view.');
    }
  }
}
