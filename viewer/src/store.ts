import { GrowingFloats } from './growing';
import { kPose, type RunDescription, type Series } from './protocol';

/** A place between two rows: `fraction` of the way from `row` to the next one. */
export interface Instant {
  row: number;
  fraction: number;
}

/** The last index whose value is not above `wanted`, at least 0. `values` rise. */
export function lastNotAbove(values: ArrayLike<number>, count: number, wanted: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Columns of one quantity, row by row. */
export class SeriesData {
  readonly columns: number;
  readonly values = new GrowingFloats();

  constructor(readonly about: Series) {
    this.columns = about.labels.length;
  }
  get rows(): number {
    return this.columns === 0 ? 0 : this.values.length / this.columns;
  }
  at(row: number, column: number): number {
    return this.values.at(row * this.columns + column);
  }
}

/** All that is known of a run so far: samples of poses and of other quantities. Live runs grow. */
export class RunStore {
  readonly times: number[] = [];
  readonly series = new Map<string, SeriesData>();
  private readonly poses = new GrowingFloats();

  constructor(readonly about: RunDescription) {
    for (const one of about.series) this.series.set(one.path, new SeriesData(one));
  }

  get rows(): number {
    return this.times.length;
  }
  get start(): number {
    return this.times[0] ?? 0;
  }
  get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }

  appendFrames(times: ArrayLike<number>, poses: Float32Array): void {
    for (let k = 0; k < times.length; ++k) this.times.push(times[k]);
    this.poses.push(poses);
  }

  instantAt(time: number): Instant {
    const row = lastNotAbove(this.times, this.rows, time);
    if (row + 1 >= this.rows || time <= this.times[row]) return { row, fraction: 0 };
    return { row, fraction: Math.min(1, (time - this.times[row]) / (this.times[row + 1] - this.times[row])) };
  }

  /** Pose of a body in a row: seven numbers. */
  pose(row: number, body: number): Float32Array {
    const first = (row * this.about.bodies.length + body) * kPose;
    return this.poses.slice(first, first + kPose);
  }

  /** A number of a row; undefined if there is none, or not yet. */
  value(path: string, row: number, column: number): number | undefined {
    const data = this.series.get(path);
    return data && row < data.rows && column < data.columns ? data.at(row, column) : undefined;
  }
}
