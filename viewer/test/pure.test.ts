// The page's pure functions, in Node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../src/pace';
import { passesAt } from '../src/provenance';
import { linkOf, parseLink } from '../src/link';
import { parseCsv, spreadRows } from '../src/plot_data';
import { decodeFrames, decodeGround, decodeLiveFrame, decodeSoilIndex, type RunDescription } from '../src/protocol';
import { roundScale, SoilHistory } from '../src/soil';
import { lastNotAbove, RunStore } from '../src/store';
import { baseHeight } from '../src/terrain';

/** Little-endian bytes of numbers, each by its type. */
function bytes(...items: ['u' | 'i' | 'f' | 'd', ...number[]][]): ArrayBuffer {
  const buffer = new ArrayBuffer(items.reduce((sum, [type, ...list]) => sum + (type === 'd' ? 8 : 4) * list.length, 0));
  const view = new DataView(buffer);
  let at = 0;
  for (const [type, ...list] of items) {
    for (const x of list) {
      if (type === 'u') view.setUint32(at, x, true);
      if (type === 'i') view.setInt32(at, x, true);
      if (type === 'f') view.setFloat32(at, x, true);
      if (type === 'd') view.setFloat64(at, x, true);
      at += type === 'd' ? 8 : 4;
    }
  }
  return buffer;
}

const about = { mode: 'recorded', series: [], bodies: ['a', 'b'], events: [] } as unknown as RunDescription;

test('ground is decoded and interpolated', () => {
  const ground = decodeGround(bytes(['u', 2, 2], ['d', 1, 2, 0.5], ['f', 0, 1, 2, 3]));
  assert.deepEqual(ground.origin, [1, 2]);
  assert.equal(baseHeight(ground, 1.25, 2.25), 1.5);
  assert.equal(baseHeight(ground, -9, -9), 0); // level beyond the border
  assert.equal(baseHeight(ground, 9, 9), 3);
});

test('messages that are too short are refused', () => {
  assert.throws(() => decodeGround(bytes(['u', 2, 2], ['d', 1, 2, 0.5], ['f', 0])), RangeError);
  assert.throws(() => decodeFrames(new ArrayBuffer(10), 1), RangeError);
  assert.throws(() => decodeLiveFrame(new ArrayBuffer(12), 256), RangeError);
});

test('frames and places between them', () => {
  const pose = [0, 0, 0, 0, 0, 0, 1];
  const { times, poses } = decodeFrames(bytes(['d', 1, 2], ['f', ...pose, ...pose, ...pose, ...pose]), 2);
  const store = new RunStore(about);
  store.appendFrames(times, poses);
  assert.deepEqual(store.instantAt(0), { row: 0, fraction: 0 });
  assert.deepEqual(store.instantAt(1.25), { row: 0, fraction: 0.25 });
  assert.deepEqual(store.instantAt(7), { row: 1, fraction: 0 });
  assert.equal(store.pose(1, 1)[6], 1);
});

test('a live frame', () => {
  const frame = decodeLiveFrame(bytes(['u', 3, 1 | 8], ['d', 2.5], ['f', 4, 0.5], ['u', 2], ['f', 7, 8], ['u', 1], ['i', 5, 6], ['f', 1, 2, 3, 4]), 4);
  assert.equal(frame.sequence, 3);
  assert.deepEqual([frame.paused, frame.driven, frame.limited, frame.ended], [true, false, false, true]);
  assert.deepEqual([...frame.values], [7, 8]);
  assert.deepEqual([...frame.places], [5, 6]);
  assert.deepEqual([...frame.changes], [1, 2, 3, 4]);
});

test('soil goes forwards and back, also in jumps', () => {
  const soil = new SoilHistory({ origin: [0, 0], spacing: 1, nx: 9, ny: 9, side: 2 });
  const block = (x: number) => new Float32Array(4).fill(x);
  soil.append(0, [0, 0], block(-1));
  soil.append(1, [1, 1, 0, 0], new Float32Array([...block(-2), ...block(-3)]));
  soil.append(2, [], new Float32Array());
  soil.append(3, [0, 0], block(-4));
  assert.deepEqual(soil.seek(-1), []);
  assert.equal(soil.at(0, 0), 0);
  const seen = (time: number) => [soil.seek(time).length, soil.at(0, 0), soil.at(2, 2)];
  assert.deepEqual(seen(0.5), [1, -1, 0]);
  assert.deepEqual(seen(9), [2, -4, -2]);
  assert.deepEqual(seen(2.5), [1, -3, -2]);
  assert.deepEqual(seen(0), [2, -1, 0]);
  assert.deepEqual(seen(-1), [1, 0, 0]);
});

