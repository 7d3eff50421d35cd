import { GrowingFloats } from './growing';
import type { SoilGrid } from './protocol';
import { lastNotAbove } from './store';

/** A square of nodes: (a, b) holds the nodes (side a ..., side b ...). */
export interface BlockChange {
  a: number;
  b: number;
}

interface Block extends BlockChange {
  rows: number[]; // its versions, rising
  shown: number; // which of them is shown; -1: untouched
}

/**
 * How the ground was changed over time. Keeps all versions of all blocks, so that any time can be shown, forwards and
 * back; moving to another time costs as much as changes between the two.
 */
export class SoilHistory {
  readonly times: number[] = [];
  private readonly until: number[] = [];
  private readonly order: Block[] = []; // the block of each row
  private readonly blocks = new Map<number, Block>();
  private readonly values = new GrowingFloats(1 << 16);
  private readonly blockSize: number;
  private readonly across: number;
  private shownRows = 0; // rows that are taken into account in what is shown

  constructor(readonly grid: SoilGrid) {
    this.blockSize = grid.side * grid.side;
    this.across = Math.ceil(grid.nx / grid.side);
  }

  /** Adds what was recorded at a time: places of blocks and their nodes' changes of height [m]. */
  append(time: number, places: ArrayLike<number>, changes: Float32Array): void {
    this.values.push(changes);
    for (let k = 0; 2 * k < places.length; ++k) {
      const block = this.blockAt(places[2 * k], places[2 * k + 1]);
      block.rows.push(this.order.length);
      this.order.push(block);
    }
    this.times.push(time);
    this.until.push(this.order.length);
  }

  private blockAt(a: number, b: number): Block {
    const key = b * this.across + a;
    let block = this.blocks.get(key);
    if (!block) {
      block = { a, b, rows: [], shown: -1 };
      this.blocks.set(key, block);
    }
    return block;
  }

  /** Shows the ground as it was recorded last at or before `time`; returns the blocks that look different now. */
  seek(time: number): BlockChange[] {
    const snapshot = lastNotAbove(this.times, this.times.length, time + 1e-9);
    const none = this.times.length === 0 || this.times[0] > time + 1e-9;
    const target = none ? 0 : this.until[snapshot];
    const first = Math.min(target, this.shownRows);
    const last = Math.max(target, this.shownRows);
    this.shownRows = target;
    const changed = new Set<Block>();
    for (let row = first; row < last; ++row) changed.add(this.order[row]);
    const differing: BlockChange[] = [];
    for (const block of changed) {
      const before = block.shown;
      const index = lastNotAbove(block.rows, block.rows.length, target - 1);
      block.shown = target > block.rows[0] ? block.rows[index] : -1;
      if (block.shown !== before) differing.push(block);
    }
    return differing;
  }

  /** What is shown of a block; undefined where nothing was touched. */
  shown(a: number, b: number): Float32Array | undefined {
    const block = this.blocks.get(b * this.across + a);
    if (!block || block.shown < 0) return undefined;
    return this.values.slice(block.shown * this.blockSize, (block.shown + 1) * this.blockSize);
  }

  /** Change of height at a node as it is shown [m]. */
  at(i: number, j: number): number {
    const { side } = this.grid;
    const block = this.shown(Math.floor(i / side), Math.floor(j / side));
    return block ? block[(j % side) * side + (i % side)] : 0;
  }

  /** Changes of height as they are shown of the nodes (i0 ..., j0 ...), `w` along x, into a table of as many columns [m]. */
  fill(i0: number, j0: number, w: number, h: number, out: Float32Array): void {
    const { side } = this.grid;
    out.fill(0);
    for (let b = Math.floor(Math.max(j0, 0) / side); b * side < j0 + h; ++b) {
      for (let a = Math.floor(Math.max(i0, 0) / side); a * side < i0 + w; ++a) {
        const block = this.shown(a, b);
        if (!block) continue;
        for (let j = Math.max(b * side, j0); j < Math.min((b + 1) * side, j0 + h); ++j) {
          for (let i = Math.max(a * side, i0); i < Math.min((a + 1) * side, i0 + w); ++i) {
            out[(j - j0) * w + i - i0] = block[(j - b * side) * side + i - a * side];
          }
        }
      }
    }
  }

  /** All that a node looked like, in order of time. */
  versionsAt(i: number, j: number): { time: number; change: number }[] {
    const { side } = this.grid;
    const block = this.blocks.get(Math.floor(j / side) * this.across + Math.floor(i / side));
    const node = (j % side) * side + (i % side);
    return (block?.rows ?? []).map((row) => ({
      // A row belongs to the first snapshot that counts it.
      time: this.times[this.until[0] > row ? 0 : lastNotAbove(this.until, this.until.length, row) + 1],
      change: this.values.at(row * this.blockSize + node),
    }));
  }

  /** Depth and height that all but a few nodes in a hundred stay within, over all times [m]. */
  range(): { sunk: number; heaped: number } {
    const values = this.values.view;
    const stride = Math.max(1, Math.floor(values.length / 50_000));
    const down: number[] = [];
    const up: number[] = [];
    for (let k = 0; k < values.length; k += stride) {
      if (values[k] < -5e-4) down.push(-values[k]);
      else if (values[k] > 5e-4) up.push(values[k]);
    }
    const edge = (list: number[]) => {
      list.sort((x, y) => x - y);
      return list.length === 0 ? 0 : list[Math.min(list.length - 1, Math.floor(0.96 * list.length))];
    };
    return { sunk: edge(down), heaped: edge(up) };
  }
}

/** The next number of 1, 1.5, 2, 3, 5, 7, 10, 15, ... that is not smaller: scales change rarely that way. */
export function roundScale(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  for (const step of [1, 1.5, 2, 3, 5, 7, 10]) if (step * power >= value * 0.999) return step * power;
  return 10 * power;
}
