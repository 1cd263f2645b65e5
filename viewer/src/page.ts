/* The page: what is shown, in which frame, and who hears of it. Panels know neither each other nor the 3D view. */
import { type PageState, readState, writeState } from './address';
import { ClashList } from './clash_list';
import { download, element, icon, icons } from './dom';
import { clashesAsJson, involvedAsObj, pairsAsCsv, savedPage } from './exports';
import { FactSheet } from './fact_sheet';
import { Live } from './live';
import type { Hit, Mode } from './object_shapes';
import { ObjectTable } from './object_table';
import { whenThemeChanges } from './palette';
import { cornersOf, PickedCard, type PickedPlace } from './picked_card';
import type { Clash, Frame, PageRecord } from './record';
import { type Axis, Stage } from './stage';
import { TimeLine } from './time_line';
import { counted, grouped, manyOf, measured, milliseconds } from './words';

type SheetName = 'clashes' | 'objects' | 'facts' | 'live';
const KEYS: [string, string][] = [
  ['N, P', 'next and previous clash'], ['1, 2, 3', 'shaded, x-ray, wireframe'], ['X', 'section plane'], ['R', 'ruler'],
  ['F', 'show everything'], ['Arrow keys', 'turn the view that has the focus'], ['+, -', 'nearer, farther'],
  [', .', 'previous and next frame'], ['K', 'play and pause'], ['Esc', 'clear what is chosen'],
];

export class Page {
  private frame: Frame;
  private frameNumber = 0;
  private clash: Clash | null = null;
  private mode: Mode = 'shaded';
  private stage: Stage | null = null;
  private readonly list: ClashList;
  private readonly objects: ObjectTable;
  private readonly facts: FactSheet;
  private readonly card: PickedCard;
  private timeLine: TimeLine | null;
  private readonly live: Live;
  private readonly title = element('span', { class: 'title' });
  private readonly viewport = element('div', { class: 'viewport' });
  private readonly verdict = element('h1', { class: 'verdict' });
  private readonly subtitle = element('p', { class: 'quiet subtitle' });
  private readonly note = element('output', { class: 'note', hidden: true });
  private readonly tools = new Map<string, HTMLButtonElement>();
  private readonly sectionTool: HTMLElement;
  private section: { axis: Axis; place: number; flipped: boolean } | null = null;
  private ruler = false;

