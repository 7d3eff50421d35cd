import type { Clock } from './clock';
import { button, make } from './dom';
import { alarmsOf, type RunEvent } from './protocol';
import type { RunStore } from './store';

const kSpeeds = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16];

/** The bar at the bottom: play, step, speed, loop, and a line of time to be scrubbed, with marks of events. */
export class Timeline {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly label = make('span', { class: 'time' });
  private readonly track = make('div', { class: 'track', role: 'slider', tabindex: '-1', 'aria-label': 'time' });
  private readonly done = make('div', { class: 'done' });
  private readonly knob = make('div', { class: 'knob' });
  private readonly marks = make('div', { class: 'marks' });

  constructor(
    private readonly store: RunStore,
    private readonly clock: Clock,
    extra: HTMLElement[],
  ) {
    this.play = button('▶', 'Play or pause (Space)', () => clock.toggle());
    this.loop = button('⟲', 'Loop', () => {
      clock.loop = !clock.loop;
      clock.onChange();
    });
    this.speed = make('select', { title: 'Speed (+ and −)' });
    for (const s of kSpeeds) this.speed.append(make('option', { value: String(s) }, s < 1 ? `1/${1 / s} ×` : `${s} ×`));
    this.speed.addEventListener('change', () => {
      clock.setSpeed(Number(this.speed.value));
      this.speed.blur();
    });
    this.track.append(this.done, this.marks, this.knob);
    this.element = make(
      'div',
      { class: 'timeline panel' },
      button('|◂', 'To the beginning (Home)', () => clock.seek(store.start)),
      button('◂', 'One sample back (←)', () => clock.step(-1)),
      this.play,
      button('▸', 'One sample on (→)', () => clock.step(1)),
      button('▸|', 'To the end (End)', () => clock.toEdge()),
      this.label,
      this.track,
      this.speed,
      this.loop,
      ...extra,
    );
    this.track.addEventListener('pointerdown', (event) => this.scrub(event));
    this.markEvents();
  }

  private scrub(start: PointerEvent): void {
    const move = (event: PointerEvent) => {
      const box = this.track.getBoundingClientRect();
      const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      this.clock.seek(this.store.start + part * (this.store.end - this.store.start));
    };
    this.track.setPointerCapture(start.pointerId);
    this.track.addEventListener('pointermove', move);
    const end = () => this.track.removeEventListener('pointermove', move);
    this.track.addEventListener('pointerup', end, { once: true });
    this.track.addEventListener('pointercancel', end, { once: true });
    move(start);
  }

  private part(time: number): string {
    const length = this.store.end - this.store.start;
    return `${length > 0 ? (100 * (time - this.store.start)) / length : 0}%`;
  }

  markEvents(): void {
    const { about } = this.store;
    const markOf = (kind: string) => (event: RunEvent) => {
      const mark = make('i', { class: kind, title: `${event.name} at ${event.time.toFixed(3)} s` });
      mark.style.left = this.part(event.time);
      return mark;
    };
    this.marks.replaceChildren(...about.events.map(markOf('event')), ...alarmsOf(about.summary).map(markOf('alarm')));
  }

  update(): void {
    const { clock, store } = this;
    this.play.textContent = clock.playing || clock.atEdge ? '❚❚' : '▶';
    this.loop.classList.toggle('on', clock.loop);
    const nearest = kSpeeds.reduce((a, b) => (Math.abs(b - clock.speed) < Math.abs(a - clock.speed) ? b : a));
    this.speed.value = String(nearest);
    this.label.textContent = `${clock.time.toFixed(2)} / ${store.end.toFixed(2)} s`;
    this.done.style.width = this.part(clock.time);
    this.knob.style.left = this.part(clock.time);
    this.track.setAttribute('aria-valuenow', clock.time.toFixed(3));
  }
}
