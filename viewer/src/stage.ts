/* The 3D view: camera, light, modes, section plane, curves, ruler and picking. It draws only after a change.
 *
 * Callers pass and receive scene coordinates; the meshes are drawn relative to the center of the scene. */
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import type { BcfView } from './bcf';
import { type Hit, type Mode, ObjectShapes, releaseBuffers, type Selection } from './object_shapes';
import { theme, wantsStillness, witnessColor } from './palette';
import { type Clash, type Frame, type Vector, vertexOf } from './record';
import { type BoxLines, StructureBoxes } from './structure_boxes';

export type Axis = 'x' | 'y' | 'z';
export interface Section {
  axis: Axis;
  place: number; /* 0 to 1 through the box of the scene */
  flipped: boolean;
}

export interface StageListener {
  picked(hit: Hit | null): void;
  measured(distance: number | null): void;
  moved(): void; /* the camera came to rest */
}

const FLIGHT_MS = 450;
const CLICK_PIXELS = 5; /* the pointer moves less in a click */
const FIELD_OF_VIEW = 32;
const CURVE_WIDTH = 2.5;
const CHOSEN_WIDTH = 4.5;
const SNAPSHOT_WIDTH = 640, SNAPSHOT_HEIGHT = 480;

/* Sizes of scenes that can be drawn: shading multiplies four lengths of a pixel in single precision. */
const SMALLEST = 1e-7, LARGEST = 5e11;

/* Makes lines that are visible through all surfaces. */
function makeLines(color: string, width: number): LineSegments2 {
  const material = new LineMaterial({ color, linewidth: width, depthTest: false, transparent: true });
  const lines = new LineSegments2(new LineSegmentsGeometry(), material);
  lines.renderOrder = 10;
  lines.frustumCulled = false;
  lines.visible = false;
  return lines;
}

function setLines(lines: LineSegments2, points: number[] | Float32Array): void {
  lines.geometry.dispose();
  lines.visible = points.length > 0 && points.every((x: number) => Number.isFinite(x));
  lines.geometry = new LineSegmentsGeometry();
  if (lines.visible) lines.geometry.setPositions(points);
}