test('a place knows which wheel pressed it', () => {
  const soil = new SoilHistory({ origin: [0, 0], spacing: 1, nx: 4, ny: 4, side: 2 });
  const block = (x: number) => new Float32Array(4).fill(x);
  soil.append(0, [], new Float32Array());
  soil.append(1, [0, 0], block(-0.01));
  soil.append(2, [0, 0, 1, 1], new Float32Array([...block(-0.015), ...block(0.002)]));
  soil.append(9, [0, 0], block(-0.03));
  soil.append(10, [0, 0], block(-0.029));
  assert.deepEqual(soil.versionsAt(1, 1).map(({ time }) => time), [1, 2, 9, 10]);
  assert.deepEqual(soil.versionsAt(3, 3).map(({ time }) => time), [2]);
  // Wheel 0 passes at 1.5 s, wheel 1 at 8.5 s; nobody is near at 10 s.
  const times = [0, 1.5, 2, 8.5, 9, 10];
  const hubs = { times, count: 6, wheels: 2, at: (row: number, wheel: number) => (times[row] === [1.5, 8.5][wheel] ? [0.2, 0] : [99, 0]) as [number, number] };
  const passes = passesAt(soil.versionsAt(0, 0), hubs, [0, 0], 1);
  assert.deepEqual(passes.map(({ wheel, time }) => [wheel, time]), [[-1, 0], [0, 1.5], [1, 8.5], [-1, 10]]);
  assert.ok(Math.abs(passes[2].change + 0.015) < 1e-7);
});

test('slow machines draw coarsely what moves, and in full what stands', () => {
  const pace = new Pace();
  let now = 0;
  for (let k = 0; k < 100; ++k) pace.moving((now += 300));
  assert.equal(pace.moving((now += 300)), 0.4);
  assert.equal(pace.shallSharpen(now + 100), false);
  assert.equal(pace.shallSharpen(now + 600), true);
  assert.equal(pace.shallSharpen(now + 700), false);
  for (let k = 0; k < 100; ++k) pace.moving((now += 16));
  assert.equal(pace.moving((now += 16)), 1);
});

test('an index of soil', () => {
  const index = decodeSoilIndex(bytes(['u', 2, 1], ['d', 0, 1], ['u', 0, 1], ['i', 4, 5]));
  assert.deepEqual([...index.times, ...index.until, ...index.places], [0, 1, 0, 1, 4, 5]);
});

test('links keep the view', () => {
  const state = { time: 1.25, camera: [1, 2, 3, 4, 5, 6], colouring: 'relief', speed: 2, shown: 'fp', wheel: 'rover/front left' };
  assert.deepEqual(parseLink(linkOf('abc', state)), { token: 'abc', ...state });
  assert.deepEqual(parseLink('#token=x&cam=1,2&t=soon').camera, null);
});

test('rows and scales', () => {
  assert.equal(lastNotAbove([0, 1, 2], 3, 1.5), 1);
  assert.equal(lastNotAbove([], 0, 1), 0);
  assert.deepEqual(spreadRows(10, 4), [0, 3, 6, 9]);
  assert.deepEqual(spreadRows(5, 2), [0, 3, 4]);
  assert.equal(roundScale(0.013), 0.015);
  assert.equal(roundScale(0.02), 0.02);
});

test('measured tables', () => {
  assert.deepEqual(parseCsv('# rig\ntime;slip\n0;1\n1;\n').columns[1], [1, Number.NaN]);
  assert.throws(() => parseCsv('time,slip\n0,1,2\n'), /line 2/);
  assert.throws(() => parseCsv('time,slip\nnow,1\n'), /no number/);
});
