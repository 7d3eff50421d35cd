import type { Api } from './api';
import {
  decodeFrames,
  decodeGround,
  decodeMeshes,
  decodeSoilIndex,
  isShown,
  type Ground,
  type MeshData,
  type RunDescription,
} from './protocol';
import { SoilHistory } from './soil';
import type { RunStore } from './store';

const kRows = 4096; // of one question
const kBlocks = 8192;

export interface SceneData {
  meshes: MeshData[];
  ground: Ground | null;
  rocks: MeshData[];
}

/** What does not move. */
export async function loadScene(api: Api, about: RunDescription): Promise<SceneData> {
  const [meshes, ground, rocks] = await Promise.all([
    api.bytes('meshes').then(decodeMeshes),
    about.ground ? api.bytes('ground').then(decodeGround) : null,
    about.ground ? api.bytes('rocks').then(decodeMeshes) : [],
  ]);
  return { meshes, ground, rocks };
}

/** All poses; `onPart` is called whenever more are there. */
export async function loadFrames(api: Api, store: RunStore, onPart: () => void): Promise<void> {
  while (store.rows < store.about.rows) {
    const data = await api.bytes('frames', { first: store.rows, count: kRows });
    const { times, poses } = decodeFrames(data, store.about.bodies.length);
    if (times.length === 0) throw new Error('the program sends no more samples, though there are some');
    store.appendFrames(times, poses);
    onPart();
  }
}

/** Quantities that the page shows. Poses come by loadFrames(). */
export async function loadSeries(api: Api, store: RunStore): Promise<void> {
  for (const series of store.series.values()) {
    if (!isShown(series.about)) continue;
    while (series.rows < store.about.rows) {
      const data = await api.bytes('series', { path: series.about.path, first: series.rows, count: kRows });
      if (data.byteLength === 0) break;
      series.values.push(new Float32Array(data));
    }
  }
}

/** All changes of the soil over time. */
export async function loadSoil(api: Api, soil: SoilHistory): Promise<void> {
  const index = decodeSoilIndex(await api.bytes('soil'));
  const size = soil.grid.side ** 2;
  const blocks = index.places.length / 2;
  const changes = new Float32Array(blocks * size);
  for (let first = 0; first < blocks; first += kBlocks) {
    changes.set(new Float32Array(await api.bytes('soil/blocks', { first, count: Math.min(kBlocks, blocks - first) })), first * size);
  }
  let from = 0;
  index.times.forEach((time, snapshot) => {
    const until = index.until[snapshot];
    soil.append(time, index.places.subarray(2 * from, 2 * until), changes.subarray(from * size, until * size));
    from = until;
  });
}
