import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  type MeshStandardMaterialParameters,
  Quaternion,
  SphereGeometry,
  SRGBColorSpace,
  TorusGeometry,
  Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { kNoise } from './noise';
import type { Planet } from './planet';
import { kPose, type Look, type MeshData, type RunDescription } from './protocol';
import type { Instant, RunStore } from './store';

/** The bodies of a run, moved to where they were. */
export class Bodies {
  readonly group = new Group();
  readonly nodes: Group[] = [];
  private readonly from = new Quaternion();
  private readonly to = new Quaternion();
  private highlighted = -1;

  constructor(about: RunDescription, meshes: MeshData[], planet: Planet) {
    const wheels = new Set(about.wheels.map((wheel) => wheel.body));
    for (const name of about.bodies) {
      const node = new Group();
      node.name = name;
      this.nodes.push(node);
      this.group.add(node);
    }
    for (const look of about.looks) {
      const mesh = meshOf(look, meshes, wheels.has(look.body), about.bodies[look.body] ?? '', planet);
      (this.nodes[look.body] ?? this.group).add(mesh);
      mesh.userData['body'] = look.body;
    }
  }

  /** Between two rows, as if bodies moved evenly. */
  place(store: RunStore, { row, fraction }: Instant): void {
    for (let body = 0; body < this.nodes.length; ++body) {
      const node = this.nodes[body];
      const a = store.pose(row, body);
      if (a.length < kPose) continue;
      node.position.set(a[0], a[1], a[2]);
      node.quaternion.set(a[3], a[4], a[5], a[6]);
      if (fraction === 0) continue;
      const b = store.pose(row + 1, body);
      node.position.lerp(new Vector3(b[0], b[1], b[2]), fraction);
      this.from.set(a[3], a[4], a[5], a[6]);
      this.to.set(b[3], b[4], b[5], b[6]);
      node.quaternion.slerpQuaternions(this.from, this.to, fraction);
    }
  }

  setWireframe(on: boolean): void {
    this.group.traverse((item) => {
      if (item instanceof Mesh) (item.material as MeshStandardMaterial).wireframe = on;
    });
  }

  /** Lets one body glow; -1: none. */
  highlight(body: number): void {
    const paint = (index: number, colour: number) =>
      this.nodes[index]?.traverse((item) => {
        if (item instanceof Mesh) (item.material as MeshStandardMaterial).emissive.setHex(colour);
      });
    paint(this.highlighted, 0);
    paint(body, 0x3a2c00);
    this.highlighted = body;
  }
}

