import {
  ACESFilmicToneMapping,
  BackSide,
  Color,
  DirectionalLight,
  FogExp2,
  HemisphereLight,
  Mesh,
  PCFShadowMap,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import { kNoise } from './noise';
import { kSunDirection, type Planet } from './planet';

const kSkyVertex = /* glsl */ `
varying vec3 vWay;
void main() {
  vWay = position;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z = gl_Position.w; // behind all else
}`;

const kSkyFragment = /* glsl */ `
varying vec3 vWay;
uniform vec3 zenith, horizon, sunColour, sunWay;
uniform float stars;
${kNoise}
void main() {
  vec3 way = normalize(vWay);
  float up = clamp(way.z, 0.0, 1.0);
  vec3 colour = mix(horizon, zenith, pow(up, 0.55));
  float toSun = max(dot(way, sunWay), 0.0);
  float air = 1.0 - stars;
  colour += air * sunColour * (0.16 * pow(toSun, 12.0) + 0.35 * pow(toSun, 180.0));
  colour += air * vec3(-0.02, 0.005, 0.04) * pow(toSun, 6.0); // fine dust scatters blue forwards
  colour += air * (fbm2(way.xy / (0.25 + up) * 2.2) - 0.47) * 0.045 * smoothstep(0.02, 0.3, up);
  colour += sunColour * smoothstep(0.99985, 0.99993, dot(way, sunWay)) * 6.0;
  if (stars > 0.5 && way.z > 0.0) {
    vec2 cell = floor(way.xy / (1.0 + way.z) * 420.0);
    float s = hash12(cell);
    colour += vec3(smoothstep(0.9965, 1.0, s) * 0.9);
  }
  gl_FragColor = vec4(max(colour, 0.0), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`;

/** Renderer, camera, sky and light: the stage on which a run is shown. */
export class Stage {
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera;
  readonly renderer: WebGLRenderer;
  private readonly sun: DirectionalLight;
  private readonly sky: Mesh;
  private shadowReach = 2;
  private fineness = 1; // pixels drawn per pixel shown, along a side

  constructor(
    readonly holder: HTMLElement,
    planet: Planet,
    reach: number,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    holder.append(this.renderer.domElement);
    this.camera = new PerspectiveCamera(38, 1, 0.02, 4 * reach + 2500);
    this.camera.up.set(0, 0, 1);
    this.sky = makeSky(planet);
    this.scene.add(this.sky);
    if (planet.haze > 0) this.scene.fog = new FogExp2(planet.horizon, planet.haze);
    this.sun = this.makeSun(planet);
    const bounce = planet.soil.clone().multiplyScalar(0.8);
    this.scene.add(new HemisphereLight(planet.stars ? new Color('#8890a0') : planet.horizon, bounce, planet.skyStrength));
    this.light(planet);
    this.resize();
  }

  /** `covered`: pixels at the right that panels cover; what is looked at stands in the middle of the rest. */
  resize(covered = 0): void {
    const { clientWidth, clientHeight } = this.holder;
    this.renderer.setPixelRatio(this.fineness * Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(Math.max(1, clientWidth), Math.max(1, clientHeight));
    this.camera.aspect = Math.max(1, clientWidth) / Math.max(1, clientHeight);
    this.camera.setViewOffset(clientWidth, clientHeight, covered / 2, 0, clientWidth, clientHeight);
    this.camera.updateProjectionMatrix();
  }

  /** Where shadows are to be fine: around a place. */
  castAround(place: Vector3, reach: number): void {
    if (Math.abs(reach - this.shadowReach) > 0.1 * this.shadowReach) {
      this.shadowReach = reach;
      const box = this.sun.shadow.camera;
      box.left = box.bottom = -reach;
      box.right = box.top = reach;
      box.near = 0.1;
      box.far = 8 * reach;
      this.sun.shadow.normalBias = reach / 380;
      box.updateProjectionMatrix();
    }
    // In steps, so that edges of shadows do not crawl.
    const step = (2 * this.shadowReach) / 64;
    const snapped = new Vector3(...place.toArray().map((x) => Math.round(x / step) * step));
    this.sun.target.position.copy(snapped);
    this.sun.position.copy(snapped).addScaledVector(kSunDirection, 4 * this.shadowReach);
  }

  /** Draws with fewer pixels than are shown (< 1), or all (1), from now on. */
  setFineness(fineness: number): void {
    if (fineness === this.fineness) return;
    this.fineness = fineness;
    this.renderer.setPixelRatio(fineness * Math.min(window.devicePixelRatio, 2));
  }

  draw(): void {
    this.sky.position.copy(this.camera.position);
    this.renderer.render(this.scene, this.camera);
  }

  private makeSun(planet: Planet): DirectionalLight {
    const sun = new DirectionalLight(planet.sun, planet.sunStrength);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 2.5;
    sun.shadow.bias = -0.0004;
    this.scene.add(sun, sun.target);
    return sun;
  }

  /** Light from all of the sky, for metal that mirrors it. */
  private light(planet: Planet): void {
    const maker = new PMREMGenerator(this.renderer);
    const room = new Scene();
    room.add(makeSky(planet));
    const floor = new Mesh(new SphereGeometry(50, 16, 8, 0, Math.PI * 2, 0, Math.PI), new ShaderMaterial({
      side: BackSide,
      vertexShader: 'varying float z; void main() { z = position.z; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: 'varying float z; uniform vec3 soil; void main() { if (z > 0.0) discard; gl_FragColor = vec4(soil, 1.0); }',
      uniforms: { soil: { value: planet.soil.clone().multiplyScalar(0.5) } },
    }));
    room.add(floor);
    this.scene.environment = maker.fromScene(room, 0.02, 0.1, 1000).texture;
    this.scene.environmentIntensity = planet.stars ? 0.25 : 0.75;
    maker.dispose();
  }
}

function makeSky(planet: Planet): Mesh {
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    fog: false,
    vertexShader: kSkyVertex,
    fragmentShader: kSkyFragment,
    uniforms: {
      zenith: { value: planet.zenith },
      horizon: { value: planet.horizon },
      sunColour: { value: planet.sun },
      sunWay: { value: kSunDirection },
      stars: { value: planet.stars ? 1 : 0 },
    },
  });
  const sky = new Mesh(new SphereGeometry(100, 48, 32), material);
  sky.frustumCulled = false;
  sky.renderOrder = -1;
  return sky;
}
