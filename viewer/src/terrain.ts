import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  Group,
  Mesh,
  type MeshStandardMaterial,
  NearestFilter,
  RedFormat,
  Sphere,
  Vector2,
  Vector3,
} from 'three';
import { noiseAt } from './noise';
import type { Planet } from './planet';
import type { Ground, SoilGrid } from './protocol';
import type { BlockChange, SoilHistory } from './soil';
import { type HoleMap, soilMaterial, type SoilUniforms } from './soil_material';

const kCells = 64; // along the side of a patch of ground
const kApron = 6; // nodes around it that shading looks at
const kMostNodes = 1_300_000; // of a map that is drawn in full detail everywhere

/** Height of the untouched ground anywhere; at the border as if it went on level [m]. */
export function baseHeight(ground: Ground, x: number, y: number): number {
  const u = Math.min(Math.max((x - ground.origin[0]) / ground.spacing, 0), ground.nx - 1);
  const v = Math.min(Math.max((y - ground.origin[1]) / ground.spacing, 0), ground.ny - 1);
  const i = Math.min(Math.floor(u), ground.nx - 2);
  const j = Math.min(Math.floor(v), ground.ny - 2);
  const a = u - i;
  const b = v - j;
  const at = j * ground.nx + i;
  const h = ground.heights;
  return (h[at] * (1 - a) + h[at + 1] * a) * (1 - b) + (h[at + ground.nx] * (1 - a) + h[at + ground.nx + 1] * a) * b;
}

interface Grid {
  origin: readonly [number, number];
  spacing: number;
  nx: number;
  ny: number;
}

/** Corners of the triangles of a patch of nx x ny nodes. */
function cornersOf(nx: number, ny: number): Uint32Array {
  const corners = new Uint32Array(6 * (nx - 1) * (ny - 1));
  let k = 0;
  for (let j = 0; j + 1 < ny; ++j) {
    for (let i = 0; i + 1 < nx; ++i) {
      const a = j * nx + i;
      corners.set([a, a + 1, a + nx + 1, a, a + nx + 1, a + nx], k);
      k += 6;
    }
  }
  return corners;
}

/** A square piece of ground whose heights can be written anew. */
class Patch {
  readonly mesh: Mesh;
  private readonly nx: number;
  private readonly ny: number;
  private readonly base: Float32Array; // heights of the untouched ground, apron included [m]

  constructor(
    private readonly grid: Grid,
    private readonly ci: number,
    private readonly cj: number,
    material: MeshStandardMaterial,
    heightAt: (i: number, j: number) => number,
    private readonly soil: SoilHistory | null,
  ) {
    this.nx = Math.min(kCells, grid.nx - 1 - ci * kCells) + 1;
    this.ny = Math.min(kCells, grid.ny - 1 - cj * kCells) + 1;
    const geometry = new BufferGeometry();
    const count = this.nx * this.ny;
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * count), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(3 * count), 3));
    geometry.setAttribute('change', new BufferAttribute(new Float32Array(count), 1));
    geometry.setAttribute('shade', new BufferAttribute(new Float32Array(count), 1));
    geometry.setIndex(new BufferAttribute(cornersOf(this.nx, this.ny), 1));
    this.mesh = new Mesh(geometry, material);
    this.mesh.position.set(grid.origin[0] + ci * kCells * grid.spacing, grid.origin[1] + cj * kCells * grid.spacing, 0);
    this.mesh.receiveShadow = true;
    this.base = this.baseHeights(heightAt);
    this.update();
  }

  private baseHeights(heightAt: (i: number, j: number) => number): Float32Array {
    const { nx, ny, grid } = this;
    const heights = new Float32Array((nx + 2 * kApron) * (ny + 2 * kApron));
    let k = 0;
    for (let j = -kApron; j < ny + kApron; ++j) {
      for (let i = -kApron; i < nx + kApron; ++i) {
        const gi = Math.min(Math.max(this.ci * kCells + i, 0), grid.nx - 1);
        const gj = Math.min(Math.max(this.cj * kCells + j, 0), grid.ny - 1);
        heights[k++] = heightAt(gi, gj);
      }
    }
    return heights;
  }

  /** Writes heights, normals, changes and shade of all nodes. */
  update(): void {
    const { nx, ny } = this;
    const w = nx + 2 * kApron;
    const heights = new Float32Array(this.base.length);
    const attributes = this.mesh.geometry.attributes as Record<string, BufferAttribute>;
    const changes = attributes['change'].array as Float32Array;
    this.soil?.fill(this.ci * kCells - kApron, this.cj * kCells - kApron, w, ny + 2 * kApron, heights);
    for (let j = 0; j < ny; ++j) for (let i = 0; i < nx; ++i) changes[j * nx + i] = heights[(j + kApron) * w + i + kApron];
    for (let k = 0; k < heights.length; ++k) heights[k] += this.base[k];
    this.write(heights, w, attributes);
    for (const name of ['position', 'normal', 'change', 'shade']) attributes[name].needsUpdate = true;
  }

  private write(heights: Float32Array, w: number, attributes: Record<string, BufferAttribute>): void {
    const { nx, ny } = this;
    const s = this.grid.spacing;
    const positions = attributes['position'].array as Float32Array;
    const normals = attributes['normal'].array as Float32Array;
    const shades = attributes['shade'].array as Float32Array;
    let low = Infinity;
    let high = -Infinity;
    for (let j = 0; j < ny; ++j) {
      for (let i = 0; i < nx; ++i) {
        const at = (j + kApron) * w + i + kApron;
        const k = j * nx + i;
        const h = heights[at];
        positions[3 * k] = i * s;
        positions[3 * k + 1] = j * s;
        positions[3 * k + 2] = h;
        const dx = (heights[at + 1] - heights[at - 1]) / (2 * s);
        const dy = (heights[at + w] - heights[at - w]) / (2 * s);
        const length = Math.sqrt(dx * dx + dy * dy + 1);
        normals[3 * k] = -dx / length;
        normals[3 * k + 1] = -dy / length;
        normals[3 * k + 2] = 1 / length;
        shades[k] = shadeAt(heights, at, w, s);
        if (h < low) low = h;
        if (h > high) high = h;
      }
    }
    const centre = new Vector3(((nx - 1) * s) / 2, ((ny - 1) * s) / 2, (low + high) / 2);
    this.mesh.geometry.boundingSphere = new Sphere(centre, Math.hypot(centre.x, centre.y, (high - low) / 2));
  }
}