  constructor(private record: PageRecord, private readonly app: HTMLElement, unpack: (id: string) => Promise<ArrayBuffer | null>) {
    this.frame = record.frames[0];
    this.list = new ClashList((clash) => this.chooseClash(clash, true));
    this.objects = new ObjectTable((hidden) => this.stage?.setHidden(hidden));
    this.facts = new FactSheet(record);
    this.card = new PickedCard(record.clashWords, record.rounded, (at) => this.pick(at), (clash) => this.chooseClash(clash, true));
    this.timeLine = record.frames.length > 1 ? new TimeLine(record, (frame) => this.showFrame(frame)) : null;
    this.live = new Live(record, unpack, {
      answered: (now, frame, fresh) => this.showLive(now, frame, fresh),
      draggable: (on) => this.makeDraggable(on),
    });
    this.live.setShown(() => this.frame);
    this.sectionTool = this.makeSectionTool();
    this.writeTitle();
    this.build();
    this.openStage();
    this.restore(readState());
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      this.openSheet('live');
      void this.live.openFiles([...(event.dataTransfer?.files ?? [])]);
    });
    whenThemeChanges(() => {
      this.stage?.applyTheme();
      this.timeLine?.resize();
    });
    document.documentElement.dataset.ready = 'true';
  }

  /* ------------------------------------------------------------------------------------------ what the page is made of */

  private build(): void {
    this.viewport.append(this.makeTools(), this.sectionTool, this.card.root, this.note);
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
      element('div', { class: 'walk' },
        element('button', { type: 'button', class: 'tool', 'aria-label': 'Previous clash', title: 'Previous clash (P)', onclick: () => this.list.step(-1) }, icon(icons.previous)),
        element('button', { type: 'button', class: 'tool next', title: 'Next clash (N)', onclick: () => this.list.step(1) }, 'Next clash', icon(icons.next))));
  }

  private makeSheets(): HTMLElement {
    const sheets: Record<SheetName, HTMLElement> = { clashes: this.list.root, objects: this.objects.root, facts: this.facts.root, live: this.live.root };
    const words: Record<SheetName, string> = { clashes: 'Clashes', objects: 'Objects', facts: 'Numbers', live: 'Live' };
    const names = Object.keys(sheets) as SheetName[];
    const tabs = names.map((name) => element('button', {
      type: 'button', role: 'tab', id: 'tab-' + name, 'aria-controls': 'sheet-' + name, onclick: () => open(name),
    }, words[name]));
    const open = (chosen: SheetName, focus = false) => names.forEach((name, i) => {
      tabs[i].setAttribute('aria-selected', String(name === chosen));
      tabs[i].tabIndex = name === chosen ? 0 : -1;
      sheets[name].hidden = name !== chosen;
      if (focus && name === chosen) tabs[i].focus();
    });
    names.forEach((name) => {
      sheets[name].id = 'sheet-' + name;
      sheets[name].setAttribute('role', 'tabpanel');
      sheets[name].setAttribute('aria-labelledby', 'tab-' + name);
      sheets[name].tabIndex = 0;
    });
    const bar = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Results' }, ...tabs);
    bar.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
      if (by !== 0) open(names[(at + by + names.length) % names.length], true);
    });
    this.openSheet = open;
    open('clashes');
    return element('div', { class: 'sheets' }, bar, ...names.map((name) => sheets[name]));
  }

  private makeFooter(): HTMLElement {
    const name = this.record.title.replace(/^.*[\\/]/, '').replace(/[^\w.-]+/g, '_') || 'scene';
    const text = (ending: string, make: () => string, type: string) => () => download(name + ending, new Blob([make()], { type }));
    const rows: [string, () => void][] = [
      ['Pairs as CSV', text('.csv', () => pairsAsCsv(this.frame), 'text/csv')],
      ['Clashes as JSON', text('.clashes.json', () => clashesAsJson(this.record, this.frame), 'application/json')],
      ['Involved primitives as OBJ', text('.involved.obj', () => involvedAsObj(this.frame), 'model/obj')],
      ['View as PNG', () => void this.stage?.picture().then((blob) => blob !== null && download(name + '.png', blob))],
      ['Save a copy of this page', text('.html', () => savedPage(this.state()), 'text/html')],
      ['Copy the address of this view', () => void this.copyAddress()],
    ];
    const menu = element('details', { class: 'menu' }, element('summary', {}, icon(icons.share), 'Share and export'),
      element('div', { class: 'menu-rows' }, ...rows.map(([words, act]) => element('button', {
        type: 'button', onclick: () => {
          act();
          menu.open = false;
        },
      }, words))));
    return element('footer', {}, menu);
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
      element('summary', { class: 'tool', 'aria-label': 'Keys', title: 'Keys' }, icon(icons.help)),
      element('dl', {}, ...KEYS.flatMap(([key, words]) => [element('dt', {}, key), element('dd', {}, words)])));
    const toolbar = element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'View' },
      element('div', { class: 'group' },
        make('shaded', icons.shaded, 'Shaded', '1', () => this.setMode('shaded')),
        make('xray', icons.xray, 'X-ray', '2', () => this.setMode('xray')),
        make('wireframe', icons.wireframe, 'Wireframe', '3', () => this.setMode('wireframe'))),
      element('div', { class: 'group' },
        make('section', icons.section, 'Section plane', 'X', () => this.toggleSection()),
        make('ruler', icons.ruler, 'Ruler', 'R', () => this.toggleRuler()),
        make('fit', icons.fit, 'Show everything', 'F', () => this.stage?.fit())),
      element('div', { class: 'group' }, help));
    this.tools.get('fit')!.removeAttribute('aria-pressed');
    return toolbar;
  }

  private makeSectionTool(): HTMLElement {
    const axis = element('select', { 'aria-label': 'Axis of the section', onchange: () => change() },
      ...['x', 'y', 'z'].map((name) => element('option', { value: name }, name)));
    const place = element('input', { type: 'range', min: 0, max: 1, step: 0.005, value: 0.5, 'aria-label': 'Place of the section', oninput: () => change() });
    const flipped = element('input', { type: 'checkbox', onchange: () => change() });
    const change = () => {
      this.section = { axis: axis.value as Axis, place: Number(place.value), flipped: flipped.checked };
      this.stage?.setSection(this.section);
    };
    return element('div', { class: 'section-tool', hidden: true }, axis, place, element('label', {}, flipped, 'other side'));
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
        'This browser offers no WebGL, so the scene is not drawn. The list and the numbers are complete.'));
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

  /* ------------------------------------------------------------------------------------------ what is shown */

  private restore(state: PageState): void {
    const frame = Math.min(state.frame ?? 1, this.record.frames.length);
    const last = this.record.frames.length - 1;
    this.stage?.setBox([...new Set([0, last >> 1, last])].map((number) => this.record.frames[number]));
    this.stage?.startCamera();
    if (this.timeLine !== null) this.timeLine.go(frame - 1);
    else this.showFrame(0);
    this.setMode(state.mode === 'xray' || state.mode === 'wireframe' ? state.mode : 'shaded');
    const clash = state.clash === undefined ? null : this.list.find(state.clash);
    if (clash !== null) {
      this.list.mark(clash);
      this.chooseClash(clash, state.camera === undefined);
    }
    if (state.camera !== undefined) this.stage?.setCamera(state.camera);
  }

  private showFrame(number: number): void {
    this.frameNumber = number;
    this.frame = this.record.frames[number];
    const kept = this.clash;
    this.clash = null;
    this.stage?.show(this.frame);
    this.objects.show(this.frame);
    this.list.show(this.frame, this.record.units);
    this.facts.show(this.frame);
    this.card.show(null, null);
    this.writeVerdict();
    const same = kept === null ? undefined : this.frame.clashes.find((one) => one.id === kept.id);
    this.list.mark(same ?? null);
    if (same !== undefined) this.chooseClash(same, false);
    this.writeAddress();
  }

  private writeVerdict(): void {
    const { pairs, clashes, objects } = this.frame;
    const count = pairs.length / 4;
    const kinds = new Set(objects.map((object) => object.kind));
    const amount = objects.reduce((sum, object) => sum + object.primitiveCount, 0);
    const words = kinds.size === 1 ? [...kinds][0] : 'primitive';
    const many = kinds.size === 1 ? manyOf(words) : 'primitives';
    const found = this.record.clearance > 0 ? 'within ' + measured(this.record.clearance) + ' ' + this.record.units : '';
    this.verdict.textContent =
      count === 0
        ? this.record.clearance > 0 ? 'Nothing is ' + found : 'Nothing intersects'
        : this.frame.kinds === null
          ? (this.frame.limitReached ? 'More than ' : '') + counted(count, 'pair') + ' ' + found
          : counted(clashes.length, 'clash', 'clashes');
    this.verdict.classList.toggle('clear', count === 0);
    this.subtitle.textContent = [
      count > 0 && this.frame.kinds !== null ? counted(count, 'pair') : '',
      counted(amount, words, many) + (objects.length > 1 ? ' in ' + grouped(objects.length) + ' objects' : ''),
      milliseconds(this.frame.frameMs),
    ].filter((text) => text !== '').join(' · ');
  }

  private chooseClash(clash: Clash | null, fly: boolean): void {
    this.clash = clash;
    this.stage?.choose(clash);
    this.list.mark(clash);
    if (clash !== null && fly) this.stage?.flyToClash(clash);
    this.tell(clash === null ? '' : this.clashWords(clash));
    this.writeAddress();
  }

  private clashWords(clash: Clash): string {
    const { objects } = this.frame;
    return [clash.kind, objects[clash.a].label + (clash.a === clash.b ? '' : ' and ' + objects[clash.b].label), counted(clash.pairCount, 'pair')]
      .filter((text) => text !== '').join(' · ');
  }

  private pick(at: PickedPlace | null): void {
    this.card.show(this.frame, at);
    this.stage?.outline(at === null || this.frame.objects[at.object].kind === 'sphere' ? [] : cornersOf(this.frame, at));
  }

  private setMode(mode: Mode): void {
    this.mode = mode;
    this.stage?.setMode(mode);
    for (const name of ['shaded', 'xray', 'wireframe']) this.press(name, name === mode);
    this.writeAddress();
  }

  private toggleSection(): void {
    this.section = this.section === null ? { axis: 'x', place: 0.5, flipped: false } : null;
    this.sectionTool.hidden = this.section === null;
    this.stage?.setSection(this.section);
    this.press('section', this.section !== null);
  }

  private toggleRuler(): void {
    this.ruler = !this.ruler;
    this.press('ruler', this.ruler);
    this.stage?.setRuler(this.ruler);
  }

  private press(name: string, pressed: boolean): void {
    this.tools.get(name)?.setAttribute('aria-pressed', String(pressed));
  }

  private tell(words: string): void {
    this.note.textContent = words.trim();
    this.note.hidden = words.trim() === '';
  }

  private clear(): void {
    this.pick(null);
    this.chooseClash(null, false);
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
    this.record = record;
    this.facts.setRecord(record);
    this.timeLine?.root.remove();
    this.timeLine = null;
    this.frame = frame;
    this.clash = null;
    if (fresh) {
      this.writeTitle();
      this.objects.show(frame);
      this.card.show(null, null);
      if (other) this.stage?.setCenter(record.center);
      this.stage?.show(frame);
      this.stage?.setBox([frame]);
      if (other) this.stage?.startCamera();
    } else {
      this.stage?.update(frame);
    }
    this.list.show(frame, record.units);
    this.facts.show(frame);
    this.tell('');
    this.writeVerdict();
  }

  /* An object is moved in the plane that faces the view, at the depth where it was taken. */
  private makeDraggable(on: boolean): void {
    if (this.stage === null) return;
    let taken: Hit | null = null;
    this.stage.dragging = !on ? null : (event, ray, hit) => {
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

  /* ------------------------------------------------------------------------------------------ keys and address */

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input[type=search], select')) return;
    const acts: Record<string, () => void> = {
      n: () => this.list.step(1), p: () => this.list.step(-1), '1': () => this.setMode('shaded'), '2': () => this.setMode('xray'),
      '3': () => this.setMode('wireframe'), x: () => this.toggleSection(), r: () => this.toggleRuler(), f: () => this.stage?.fit(),
      ',': () => this.timeLine?.step(-1), '.': () => this.timeLine?.step(1), k: () => this.timeLine?.toggle(), Escape: () => this.clear(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  private state(): PageState {
    return {
      camera: this.stage?.cameraNumbers(), clash: this.clash?.id, frame: this.frameNumber + 1, mode: this.mode,
    };
  }

  private addressTimer = 0;
  private writeAddress(): void {
    clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => writeState(this.state()), 150);
  }

  private async copyAddress(): Promise<void> {
    writeState(this.state());
    try {
      await navigator.clipboard.writeText(location.href);
      this.tell('The address is copied.');
    } catch {
      this.tell('The address line of the browser has this view.');
    }
  }
}
