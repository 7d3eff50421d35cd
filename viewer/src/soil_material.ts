import { MeshStandardMaterial, type DataTexture, type IUniform, Vector2 } from 'three';
import { kNoise } from './noise';
import type { Planet } from './planet';

/** What the ground is coloured by. */
export const kColourings = ['ruts', 'relief', 'slope', 'natural'] as const;
export type Colouring = (typeof kColourings)[number];

/** Settings that all grounds of a scene share; changing one changes the next picture. */
export interface SoilUniforms {
  colouring: IUniform<number>;
  sunk: IUniform<number>; // ends of the scale of change [m]
  heaped: IUniform<number>;
  low: IUniform<number>; // ends of the scale of relief [m]
  high: IUniform<number>;
  [name: string]: IUniform<unknown>;
}

export function soilUniforms(): SoilUniforms {
  return {
    colouring: { value: 0 },
    sunk: { value: 0.02 },
    heaped: { value: 0.02 },
    low: { value: 0 },
    high: { value: 1 },
  };
}

/** The map of tiles that are drawn in detail, over which the coarse ground leaves holes. */
export interface HoleMap {
  texture: DataTexture;
  origin: Vector2; // [m]
  size: Vector2; // of the whole map of holes [m]
}

/** Colours of the scale of change, shared with the legend: deep blue to the ground's own to red. */
export const kRutColours = /* glsl */ `
vec3 rutColour(float t) { // -1: deepest rut, 1: highest heap
  vec3 deep = vec3(0.010, 0.035, 0.24), mid = vec3(0.05, 0.30, 0.62), light = vec3(0.30, 0.62, 0.72);
  vec3 warm = vec3(0.90, 0.55, 0.22), red = vec3(0.60, 0.045, 0.03);
  float d = abs(t);
  if (t < 0.0) return d < 0.5 ? mix(light, mid, d * 2.0) : mix(mid, deep, d * 2.0 - 1.0);
  return mix(warm, red, d);
}
`;

const kVertexHead = /* glsl */ `
attribute float change;
attribute float shade;
varying float vChange;
varying float vShade;
varying vec3 vPlace;
varying float vUp;
`;

const kVertexBody = /* glsl */ `
vChange = change;
vShade = shade;
vPlace = (modelMatrix * vec4(position, 1.0)).xyz;
vUp = normal.z;
`;

const kFragmentHead = /* glsl */ `
varying float vChange;
varying float vShade;
varying vec3 vPlace;
varying float vUp;
uniform float colouring, sunk, heaped, low, high;
uniform vec3 soilLight, soilDark;
uniform float scenery;
uniform sampler2D holes;
uniform vec2 holesOrigin, holesSize;
uniform float hasHoles;
${kNoise}
${kRutColours}
vec3 scaleColour(float t) { // dark violet to yellow
  t = clamp(t, 0.0, 1.0);
  vec3 a = vec3(0.05, 0.005, 0.09), b = vec3(0.08, 0.11, 0.26), c = vec3(0.02, 0.31, 0.26), d = vec3(0.98, 0.80, 0.02);
  return t < 0.33 ? mix(a, b, t * 3.0) : t < 0.66 ? mix(b, c, (t - 0.33) * 3.0) : mix(c, d, (t - 0.66) * 2.94);
}
float grainFade; // 1 near, 0 where grains are smaller than a pixel
`;

const kFragmentColour = /* glsl */ `
if (hasHoles > 0.5) {
  vec2 uv = (vPlace.xy - holesOrigin) / holesSize;
  // A little smaller than the patches that fill them, so that no crack shows between.
  vec2 edge = 0.012 / vec2(textureSize(holes, 0));
  bool isHole = all(greaterThan(uv, edge)) && all(lessThan(uv, 1.0 - edge));
  for (int k = 0; k < 4; ++k) isHole = isHole && texture2D(holes, uv + edge * (vec2(k & 1, k >> 1) * 2.0 - 1.0)).r > 0.5;
  if (isHole) discard;
}
float pixel = max(length(dFdx(vPlace.xy)), length(dFdy(vPlace.xy)));
grainFade = 1.0 - smoothstep(0.002, 0.012, pixel);
float clumpFade = 1.0 - smoothstep(0.02, 0.1, pixel);
float patches = fbm2(vPlace.xy * 0.9 + 11.0);
float clumps = fbm2(vPlace.xy * 14.0) - 0.47;
float grains = noise2(vPlace.xy * 260.0) - 0.5;
float pressed = smoothstep(0.001, 0.012, -vChange);
vec3 ground = mix(soilDark, soilLight, clamp(0.30 + 0.75 * patches, 0.0, 1.0));
ground *= 1.0 + clumpFade * 0.36 * clumps * (1.0 - 0.5 * pressed) + grainFade * 0.30 * grains * (1.0 - 0.4 * pressed);
ground *= 1.0 - 0.14 * pressed;
if (colouring < 0.5) {
  float t = vChange < 0.0 ? max(-1.0, vChange / max(sunk, 1e-6)) : min(1.0, vChange / max(heaped, 1e-6));
  float d = abs(t);
  ground = mix(ground, rutColour(t) * (1.0 + 0.25 * clumps), 0.88 * smoothstep(0.015, 0.22, d));
} else if (colouring < 1.5) {
  float h = (vPlace.z - low) / max(high - low, 1e-6);
  float line = abs(fract(h * 20.0 - 0.5) - 0.5) / max(fwidth(h * 20.0), 1e-5);
  ground = scaleColour(h) * mix(0.45, 1.0, clamp(line - 0.2, 0.0, 1.0));
} else if (colouring < 2.5) {
  float angle = degrees(acos(clamp(vUp, -1.0, 1.0)));
  ground = scaleColour(angle / 40.0);
}
ground = mix(ground, mix(ground, vec3(dot(ground, vec3(0.33))), 0.25) * 1.05, scenery);
diffuseColor.rgb = ground * mix(1.0, vShade, 0.9);
`;

const kFragmentNormal = /* glsl */ `
{
  vec3 clump = noise2d(vPlace.xy * 34.0), fine = noise2d(vPlace.xy * 120.0 + 3.1), grit = noise2d(vPlace.xy * 300.0);
  float smooth_ = 1.0 - 0.55 * pressed;
  vec2 slope = clumpFade * 0.10 * clump.yz + smooth_ * (grainFade * (0.16 * fine.yz + 0.20 * grit.yz));
  vec3 bump = normalize(vec3(-slope, 1.0));
  vec3 up = normalize((viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
  vec3 tilt = (viewMatrix * vec4(bump, 0.0)).xyz - up;
  normal = normalize(normal + tilt);
}
`;

/** Soil that is coloured, grainy and bumpy by noise; nothing of that is part of the run. */
export function soilMaterial(planet: Planet, uniforms: SoilUniforms, scenery: boolean, holes?: HoleMap): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.96, metalness: 0 });
  const own: Record<string, IUniform<unknown>> = {
    ...uniforms,
    soilLight: { value: planet.soil },
    soilDark: { value: planet.soilDark },
    scenery: { value: scenery ? 1 : 0 },
    holes: { value: holes?.texture ?? null },
    holesOrigin: { value: holes?.origin ?? new Vector2() },
    holesSize: { value: holes?.size ?? new Vector2(1, 1) },
    hasHoles: { value: holes ? 1 : 0 },
  };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, own);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${kVertexHead}`)
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${kVertexBody}`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${kFragmentHead}`)
      .replace('#include <color_fragment>', kFragmentColour)
      .replace('#include <normal_fragment_maps>', kFragmentNormal);
  };
  return material;
}