/** How much of the sky a node sees [0, 1]: less in the depth of a rut. From the horizon in eight directions. */
function shadeAt(heights: Float32Array, at: number, w: number, spacing: number): number {
  const h = heights[at];
  let hidden = 0;
  for (const reach of [2, kApron]) {
    const d = reach * spacing;
    const e = d * Math.SQRT2;
    for (const step of [reach, -reach, reach * w, -reach * w]) hidden += Math.max(0, heights[at + step] - h) / d;
    for (const step of [reach * (w + 1), reach * (w - 1), -reach * (w + 1), -reach * (w - 1)]) {
      hidden += Math.max(0, heights[at + step] - h) / e;
    }
  }
  return 1 / (1 + 0.28 * hidden);
}

/** The ground of a run: in full detail if it is small, else coarse with detail where something changed it. */
export class Terrain {
  readonly group = new Group();
  readonly heightRange: [number, number];
  private readonly detail = new Map<number, Patch>();
  private readonly dirty = new Set<number>();
  private readonly across: number;
  private readonly fine: Grid;
  private readonly isFine: boolean;
  private readonly fineMaterial: MeshStandardMaterial;
  private readonly holes: HoleMap | undefined;

  constructor(
    private readonly ground: Ground,
    private readonly soil: SoilHistory | null,
    planet: Planet,
    uniforms: SoilUniforms,
  ) {
    this.fine = fineGrid(ground, soil?.grid ?? null);
    this.isFine = this.fine.nx * this.fine.ny <= kMostNodes;
    this.across = Math.ceil((this.fine.nx - 1) / kCells);
    this.fineMaterial = soilMaterial(planet, uniforms, false);
    this.heightRange = rangeOf(ground.heights);
    if (this.isFine) {
      this.forEachPatch(this.fine, (ci, cj) => this.addDetail(ci, cj));
    } else {
      this.holes = this.makeHoles();
      const material = soilMaterial(planet, uniforms, false, this.holes);
      const heightAt = (i: number, j: number) => ground.heights[j * ground.nx + i];
      this.forEachPatch(ground, (ci, cj) => this.group.add(new Patch(ground, ci, cj, material, heightAt, null).mesh));
    }
    this.group.add(surroundings(ground, soilMaterial(planet, uniforms, true)));
  }

  /** Height of the ground as it is shown [m]. */
  heightAt(x: number, y: number): number {
    const i = Math.round((x - this.fine.origin[0]) / this.fine.spacing);
    const j = Math.round((y - this.fine.origin[1]) / this.fine.spacing);
    const inside = this.soil && i >= 0 && j >= 0 && i < this.fine.nx && j < this.fine.ny;
    return baseHeight(this.ground, x, y) + (inside ? this.soil.at(i, j) : 0);
  }

  /** Changes that the soil shows now are to be drawn. */
  changed(blocks: BlockChange[]): void {
    if (!this.soil) return;
    const perPatch = kCells / this.soil.grid.side;
    for (const { a, b } of blocks) {
      // Nodes near the border of a patch show in the normals and shades of its neighbours.
      const i0 = Math.floor((a - 1) / perPatch);
      const i1 = Math.floor((a + 1) / perPatch);
      const j0 = Math.floor((b - 1) / perPatch);
      const j1 = Math.floor((b + 1) / perPatch);
      for (let cj = j0; cj <= j1; ++cj) for (let ci = i0; ci <= i1; ++ci) this.touch(ci, cj);
    }
  }

  /** Draws what changed; returns whether anything did. */
  flush(): boolean {
    const any = this.dirty.size > 0;
    for (const key of this.dirty) {
      const patch = this.detail.get(key);
      if (patch) patch.update();
      else this.addDetail(key % this.across, Math.floor(key / this.across));
    }
    this.dirty.clear();
    return any;
  }

