/* The timeline of a moving scene: a slider, a play button, and a stacked chart of stage times that marks the frame. */
import uPlot from 'uplot';
import { element, icon, icons } from './dom';
import { stageColors } from './palette';
import type { PageRecord } from './record';
import { grouped, milliseconds } from './words';

const FRAME_MS = 100;

/* Returns the stages that take time in any frame, in the order of execution. */
function stagesOf(record: PageRecord): string[] {
  return Object.keys(record.frames[0].timings).filter((stage) => record.frames.some((frame) => frame.timings[stage] > 0));
}

export class TimeLine {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly playButton: HTMLButtonElement;
  private readonly words = element('output', { class: 'frame-words' });
  private readonly plotPlace = element('div', { class: 'plot', role: 'img', 'aria-label': 'Time of each stage in milliseconds, by frame' });
  private plot: uPlot | null = null;
  private timer = 0;
  private current = 0;

  constructor(private readonly record: PageRecord, private readonly changed: (frame: number) => void) {
    const last = record.frames.length - 1;
    this.slider = element('input', {
      type: 'range', min: 0, max: last, value: 0, step: 1, 'aria-label': 'Frame', oninput: () => this.go(Number(this.slider.value)),
    });
    this.playButton = element('button', { type: 'button', class: 'tool', 'aria-label': 'Play', onclick: () => this.toggle() }, icon(icons.play));
    this.root = element('div', { class: 'timeline' },
      element('div', { class: 'scrub' }, this.playButton, this.slider, this.words), this.plotPlace, this.legend());
  }

  private legend(): HTMLElement {
    return element('ul', { class: 'legend', 'aria-label': 'Stages' }, ...stagesOf(this.record).map((stage, i) => {
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = stageColors[i % stageColors.length];
      return element('li', {}, swatch, stage);
    }));
  }

  /* Call once the element is in the document and has a width. Areas overlap, so the largest sum is drawn first. */
  resize(): void {
    const width = this.plotPlace.clientWidth;
    if (width < 20) return;
    this.plot?.destroy();
    const stages = stagesOf(this.record);
    const frames = this.record.frames;
    const ink = getComputedStyle(this.root).getPropertyValue('--quiet') || '#666';
    const sums = frames.map(() => 0);
    const layers = stages.map((stage) => frames.map((frame, i) => (sums[i] += frame.timings[stage])));
    const axis = { stroke: ink, grid: { show: false }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
    this.plot = new uPlot({
      width, height: 86, legend: { show: false }, padding: [6, 6, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { setScale: false } },
      scales: { x: { time: false, range: [1, Math.max(2, frames.length)] }, y: { range: (_, __, high) => [0, high || 1] } },
      axes: [{ ...axis, size: 18, gap: 2, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000] }, { ...axis, size: 46, gap: 2, values: (_, ticks) => ticks.map((tick) => tick + ' ms') }],
      series: [{}, ...stages.map((stage, i) => ({
        label: stage, fill: stageColors[i % stageColors.length], stroke: stageColors[i % stageColors.length], width: 1, points: { show: frames.length === 1 },
      })).reverse()],
      hooks: { draw: [(plot) => this.drawCurrent(plot)] },
    }, [frames.map((_, i) => i + 1), ...layers.reverse()], this.plotPlace);
    this.plot.over.addEventListener('click', (event) => {
      this.go(Math.round(this.plot!.posToVal(event.offsetX, 'x')) - 1);
    });
  }

  private drawCurrent(plot: uPlot): void {
    const x = plot.valToPos(this.current + 1, 'x', true);
    const context = plot.ctx;
    context.save();
    context.strokeStyle = getComputedStyle(this.root).getPropertyValue('--ink') || '#000';
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x, plot.bbox.top);
    context.lineTo(x, plot.bbox.top + plot.bbox.height);
    context.stroke();
    context.restore();
  }

  /* Shows a frame, counted from 0, and notifies the page. */
  go(frame: number): void {
    const last = this.record.frames.length - 1;
    this.current = Math.min(last, Math.max(0, frame));
    const shown = this.record.frames[this.current];
    this.slider.value = String(this.current);
    this.slider.setAttribute('aria-valuetext', 'frame ' + (this.current + 1) + ', ' + shown.pairs.length / 4 + ' pairs');
    this.words.textContent = this.current + 1 + ' / ' + (last + 1) + ' · ' + grouped(shown.pairs.length / 4) + ' pairs · ' + milliseconds(shown.frameMs);
    this.plot?.redraw(false);
    this.changed(this.current);
  }

  step(by: number): void {
    this.go(this.current + by);
  }

  toggle(): void {
    if (this.timer !== 0) {
      this.pause();
      return;
    }
    this.showPlaying(true);
    this.playOn();
  }

  pause(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.showPlaying(false);
  }

  private showPlaying(plays: boolean): void {
    this.playButton.replaceChildren(icon(plays ? icons.pause : icons.play));
    this.playButton.setAttribute('aria-label', plays ? 'Pause' : 'Play');
    this.words.setAttribute('aria-live', plays ? 'off' : 'polite'); /* screen readers announce single steps only */
  }

  /* The delay starts after a frame is drawn, so a slow machine still shows every frame. */
  private playOn(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.go((this.current + 1) % this.record.frames.length);
      requestAnimationFrame(() => this.timer !== 0 && this.playOn());
    }, FRAME_MS);
  }
}
