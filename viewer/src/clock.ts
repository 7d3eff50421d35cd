import type { RunStore } from './store';

/** The time that is shown: plays, stops, jumps; at the live edge it follows a run that goes on. */
export class Clock {
  time = 0;
  speed = 1;
  playing = false;
  loop = false;
  atEdge = false; // of a live run
  onChange: () => void = () => {};

  constructor(private readonly store: RunStore) {}

  /** After `elapsed` seconds of the wall clock. Returns whether another time is shown. */
  advance(elapsed: number): boolean {
    const before = this.time;
    if (this.atEdge) this.time = this.store.end;
    else if (this.playing) this.play(elapsed);
    return this.time !== before;
  }

  private play(elapsed: number): void {
    this.time += elapsed * this.speed;
    if (this.time < this.store.end) return;
    if (this.loop) {
      this.time = this.store.start;
    } else {
      this.time = this.store.end;
      this.playing = false;
      this.atEdge = this.store.about.mode === 'live';
    }
    this.onChange();
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.store.start), this.store.end);
    this.atEdge = false;
    this.onChange();
  }

  /** Plays or stops; at the edge of a live run it stays behind. */
  toggle(): void {
    this.playing = !this.playing && !this.atEdge;
    this.atEdge = false;
    if (this.playing && this.time >= this.store.end) this.time = this.store.start;
    this.onChange();
  }

  /** By samples. */
  step(rows: number): void {
    const { row } = this.store.instantAt(this.time);
    this.playing = false;
    const next = Math.min(Math.max(row + rows, 0), this.store.rows - 1);
    this.seek(this.store.times[next] ?? 0);
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(64, Math.max(1 / 32, speed));
    this.onChange();
  }

  toEdge(): void {
    this.time = this.store.end;
    this.atEdge = this.store.about.mode === 'live';
    this.playing = false;
    this.onChange();
  }
}
