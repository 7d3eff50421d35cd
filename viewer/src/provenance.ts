import { lastNotAbove } from './store';

/** How a place of the ground was changed by a pass of a wheel. */
export interface Pass {
  wheel: number; // -1: none was near; soil slid there
  row: number; // the sample at which the wheel was nearest
  time: number; // of that sample [s]
  change: number; // of the height, by all of the pass [m]
}

/** What a place looked like from a time on. */
export interface Version {
  time: number;
  change: number; // against the untouched ground [m]
}

/** Where wheels were: rising times of samples, and the hub of a wheel in a row, seen from above. */
export interface Hubs {
  times: ArrayLike<number>;
  count: number;
  wheels: number;
  at: (row: number, wheel: number) => readonly [number, number];
}

const kLeast = 2e-4; // change that counts [m]

/**
 * Which wheels changed a place, and when: between two records of the ground the wheel whose hub came nearest, if within
 * `reach` [m]. Changes by the same wheel that follow each other within two seconds are one pass.
 */
export function passesAt(versions: Version[], hubs: Hubs, place: readonly [number, number], reach: number): Pass[] {
  const passes: Pass[] = [];
  let before: Version = { time: hubs.times[0] ?? 0, change: 0 };
  for (const version of versions) {
    const change = version.change - before.change;
    if (Math.abs(change) >= kLeast) {
      const pass = { ...nearest(hubs, before.time, version.time, place, reach), change };
      const last = passes[passes.length - 1];
      if (last && last.wheel === pass.wheel && pass.time - last.time < 2) last.change += change;
      else passes.push(pass);
    }
    before = version;
  }
  return passes;
}

function nearest(hubs: Hubs, from: number, to: number, place: readonly [number, number], reach: number): Omit<Pass, 'change'> {
  const first = lastNotAbove(hubs.times, hubs.count, from);
  const last = lastNotAbove(hubs.times, hubs.count, to + 1e-9);
  let best = { wheel: -1, row: last, distance: reach };
  for (let row = first; row <= last; ++row) {
    for (let wheel = 0; wheel < hubs.wheels; ++wheel) {
      const [x, y] = hubs.at(row, wheel);
      const distance = Math.hypot(x - place[0], y - place[1]);
      if (distance < best.distance) best = { wheel, row, distance };
    }
  }
  return { wheel: best.wheel, row: best.row, time: hubs.times[best.row] };
}