/* In pixels. Thousands of curves would hide the surface if they were as wide as a few. */
function curveWidth(segments: number): number {
  return Math.min(CURVE_WIDTH, Math.max(0.6, CURVE_WIDTH * Math.sqrt(3000 / segments)));
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly shapes: ObjectShapes;
  private readonly renderer: THREE.WebGLRenderer;
  private snapshots: THREE.WebGLRenderer | null = null;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  private controls: OrbitControls;
  private readonly sky = new THREE.HemisphereLight('#ffffff', '#b4bccb', 1.5);
  private readonly curves = makeLines('#000000', CURVE_WIDTH);
  private readonly chosenCurves = makeLines('#000000', CHOSEN_WIDTH);
  private readonly witnesses = makeLines(witnessColor, CURVE_WIDTH);
  private readonly ruler = makeLines(witnessColor, 2);
  private readonly picked = makeLines('#000000', 2);
  private readonly structure = new StructureBoxes();
  private readonly box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  private frame: Frame | null = null;
  private isDrawable = true;
  private queued = false;
  private flight = 0;
  private rulerPoints: THREE.Vector3[] = [];
  private rulerOn = false;
  dragging: ((event: 'start' | 'move', ray: THREE.Raycaster, hit: Hit | null) => boolean) | null = null;

  /* Throws if WebGL is not available. */
  constructor(private center: Vector, private readonly listener: StageListener) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.localClippingEnabled = true;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', '3D view. Arrow keys rotate, plus and minus zoom, F fits the scene to the view.');
    this.shapes = new ObjectShapes(center);
    this.scene.add(this.shapes.group, this.shapes.chosen, this.curves, this.chosenCurves, this.witnesses, this.ruler, this.picked, this.structure.lines);
    const sun = new THREE.DirectionalLight('#ffffff', 1.7);
    sun.position.set(-0.4, 0.7, 1);
    this.camera.add(sun);
    this.scene.add(this.camera, this.sky);
    this.controls = this.makeControls();
    this.applyTheme();
    this.watchPointer();
    this.canvas.addEventListener('keydown', (event) => this.turnByKey(event));
    this.canvas.addEventListener('webglcontextrestored', () => this.draw());
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => this.draw());
    controls.addEventListener('end', () => this.listener.moved());
    return controls;
  }

  applyTheme(): void {
    const colors = theme();
    const paper = document.createElement('canvas');
    paper.width = 2;
    paper.height = 256;
    const context = paper.getContext('2d');
    if (context !== null) {
      const fade = context.createLinearGradient(0, 0, 0, 256);
      fade.addColorStop(0, colors.top);
      fade.addColorStop(1, colors.bottom);
      context.fillStyle = fade;
      context.fillRect(0, 0, 2, 256);
      const texture = new THREE.CanvasTexture(paper);
      texture.colorSpace = THREE.SRGBColorSpace;
      this.scene.background = texture;
    }
    for (const lines of [this.curves, this.chosenCurves, this.picked]) lines.material.color.set(colors.curve);
    this.draw();
  }

  resize(width: number, height: number): void {
    const size = this.renderer.getSize(new THREE.Vector2());
    if (width < 2 || height < 2 || (size.width === width && size.height === height)) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /* ------------------------------------------------------------------------------------------ content */

  show(frame: Frame): void {
    this.frame = frame;
    this.shapes.show(frame);
    this.showLines(frame);
  }

  private showLines(frame: Frame): void {
    const segments = this.curveSegments(frame, 0, frame.curves.length / 4);
    setLines(this.curves, segments);
    this.curves.material.linewidth = curveWidth(segments.length / 6);
    setLines(this.witnesses, this.witnessSegments(frame, null));
    setLines(this.chosenCurves, []);
    setLines(this.picked, []);
    this.draw();
  }

  /* Shows the objects of the previous frame with new poses. */
  update(frame: Frame): void {
    this.frame = frame;
    this.shapes.update(frame);
    this.showLines(frame);
  }

  setCenter(center: Vector): void {
    this.center = this.shapes.center = center;
  }

  /* Sets the bounding box of the scene from these frames; it does not change while the scene moves. Returns false if the
   * scene is too large or too small to be drawn in single precision. */
  setBox(frames: Frame[]): boolean {
    const at: Vector = [0, 0, 0];
    const place = new THREE.Vector3();
    let isFinite = true;
    this.box.makeEmpty();
    for (const object of frames.flatMap((frame) => frame.objects))
      for (let vertex = 0; vertex < object.positions.length / 3; ++vertex) {
        const radius = object.kind === 'sphere' ? object.radii![vertex] : 0;
        vertexOf(object, vertex, at);
        place.set(at[0] - this.center[0] + radius, at[1] - this.center[1] + radius, at[2] - this.center[2] + radius);
        isFinite &&= place.toArray().every(Number.isFinite);
        this.box.expandByPoint(place).expandByPoint(place.addScalar(-2 * radius));
      }
    const size = this.box.getSize(new THREE.Vector3()).length();
    this.isDrawable = isFinite && (size === 0 || (size > SMALLEST && size < LARGEST));
    this.canvas.hidden = !this.isDrawable;
    if (this.box.isEmpty() || !isFinite) this.box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    if (this.section !== null) this.setSection(this.section);
    return this.isDrawable;
  }

  choose(clash: Clash | null): void {
    this.shapes.choose(clash);
    const frame = this.frame;
    const segments = frame === null || clash === null ? [] : this.curveSegments(frame, clash.firstCurve, clash.curveCount);
    setLines(this.chosenCurves, segments);
    if (frame !== null) setLines(this.witnesses, this.witnessSegments(frame, clash));
    this.draw();
  }

  select(chosen: Selection): void {
    this.shapes.select(chosen);
    setLines(this.chosenCurves, []);
    this.draw();
  }

  /* Draws the edges of a picked primitive: two points for each. */
  outline(ends: Vector[]): void {
    setLines(this.picked, ends.flatMap((end) => this.relative(end)));
    this.draw();
  }

  showStructure(boxes: BoxLines | null): void {
    this.structure.show(boxes);
    this.draw();
  }

  setMode(mode: Mode): void {
    this.shapes.setMode(mode);
    this.draw();
  }

  setHidden(objects: Set<number>): void {
    this.shapes.setHidden(objects);
    this.draw();
  }

  private section: Section | null = null;
  setSection(section: Section | null): void {
    this.section = section;
    this.shapes.setPlanes(this.planes());
    this.structure.setPlanes(this.planes());
    this.draw();
  }

  private planes(): THREE.Plane[] {
    if (this.section === null) return [];
    const { axis, place, flipped } = this.section;
    const low = this.box.min[axis], high = this.box.max[axis];
    const at = low + (high - low) * place;
    const normal = new THREE.Vector3();
    normal[axis] = flipped ? 1 : -1;
    return [new THREE.Plane(normal, flipped ? -at : at)];
  }

  private relative(p: Vector): Vector {
    return [p[0] - this.center[0], p[1] - this.center[1], p[2] - this.center[2]];
  }

  private curveSegments(frame: Frame, first: number, count: number): number[] {
    const points: number[] = [];
    for (let i = first; i < first + count; ++i) {
      const [, closed, start, length] = frame.curves.subarray(4 * i, 4 * i + 4);
      for (let k = 0; k + 1 < length + closed; ++k)
        for (const vertex of [start + k, start + ((k + 1) % length)])
          points.push(...frame.curvePoints.subarray(3 * vertex, 3 * vertex + 3));
    }
    return points;
  }

  /* Returns the shortest segment of each clash, or all segments of a selected clash with at most 2000 pairs. */
  private witnessSegments(frame: Frame, chosen: Clash | null): number[] {
    const points: number[] = [], distances = frame.distances;
    if (distances === null) return points;
    const push = (pair: number) => {
      for (const side of [1, 4])
        points.push(...this.relative(Array.from(distances.subarray(7 * pair + side, 7 * pair + side + 3)) as Vector));
    };
    for (const clash of chosen === null ? frame.clashes : [chosen]) {
      let best = clash.firstPair;
      for (let pair = clash.firstPair; pair < clash.firstPair + clash.pairCount; ++pair) {
        if (chosen !== null && clash.pairCount <= 2000) push(pair);
        if (distances[7 * pair] < distances[7 * best]) best = pair;
      }
      push(best);
    }
    return points;
  }

  /* ------------------------------------------------------------------------------------------ camera */

  fit(animated = true): void {
    this.flyTo(this.box, 1.08, animated);
  }

  flyToBox(low: Vector, high: Vector): void {
    const target = new THREE.Box3(new THREE.Vector3(...this.relative(low)), new THREE.Vector3(...this.relative(high)));
    this.flyTo(target, 1.9, true);
  }

  private flyTo(box: THREE.Box3, room: number, animated: boolean): void {
    const middle = box.getCenter(new THREE.Vector3());
    const whole = this.box.getSize(new THREE.Vector3()).length() || 1;
    const direction = this.camera.position.clone().sub(this.controls.target);
    if (direction.lengthSq() === 0) direction.set(0.7, 0.5, 1);
    direction.normalize();
    const away = Math.min(room * this.distanceFor(box, direction), 1.08 * this.distanceFor(this.box, direction));
    this.moveTo(middle.clone().addScaledVector(direction, Math.max(away, whole * 1e-3)), middle, animated);
  }

  /* Returns the distance from the center of a box, along a direction, at which the view just contains all corners. */
  private distanceFor(box: THREE.Box3, direction: THREE.Vector3, aspect = this.camera.aspect): number {
    const middle = box.getCenter(new THREE.Vector3());
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const tall = Math.tan((FIELD_OF_VIEW * Math.PI) / 360), wide = tall * aspect;
    let away = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const at = new THREE.Vector3(
        corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z).sub(middle);
      const needed = Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(up)) / tall);
      away = Math.max(away, needed + at.dot(direction));
    }
    return away;
  }

  private moveTo(eye: THREE.Vector3, target: THREE.Vector3, animated: boolean): void {
    const fromEye = this.camera.position.clone(), fromTarget = this.controls.target.clone();
    const number = ++this.flight;
    const begin = performance.now();
    const step = () => {
      if (number !== this.flight) return;
      const share = animated && !wantsStillness() ? Math.min(1, (performance.now() - begin) / FLIGHT_MS) : 1;
      const eased = share * share * (3 - 2 * share);
      this.camera.position.lerpVectors(fromEye, eye, eased);
      this.controls.target.lerpVectors(fromTarget, target, eased);
      this.controls.update();
      this.draw();
      if (share < 1) requestAnimationFrame(step);
      else this.listener.moved();
    };
    step();
  }

  /* Returns the rotation from an upright scene, in which y points up, to the current one. */
  private upright(): THREE.Quaternion {
    return new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.camera.up);
  }

  /* Makes an axis point up, and views the scene from the same side as before. Controls store the axis when made. */
  setUp(axis: Vector): void {
    const target = this.controls.target.clone();
    const offset = this.camera.position.clone().sub(target).applyQuaternion(this.upright().invert());
    this.camera.up.set(...axis);
    this.sky.position.copy(this.camera.up);
    this.controls.dispose();
    this.controls = this.makeControls();
    this.moveTo(target.clone().add(offset.applyQuaternion(this.upright())), target, false);
  }

  cameraNumbers(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  setCamera(numbers: number[]): void {
    if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return;
    this.moveTo(new THREE.Vector3(...numbers.slice(0, 3)), new THREE.Vector3(...numbers.slice(3)), false);
  }

  startCamera(): void {
    this.controls.target.copy(this.box.getCenter(new THREE.Vector3()));
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(0.75, 0.55, 1).applyQuaternion(this.upright()));
    this.fit(false);
  }

  private turnByKey(event: KeyboardEvent): void {
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.12], ArrowDown: [0, 0.12],
    };
    const offset = this.camera.position.clone().sub(this.controls.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') offset.multiplyScalar(0.88);
    else if (event.key === '-') offset.multiplyScalar(1.13);
    else if (event.key in turns) {
      const [around, up] = turns[event.key];
      const ball = new THREE.Spherical().setFromVector3(offset.applyQuaternion(this.upright().invert()));
      ball.theta += around;
      ball.phi = Math.min(Math.PI - 0.02, Math.max(0.02, ball.phi + up));
      offset.setFromSpherical(ball).applyQuaternion(this.upright());
    } else return;
    event.preventDefault();
    this.moveTo(this.controls.target.clone().add(offset), this.controls.target.clone(), false);
  }

  /* ------------------------------------------------------------------------------------------ pointer */

  rayAt(clientX: number, clientY: number): THREE.Raycaster {
    const area = this.canvas.getBoundingClientRect();
    const x = ((clientX - area.left) / area.width) * 2 - 1, y = 1 - ((clientY - area.top) / area.height) * 2;
    const ray = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return ray;
  }

  /* Intersects a ray with the plane through a point that is parallel to the screen. */
  pointFacing(ray: THREE.Raycaster, through: THREE.Vector3): THREE.Vector3 {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), through);
    return ray.ray.intersectPlane(plane, new THREE.Vector3()) ?? through.clone();
  }

  /* A click picks; a drag rotates the view, or moves an object in live mode. */
  private watchPointer(): void {
    let start: PointerEvent | null = null, taken = false, moved = false;
    const end = () => {
      this.controls.enabled = true;
      start = null;
      taken = false;
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      if (taken) return; /* another finger */
      start = event;
      moved = false;
      if (this.dragging === null || event.button !== 0) return;
      const ray = this.rayAt(event.clientX, event.clientY);
      taken = this.dragging('start', ray, this.shapes.pick(ray));
      this.controls.enabled = !taken;
      if (taken) this.canvas.setPointerCapture(event.pointerId);
    }, true);
    this.canvas.addEventListener('pointermove', (event) => {
      if (start === null || event.pointerId !== start.pointerId) return;
      moved ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) >= CLICK_PIXELS;
      if (taken && moved) this.dragging?.('move', this.rayAt(event.clientX, event.clientY), null);
    });
    this.canvas.addEventListener('pointerup', (event) => {
      if (start === null || event.pointerId !== start.pointerId) return;
      const clicked = !moved && event.button === 0;
      end();
      if (clicked) this.press(event);
    });
    this.canvas.addEventListener('pointercancel', end);
  }

  private press(event: PointerEvent): void {
    const hit = this.shapes.pick(this.rayAt(event.clientX, event.clientY));
    if (!this.rulerOn) this.listener.picked(hit);
    else if (hit !== null) this.addRulerPoint(hit.point);
  }

  setRuler(on: boolean): void {
    this.rulerOn = on;
    this.rulerPoints = [];
    setLines(this.ruler, []);
    this.listener.measured(null);
    this.draw();
  }

  private addRulerPoint(point: THREE.Vector3): void {
    if (this.rulerPoints.length === 2) this.rulerPoints = [];
    this.rulerPoints.push(point);
    if (this.rulerPoints.length < 2) setLines(this.ruler, []);
    else setLines(this.ruler, this.rulerPoints.flatMap((p) => p.toArray()));
    this.listener.measured(this.rulerPoints.length < 2 ? null : this.rulerPoints[0].distanceTo(this.rulerPoints[1]));
    this.draw();
  }

  /* ------------------------------------------------------------------------------------------ drawing */

  draw(): void {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.drawNow();
    });
  }

  private setRange(camera: THREE.PerspectiveCamera, away: number): void {
    const size = this.box.getSize(new THREE.Vector3()).length() || 1;
    camera.far = camera.position.distanceTo(this.box.getCenter(new THREE.Vector3())) + 3 * size;
    camera.near = Math.max(camera.far * 1e-5, away * 0.02);
    camera.updateProjectionMatrix();
  }

  private drawNow(): void {
    if (!this.isDrawable) return;
    this.setRange(this.camera, this.camera.position.distanceTo(this.controls.target));
    this.renderer.render(this.scene, this.camera);
  }

  /* Returns an orthographic camera with the direction of the current view that lies outside the scene, with the largest
   * clash of a list in the center; with a snapshot of only these objects if it is wanted. */
  async lookAt(clashes: Clash[], objects: number[], pictured: boolean): Promise<BcfView> {
    const largest = clashes.reduce((most, clash) => (clash.pairCount > most.pairCount ? clash : most));
    const { low, high } = largest;
    const target = new THREE.Box3(new THREE.Vector3(...this.relative(low)), new THREE.Vector3(...this.relative(high)));
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const whole = this.box.getSize(new THREE.Vector3()).length() || 1;
    const away = Math.max(1.9 * this.distanceFor(target, direction, SNAPSHOT_WIDTH / SNAPSHOT_HEIGHT), whole * 1e-3);
    const height = 2 * away * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    const middle = target.getCenter(new THREE.Vector3());
    const png = pictured && this.isDrawable ? await this.snapshot(largest, objects, middle, direction, away) : null;
    const eye = middle.clone().addScaledVector(direction, whole).add(new THREE.Vector3(...this.center));
    const up = new THREE.Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion);
    return { eye: eye.toArray(), direction: direction.clone().negate().toArray(), up: up.toArray(), height, png };
  }

  /* Snapshots have a small canvas of their own that is never displayed: the view is neither changed nor drawn again.
   * Antialiasing would take twice as long without a graphics card. */
  private async snapshot(clash: Clash, objects: number[], middle: THREE.Vector3, direction: THREE.Vector3, away: number): Promise<Uint8Array | null> {
    if (this.snapshots === null) {
      this.snapshots = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
      this.snapshots.setSize(SNAPSHOT_WIDTH, SNAPSHOT_HEIGHT, false);
    }
    const scene = new THREE.Scene(), camera = this.camera.clone(); /* with its light */
    const frame = this.frame!, shapes = this.shapes.copyOf(objects, clash);
    const curves = makeLines(theme().curve, CHOSEN_WIDTH), witnesses = makeLines(witnessColor, CURVE_WIDTH);
    setLines(curves, this.curveSegments(frame, clash.firstCurve, clash.curveCount));
    setLines(witnesses, this.witnessSegments(frame, clash));
    camera.aspect = SNAPSHOT_WIDTH / SNAPSHOT_HEIGHT;
    camera.position.copy(middle).addScaledVector(direction, away);
    this.setRange(camera, away);
    scene.background = this.scene.background;
    scene.add(camera, this.sky.clone(), ...shapes, curves, witnesses);
    const { domElement } = this.snapshots;
    this.snapshots.render(scene, camera);
    for (const mesh of [...shapes, curves, witnesses]) releaseBuffers(mesh);
    const blob = await new Promise<Blob | null>((resolve) => domElement.toBlob(resolve, 'image/png'));
    return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
  }

  /* Returns the current view as PNG. */
  picture(): Promise<Blob | null> {
    this.drawNow();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }
}