  setWireframe(on: boolean): void {
    this.group.traverse((item) => {
      if (item instanceof Mesh) (item.material as MeshStandardMaterial).wireframe = on;
    });
  }

  private touch(ci: number, cj: number): void {
    if (ci < 0 || cj < 0 || ci * kCells >= this.fine.nx - 1 || cj * kCells >= this.fine.ny - 1) return;
    this.dirty.add(cj * this.across + ci);
  }

  private forEachPatch(grid: Grid, make: (ci: number, cj: number) => void): void {
    for (let cj = 0; cj * kCells < grid.ny - 1; ++cj) for (let ci = 0; ci * kCells < grid.nx - 1; ++ci) make(ci, cj);
  }

  private addDetail(ci: number, cj: number): void {
    const { fine, ground, soil } = this;
    const heightAt = (i: number, j: number) =>
      baseHeight(ground, fine.origin[0] + i * fine.spacing, fine.origin[1] + j * fine.spacing);
    const patch = new Patch(fine, ci, cj, this.fineMaterial, heightAt, soil);
    patch.mesh.castShadow = true;
    this.detail.set(cj * this.across + ci, patch);
    this.group.add(patch.mesh);
    if (!this.holes) return;
    (this.holes.texture.image.data as Uint8Array)[cj * this.across + ci] = 255;
    this.holes.texture.needsUpdate = true;
  }

  private makeHoles(): HoleMap {
    const rows = Math.ceil((this.fine.ny - 1) / kCells);
    const texture = new DataTexture(new Uint8Array(this.across * rows), this.across, rows, RedFormat);
    texture.magFilter = NearestFilter;
    texture.minFilter = NearestFilter;
    texture.unpackAlignment = 1;
    texture.needsUpdate = true;
    const tile = kCells * this.fine.spacing;
    return {
      texture,
      origin: new Vector2(...this.fine.origin),
      size: new Vector2(this.across * tile, rows * tile),
    };
  }
}

function fineGrid(ground: Ground, soil: SoilGrid | null): Grid {
  return soil ?? { origin: ground.origin, spacing: ground.spacing, nx: ground.nx, ny: ground.ny };
}

function rangeOf(values: Float32Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Scenery beyond the map, up to the horizon: nothing of it is part of the run. */
function surroundings(ground: Ground, material: MeshStandardMaterial): Mesh {
  const around = 360;
  const rings = 40;
  const size = [(ground.nx - 1) * ground.spacing, (ground.ny - 1) * ground.spacing];
  const middle = [ground.origin[0] + size[0] / 2, ground.origin[1] + size[1] / 2];
  const reach = Math.max(400, 40 * Math.max(size[0], size[1]));
  let mean = 0;
  for (const h of ground.heights) mean += h / ground.heights.length;
  const geometry = new BufferGeometry();
  const positions = new Float32Array(3 * around * (rings + 1));
  for (let ring = 0; ring <= rings; ++ring) {
    const far = ring === 0 ? 0 : reach * ((ring / rings) ** 4 + (0.02 * ring) / rings);
    for (let k = 0; k < around; ++k) {
      const [bx, by] = borderPoint(k / around, size);
      const length = Math.hypot(bx, by);
      const x = middle[0] + bx + (bx / length) * far;
      const y = middle[1] + by + (by / length) * far;
      const edge = baseHeight(ground, middle[0] + bx, middle[1] + by);
      const fade = Math.exp(-far / (0.35 * Math.max(size[0], size[1])));
      const hills = far * 0.055 * (noiseAt(x / 9 + 3, y / 9) - 0.5) * Math.exp(-far / 60);
      const mountains = Math.max(0, far - 60) * 0.16 * (noiseAt(x / 90, y / 90 + 9) - 0.35) * Math.min(1, far / 400);
      const at = 3 * (ring * around + k);
      positions.set([x, y, edge * fade + mean * (1 - fade) + hills + mountains - (ring === 0 ? 0.0005 : 0)], at);
    }
  }
  const corners: number[] = [];
  for (let ring = 0; ring < rings; ++ring) {
    for (let k = 0; k < around; ++k) {
      const a = ring * around + k;
      const b = ring * around + ((k + 1) % around);
      corners.push(a, a + around, b + around, a, b + around, b);
    }
  }
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('change', new BufferAttribute(new Float32Array(positions.length / 3), 1));
  geometry.setAttribute('shade', new BufferAttribute(new Float32Array(positions.length / 3).fill(1), 1));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  const mesh = new Mesh(geometry, material);
  mesh.receiveShadow = true;
  return mesh;
}

/** A point of the border of a rectangle about the origin, anticlockwise, for t in [0, 1). */
function borderPoint(t: number, size: number[]): [number, number] {
  const [w, h] = [size[0] / 2, size[1] / 2];
  const side = Math.floor(4 * t);
  const u = 2 * (4 * t - side) - 1;
  if (side === 0) return [w, u * h];
  if (side === 1) return [-u * w, h];
  if (side === 2) return [-w, -u * h];
  return [u * w, -h];
}
