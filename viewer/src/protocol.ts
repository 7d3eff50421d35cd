// What the program tells the page: JSON for descriptions, little-endian numbers for the rest. docs/viewer.md has the
// layouts. Functions here are pure: bytes in, plain data out.

export interface Series {
  path: string;
  labels: string[];
  units: string[];
}

export type Shape =
  | { type: 'box'; size: [number, number, number] }
  | { type: 'sphere'; radius: number }
  | { type: 'cylinder' | 'capsule'; radius: number; length: number }
  | { type: 'mesh'; index: number };

export interface Look {
  body: number;
  position: [number, number, number];
  quaternion: [number, number, number, number]; // w, x, y, z
  color: [number, number, number];
  shape: Shape;
}

export interface SoilGrid {
  origin: [number, number];
  spacing: number;
  nx: number;
  ny: number;
  side: number;
}

export interface RunEvent {
  time: number;
  name: string;
}

export interface Summary {
  outcome?: string;
  verdict?: unknown;
  warnings?: string[];
  alarms?: { message: string; time_s: number | null }[];
  real_time_factor?: number;
  [key: string]: unknown;
}

/** Alarms of a summary, as marks of time. */
export function alarmsOf(summary: Summary | null): RunEvent[] {
  const alarms = Array.isArray(summary?.alarms) ? summary.alarms : [];
  return alarms.map((alarm) => ({ time: alarm.time_s ?? 0, name: alarm.message }));
}

export interface RunDescription {
  mode: 'recorded' | 'live';
  scene: {
    name: string;
    file: string;
    text: string;
    integrator: string;
    step: number;
    gravity: [number, number, number];
    version: string;
    [key: string]: unknown;
  };
  rows: number;
  complete: boolean;
  bodies: string[];
  wheels: { name: string; body: number }[];
  events: RunEvent[];
  looks: Look[];
  warnings: string[];
  series: Series[];
  ground: boolean;
  soil: SoilGrid | null;
  summary: Summary | null;
  drivable?: boolean;
  duration?: number;
}

export interface Ground {
  nx: number;
  ny: number;
  origin: [number, number];
  spacing: number;
  heights: Float32Array;
}

export interface MeshData {
  positions: Float32Array;
  corners: Uint32Array;
}

export interface SoilIndex {
  times: Float64Array;
  until: Uint32Array;
  places: Int32Array;
}

/** Whether the page shows a quantity; of the others, poses apart, it keeps nothing. */
export function isShown(series: Series): boolean {
  return /^\/(wheels|rovers|energy|contacts)\//.test(series.path) && series.labels.length <= 400;
}

/** Numbers of one pose: position x y z, quaternion x y z w. */
export const kPose = 7;

/** Reads numbers one after the other; throws RangeError beyond the end. */
class Reader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }

  u32(): number {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }
  f32(): number {
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }
  f64(): number {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }
  /** Copies, because offsets need not fit the type. */
  private take(count: number, size: number): ArrayBuffer {
    const end = this.at + count * size;
    if (end > this.buffer.byteLength) throw new RangeError('a message is too short');
    const part = this.buffer.slice(this.at, end);
    this.at = end;
    return part;
  }
  f32s(count: number): Float32Array {
    return new Float32Array(this.take(count, 4));
  }
  f64s(count: number): Float64Array {
    return new Float64Array(this.take(count, 8));
  }
  u32s(count: number): Uint32Array {
    return new Uint32Array(this.take(count, 4));
  }
  i32s(count: number): Int32Array {
    return new Int32Array(this.take(count, 4));
  }
}

export function decodeGround(buffer: ArrayBuffer): Ground {
  const read = new Reader(buffer);
  const nx = read.u32();
  const ny = read.u32();
  const origin: [number, number] = [read.f64(), read.f64()];
  const spacing = read.f64();
  return { nx, ny, origin, spacing, heights: read.f32s(nx * ny) };
}

export function decodeMeshes(buffer: ArrayBuffer): MeshData[] {
  const read = new Reader(buffer);
  const count = read.u32();
  const meshes: MeshData[] = [];
  for (let k = 0; k < count; ++k) {
    const vertices = read.u32();
    const triangles = read.u32();
    meshes.push({ positions: read.f32s(3 * vertices), corners: read.u32s(3 * triangles) });
  }
  return meshes;
}

export function decodeFrames(buffer: ArrayBuffer, bodies: number): { times: Float64Array; poses: Float32Array } {
  const rows = buffer.byteLength / (8 + 4 * kPose * bodies);
  if (!Number.isInteger(rows)) throw new RangeError('frames have an unexpected size');
  const read = new Reader(buffer);
  return { times: read.f64s(rows), poses: read.f32s(rows * bodies * kPose) };
}

export function decodeSoilIndex(buffer: ArrayBuffer): SoilIndex {
  const read = new Reader(buffer);
  const snapshots = read.u32();
  const blocks = read.u32();
  return { times: read.f64s(snapshots), until: read.u32s(snapshots), places: read.i32s(2 * blocks) };
}

/** An instant of a live run. */
export interface LiveFrame {
  sequence: number;
  time: number;
  paused: boolean;
  driven: boolean;
  limited: boolean;
  ended: boolean;
  realTimeFactor: number;
  stepMs: number;
  /** Of all series, one after the other, in their order. */
  values: Float32Array;
  places: Int32Array;
  changes: Float32Array;
}

export function decodeLiveFrame(buffer: ArrayBuffer, blockSize: number): LiveFrame {
  const read = new Reader(buffer);
  const sequence = read.u32();
  const flags = read.u32();
  const time = read.f64();
  const realTimeFactor = read.f32();
  const stepMs = read.f32();
  const values = read.f32s(read.u32());
  const blocks = read.u32();
  return {
    sequence,
    time,
    paused: (flags & 1) !== 0,
    driven: (flags & 2) !== 0,
    limited: (flags & 4) !== 0,
    ended: (flags & 8) !== 0,
    realTimeFactor,
    stepMs,
    values,
    places: read.i32s(2 * blocks),
    changes: read.f32s(blocks * blockSize),
  };
}