function meshOf(look: Look, meshes: MeshData[], isWheel: boolean, name: string, planet: Planet): Mesh {
  const isRock = name.startsWith('rocks/');
  const material = isRock ? rockMaterial(planet) : bodyMaterial(look);
  const mesh = new Mesh(geometryOf(look, meshes, isWheel), material);
  mesh.position.set(...look.position);
  const [w, x, y, z] = look.quaternion;
  mesh.quaternion.set(x, y, z, w);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

/** Paint, metal, foil or solar cells, by the colour that the scene gives: what such colours are on rovers. */
function bodyMaterial(look: Look): MeshStandardMaterial {
  const [r, g, b] = look.color;
  const color = new Color().setRGB(r, g, b, SRGBColorSpace);
  const isGrey = Math.max(r, g, b) - Math.min(r, g, b) < 0.08;
  if (r > 0.7 && g > 0.5 && b < 0.45) return finished({ color, roughness: 0.32, metalness: 0.75 }, kFoil);
  if (b > 1.8 * r && b < 0.4) return finished({ color, roughness: 0.22, metalness: 0.35 }, kCells);
  if (isGrey && r > 0.8) return new MeshStandardMaterial({ color, roughness: 0.6, metalness: 0 });
  return new MeshStandardMaterial({ color, roughness: isGrey ? 0.42 : 0.55, metalness: isGrey ? 0.55 : 0.05 });
}

/** Crumpled foil: normals that change from crease to crease. */
const kFoil = /* glsl */ `
{
  vec2 p = vPart.xy * 16.0 + vPart.z * vec2(11.0, -13.0);
  vec3 a = noise2d(p), b = noise2d(p * 2.7 + 5.0);
  normal = normalize(normal + 0.22 * vec3(a.yz, 0.0) + 0.12 * vec3(b.zy, 0.0));
}
`;

/** Solar cells of 6 cm between fine lines. */
const kCells = /* glsl */ `
{
  vec2 cell = abs(fract(vPart.xy / 0.06) - 0.5) * 0.06;
  float line = 0.03 - max(cell.x, cell.y), pixel = fwidth(line);
  float bright = 0.30 * clamp(0.0015 / max(pixel, 1e-6), 0.15, 1.0) * (1.0 - smoothstep(0.0008, 0.0008 + 1.2 * pixel, line));
  diffuseColor.rgb = diffuseColor.rgb * (0.85 + 0.4 * hash12(floor(vPart.xy / 0.06))) + bright * vec3(0.5, 0.53, 0.6);
}
`;

function finished(parameters: MeshStandardMaterialParameters, code: string): MeshStandardMaterial {
  const material = new MeshStandardMaterial(parameters);
  const place = code === kCells ? '#include <color_fragment>' : '#include <normal_fragment_maps>';
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vPart;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPart = position;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\nvarying vec3 vPart;\n${kNoise}`)
      .replace(place, `${place}\n${code}`);
  };
  material.customProgramCacheKey = () => code;
  return material;
}

function geometryOf(look: Look, meshes: MeshData[], isWheel: boolean): BufferGeometry {
  const shape = look.shape;
  switch (shape.type) {
    case 'box': {
      const least = Math.min(...shape.size);
      return least > 0.02 ? new RoundedBoxGeometry(...shape.size, 3, 0.06 * least) : new BoxGeometry(...shape.size);
    }
    case 'sphere':
      return new SphereGeometry(shape.radius, 40, 24);
    case 'capsule':
      return new CapsuleGeometry(shape.radius, shape.length, 12, 32).rotateX(Math.PI / 2);
    case 'cylinder':
      if (isWheel) return wheelGeometry(shape.radius, shape.length);
      return new CylinderGeometry(shape.radius, shape.radius, shape.length, 48).rotateX(Math.PI / 2);
    default:
      return geometryOfMesh(meshes[shape.index]);
  }
}

export function geometryOfMesh(mesh: MeshData | undefined): BufferGeometry {
  const indexed = new BufferGeometry();
  if (!mesh || mesh.positions.length === 0) return indexed;
  indexed.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  indexed.setIndex(new BufferAttribute(mesh.corners, 1));
  indexed.computeVertexNormals();
  return indexed;
}

/**
 * A wheel that fills a cylinder about z: tyre, rim, spokes and hub, so that one sees it turn. Nothing stands out of the
 * cylinder that touches the ground in the run.
 */
function wheelGeometry(radius: number, width: number): BufferGeometry {
  const parts: BufferGeometry[] = [];
  const thickness = Math.min(0.12 * radius, 0.25 * width + 0.05 * radius);
  const inner = radius - thickness;
  const tyre = new CylinderGeometry(radius, radius, width, 72, 1, true).rotateX(Math.PI / 2);
  const inside = new CylinderGeometry(inner, inner, width, 72, 1, true).rotateX(Math.PI / 2).scale(1, 1, -1);
  flip(inside);
  parts.push(tyre, inside);
  for (const side of [-0.5, 0.5]) parts.push(ring(inner, radius, side * width, side > 0));
  const spokes = 9;
  for (let k = 0; k < spokes; ++k) {
    const spoke = new BoxGeometry(inner, 0.09 * radius, 0.45 * width).translate(inner / 2, 0, 0);
    parts.push(spoke.rotateZ((2 * Math.PI * k) / spokes));
  }
  parts.push(new CylinderGeometry(0.24 * radius, 0.24 * radius, 0.9 * width, 32).rotateX(Math.PI / 2));
  parts.push(new TorusGeometry(inner, 0.022 * radius, 8, 60));
  const merged = mergeGeometries(parts.map((part) => (part.index ? part.toNonIndexed() : part)));
  for (const part of parts) part.dispose();
  return merged;
}

function ring(inner: number, outer: number, z: number, up: boolean): BufferGeometry {
  const flat = new CylinderGeometry(outer, inner, 0, 72, 1, true).rotateX(Math.PI / 2);
  // A cylinder of no length with two radii is a ring; its normals are those of a cone and are set here.
  const normals = flat.attributes['normal'] as BufferAttribute;
  for (let k = 0; k < normals.count; ++k) normals.setXYZ(k, 0, 0, up ? 1 : -1);
  if (!up) flip(flat, false);
  return flat.translate(0, 0, z);
}

/** Turns triangles, and normals if asked for, inside out. */
function flip(geometry: BufferGeometry, normals = true): void {
  const index = geometry.index;
  if (index) {
    for (let k = 0; k < index.count; k += 3) {
      const a = index.getX(k);
      index.setX(k, index.getX(k + 1));
      index.setX(k + 1, a);
    }
  }
  if (!normals) return;
  const vectors = geometry.attributes['normal'] as BufferAttribute;
  for (let k = 0; k < vectors.count; ++k) vectors.setXYZ(k, -vectors.getX(k), -vectors.getY(k), vectors.getZ(k));
}

/** Stone, by noise in the frame of the body. */
export function rockMaterial(planet: Planet): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ color: planet.rock, roughness: 0.92, metalness: 0 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vStone;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvStone = position;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\nvarying vec3 vStone;\n${kNoise}`)
      .replace(
        '#include <color_fragment>',
        /* glsl */ `
        float coarse = fbm2(vStone.xy * 22.0 + vStone.z * 13.0), fine = fbm2(vStone.yz * 95.0 + vStone.x * 61.0);
        diffuseColor.rgb *= 0.55 + 0.65 * coarse + 0.35 * fine;`,
      )
      .replace(
        '#include <normal_fragment_maps>',
        /* glsl */ `
        vec2 grit = noise2d(vStone.xy * 120.0 + vStone.z * 90.0).yz;
        normal = normalize(normal + 0.12 * vec3(grit, 0.0));`,
      );
  };
  return material;
}
