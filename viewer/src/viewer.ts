import { type Group, type Intersection, Mesh, Quaternion, Raycaster, Vector2, Vector3 } from 'three';
import type { Api } from './api';
import { Bodies, geometryOfMesh, rockMaterial } from './bodies';
import { Cameras } from './cameras';
import { Clock } from './clock';
import { button, download, make } from './dom';
import { Hud } from './hud';
import { type Key, Keys } from './keys';
import { linkOf, parseLink } from './link';
import { LiveLink } from './live';
import type { SceneData } from './load';
import { Overlays } from './overlays';
import { Pace } from './pace';
import { planetOf } from './planet';
import { Probe } from './probe';
import { Plots } from './plots';
import type { RunDescription } from './protocol';
import { roundScale, type SoilHistory } from './soil';
import { type Colouring, kColourings, soilUniforms } from './soil_material';
import { Stage } from './stage';
import { RunStore } from './store';
import { Terrain } from './terrain';
import { Timeline } from './timeline';
import { TopBar } from './topbar';
import { Video } from './video';
import { WheelsTable } from './wheels_table';

/** What is switched on and off by a key; its letter stands in links. */
interface Switches {
  forces: boolean; // f
  contacts: boolean; // c
  frames: boolean; // m
  wireframe: boolean; // w
  panels: boolean; // p
}

/** The page of a run: the scene, its panels, and what keys and mouse do. */
export class Viewer {
  private readonly stage: Stage;
  private readonly bodies: Bodies;
  private readonly terrain: Terrain | null;
  private readonly overlays: Overlays;
  private readonly cameras: Cameras;
  readonly clock: Clock;
  private readonly timeline: Timeline;
  private readonly top: TopBar;
  private readonly table: WheelsTable;
  readonly plots: Plots;
  private readonly hud: Hud;
  private readonly probe: Probe | null;
  private readonly live: LiveLink | null;
  private readonly keys: Keys;
  private readonly video: Video;
  private readonly pace = new Pace();
  private readonly side: HTMLElement;
  private readonly uniforms = soilUniforms();
  private readonly switches: Switches = { forces: false, contacts: false, frames: false, wireframe: false, panels: true };
  private readonly size: number; // of the rover [m]
  private readonly leader: number; // the body that the eye follows
  private colouring: Colouring = 'ruts';
  private selected = -1;
  private shownRow = -1;
  private needsDrawing = true;
  private lastFrame = performance.now();
  private linkTimer = 0;
  private scaleEnd = 0; // of changes of the ground [m]
  private scaledAt = -Infinity; // when these were looked for [ms]
  private isFramed = false; // the eye was put somewhere

  constructor(
    private readonly root: HTMLElement,
    private readonly api: Api,
    readonly store: RunStore,
    scene: SceneData,
    private readonly soil: SoilHistory | null,
  ) {
    const { about } = store;
    const planet = planetOf(about.scene.gravity);
    const view = make('div', { class: 'view' });
    root.replaceChildren(view);
    const ground = scene.ground;
    this.leader = leaderOf(about);
    this.stage = new Stage(view, planet, ground ? Math.max(ground.nx, ground.ny) * ground.spacing : 10);
    this.bodies = new Bodies(about, scene.meshes, planet);
    this.stage.scene.add(this.bodies.group);
    this.terrain = ground ? new Terrain(ground, soil, planet, this.uniforms) : null;
    if (this.terrain) this.stage.scene.add(this.terrain.group);
    this.addRocks(scene, planet);
    this.clock = new Clock(store);
    this.size = sizeOf(this.bodies, about, this.leader);
    const heightAt = (x: number, y: number) => this.terrain?.heightAt(x, y) ?? 0;
    this.overlays = new Overlays(store, this.bodies, this.size, this.leader, heightAt);
    this.stage.scene.add(this.overlays.group);
    this.cameras = new Cameras(this.stage.camera, this.stage.renderer.domElement, this.size, () => this.touched());
    this.live = about.mode === 'live' ? new LiveLink(api, store, soil) : null;
    root.classList.toggle('live-run', this.live !== null);
    this.timeline = new Timeline(store, this.clock, this.live ? [this.live.element] : []);
    this.top = new TopBar(store, this.tools());
    this.table = new WheelsTable(store, (wheel) => this.select(wheel));
    this.plots = new Plots(store, this.clock, (message) => this.toast(message));
    this.probe = soil ? new Probe(store, soil, this.clock, reachOf(about, this.size), this.size) : null;
    if (this.probe) this.stage.scene.add(this.probe.group);
    this.hud = new Hud(new Vector3(...about.scene.gravity));
    this.video = new Video(this.stage.renderer.domElement, about.scene.name);
    this.keys = new Keys(this.keyList());
    this.side = make('aside', { class: 'side panel' }, this.table.element, this.plots.element);
    if (about.wheels.length === 0) this.table.element.hidden = true;
    if (this.probe) root.append(this.probe.element);
    root.append(this.hud.element, this.side, this.timeline.element, this.top.element, this.keys.sheet);
    this.listen(view);
  }

  /** Shows the view that the link tells of, else the usual one, and goes on from there. */
  start(): void {
    const link = parseLink(location.hash);
    if (link.speed) this.clock.speed = link.speed;
    if (kColourings.includes(link.colouring as Colouring)) this.colouring = link.colouring as Colouring;
    if (link.shown !== null) {
      const on = link.shown;
      Object.assign(this.switches, { forces: on.includes('f'), contacts: on.includes('c'), frames: on.includes('m'), wireframe: on.includes('w'), panels: on.includes('p') });
    }
    if (this.live) this.clock.atEdge = true;
    else if (link.time !== null) this.clock.seek(link.time);
    else this.clock.playing = true;
    this.show();
    if (this.store.rows > 0) this.frameView();
    const wheel = this.store.about.wheels.findIndex((w) => w.name === link.wheel);
    if (wheel >= 0) this.select(wheel);
    this.applySwitches();
    this.setColouring(this.colouring);
    requestAnimationFrame((now) => this.frame(now));
  }

  /** Puts the eye where the link says, or to the corner. */
  private frameView(): void {
    const { camera } = parseLink(location.hash);
    this.isFramed = true;
    if (camera) this.cameras.restore(camera);
    else this.setCamera(0);
  }

  /** New data came in. */
  refresh(): void {
    this.shownRow = -1;
    this.updateScale();
    this.show();
  }

  private addRocks(scene: SceneData, planet: ReturnType<typeof planetOf>): void {
    for (const rock of scene.rocks) {
      const mesh = new Mesh(geometryOfMesh(rock), rockMaterial(planet));
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      this.stage.scene.add(mesh);
    }
  }

  private frame(now: number): void {
    const elapsed = Math.min(0.25, (now - this.lastFrame) / 1000);
    this.lastFrame = now;
    if (this.clock.advance(elapsed)) this.show();
    if (this.cameras.controls.update()) this.needsDrawing = true;
    const sharpen = !this.needsDrawing && this.pace.shallSharpen(now);
    if (this.needsDrawing || sharpen || this.video.isOn) {
      this.needsDrawing = false;
      this.stage.setFineness(sharpen || this.video.isOn ? 1 : this.pace.moving(now));
      this.hud.update(this.stage.camera, this.cameras.metresPerPixel(this.stage.holder.clientHeight));
      this.stage.draw();
    }
    requestAnimationFrame((next) => this.frame(next));
  }

  /** Brings everything to the present time. */
  private show(): void {
    if (this.store.rows === 0) return;
    const instant = this.store.instantAt(this.clock.time);
    this.bodies.place(this.store, instant);
    if (this.soil && this.terrain) {
      this.terrain.changed(this.soil.seek(this.clock.time));
      this.terrain.flush();
    }
    const place = this.placeOf(this.leader);
    this.cameras.carry(place);
    this.stage.castAround(place, Math.max(1.6 * this.size, Math.min(4 * this.size, this.cameras.controls.getDistance())));
    if (instant.row !== this.shownRow) {
      this.shownRow = instant.row;
      this.overlays.update(instant.row);
      this.table.update(instant.row);
      this.plots.update();
    }
    this.top.update(instant.row, this.clock.time);
    this.timeline.update();
    this.touched();
  }

  private placeOf(body: number): Vector3 {
    return body >= 0 ? this.bodies.nodes[body].position.clone() : new Vector3();
  }

  private setCamera(index: number): void {
    const turn = this.leader >= 0 ? this.bodies.nodes[this.leader].quaternion : new Quaternion();
    this.cameras.set(index, this.placeOf(this.leader), turn);
    this.show();
  }

  /** The picture is to be drawn anew, and the link to tell of it. */
  private touched(): void {
    this.needsDrawing = true;
    window.clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => this.writeLink(), 400);
  }

  private writeLink(): void {
    const s = this.switches;
    const shown = [s.forces ? 'f' : '', s.contacts ? 'c' : '', s.frames ? 'm' : '', s.wireframe ? 'w' : '', s.panels ? 'p' : ''].join('');
    const link = linkOf(this.api.token, {
      time: this.clock.atEdge ? null : this.clock.time,
      camera: this.cameras.state(),
      colouring: this.colouring,
      speed: this.clock.speed,
      shown,
      wheel: this.store.about.wheels[this.selected]?.name ?? null,
    });
    history.replaceState(null, '', link);
  }

  private flip(name: keyof Switches): void {
    this.switches[name] = !this.switches[name];
    this.applySwitches();
  }

  private applySwitches(): void {
    const s = this.switches;
    this.overlays.forces.visible = s.forces;
    this.overlays.contacts.visible = s.contacts;
    this.overlays.showFrames(s.frames);
    this.bodies.setWireframe(s.wireframe);
    this.terrain?.setWireframe(s.wireframe);
    this.side.hidden = !s.panels;
    this.fit();
    this.refresh();
    this.show();
  }

  /** The picture and the curves fill the room that there is. */
  private fit(): void {
    const beside = this.switches.panels && this.side.clientHeight > 0.6 * this.root.clientHeight;
    this.stage.resize(beside ? this.side.clientWidth : 0);
    if (this.switches.panels) this.plots.resize();
  }

  private setColouring(colouring: Colouring): void {
    this.colouring = colouring;
    this.uniforms.colouring.value = kColourings.indexOf(colouring);
    this.updateScale();
    this.touched();
  }

  /** Ends of scales: round numbers that hold for the whole run, so that colours mean the same at any time. */
  private updateScale(): void {
    const u = this.uniforms;
    this.scaledAt = performance.now();
    if (this.terrain) [u.low.value, u.high.value] = this.terrain.heightRange;
    if (this.soil && this.soil.times.length > 0) {
      const { sunk, heaped } = this.soil.range();
      const end = roundScale(Math.max(sunk, heaped, 0.005));
      this.scaleEnd = Math.max(end, this.live ? this.scaleEnd : 0);
      u.sunk.value = u.heaped.value = this.scaleEnd;
    }
    const none = !this.terrain || (this.colouring === 'ruts' && !this.soil);
    if (none) this.hud.setLegend('natural', 0, 0);
    else if (this.colouring === 'ruts') this.hud.setLegend('ruts', -u.sunk.value, u.heaped.value);
    else if (this.colouring === 'relief') this.hud.setLegend('relief', u.low.value, u.high.value);
    else this.hud.setLegend(this.colouring, 0, 40);
  }

  private select(wheel: number): void {
    this.selected = wheel === this.selected ? -1 : wheel;
    this.table.select(this.selected);
    const body = this.store.about.wheels[this.selected]?.body ?? -1;
    this.bodies.highlight(body);
    if (body >= 0) this.cameras.lookAt(this.placeOf(body));
    this.touched();
  }

  private rayAt(event: MouseEvent): Raycaster {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.stage.camera);
    return ray;
  }

  /** A click on the ground, not on what stands before it, asks for its story. */
  private askGround(event: MouseEvent): void {
    if (!this.probe || !this.terrain) return;
    const ray = this.rayAt(event);
    const ground = firstHit(ray, this.terrain.group);
    const body = firstHit(ray, this.bodies.group);
console.log('ASK', ground?.distance, body?.distance, body?.object.parent?.name, JSON.stringify(ground?.point));
    if (ground && !(body && body.distance < ground.distance)) this.probe.ask(ground.point, event.clientX, event.clientY);
    else this.probe.close();
    this.touched();
  }

  private pick(event: MouseEvent): void {
    const hit = firstHit(this.rayAt(event), this.bodies.group);
    const body = hit?.object.userData['body'] as number | undefined;
    const wheel = this.store.about.wheels.findIndex((w) => w.body === body);
    if (wheel >= 0) this.select(wheel);
    else if (hit) this.cameras.lookAt(hit.point);
    this.touched();
  }

  private listen(view: HTMLElement): void {
    this.clock.onChange = () => this.show();
    const canvas = this.stage.renderer.domElement;
    canvas.addEventListener('dblclick', (event) => this.pick(event));
    let pressed = [0, 0];
    canvas.addEventListener('pointerdown', (event) => (pressed = [event.clientX, event.clientY]));
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4) this.askGround(event);
    });
    new ResizeObserver(() => {
      this.fit();
      this.touched();
    }).observe(view);
    if (!this.live) return;
    this.live.onFrame = (frame) => {
      if (!this.isFramed) {
        this.show();
        this.frameView();
      }
      const state = frame.ended ? 'ended' : frame.paused ? 'paused' : frame.driven ? 'driven by hand' : 'running';
      this.top.live = { realTimeFactor: frame.realTimeFactor, stepMs: frame.stepMs, state };
      if (frame.places.length > 0 && performance.now() - this.scaledAt > 1000) this.updateScale();
      if (!this.clock.atEdge) this.timeline.update();
    };
    this.live.onWarning = (text) => this.top.addWarning(text);
    this.live.onEvent = (event) => {
      this.store.about.events.push(event);
      this.timeline.markEvents();
    };
  }

  private tools(): HTMLElement[] {
    return [
      button('Colours', 'Colour the ground by its change, height, slope, or not (K)', () => this.nextColouring()),
      button('PNG', 'Save the picture', () => this.savePicture()),
      button('Film', 'Film the picture as WebM; press again to end and save', () => this.film()),
      button('Panels', 'Show or hide the panels (P)', () => this.flip('panels')),
      button('?', 'Keys', () => this.keys.toggleHelp()),
    ];
  }

  private nextColouring(): void {
    this.setColouring(kColourings[(kColourings.indexOf(this.colouring) + 1) % kColourings.length]);
  }

  private savePicture(): void {
    this.stage.setFineness(1);
    this.stage.draw();
    this.stage.renderer.domElement.toBlob((blob) => {
      if (blob) download(`${this.store.about.scene.name}-${this.clock.time.toFixed(2)}s.png`, blob);
    });
  }

  private film(): void {
    try {
      this.video.toggle();
      this.toast(this.video.isOn ? 'Filming: press Film again to end and save' : 'The film is saved');
    } catch (problem) {
      this.toast((problem as Error).message);
    }
  }

  toast(message: string): void {
    const note = make('div', { class: 'toast panel', role: 'status' }, message);
    this.root.append(note);
    setTimeout(() => note.remove(), 4000);
  }

  /** Arrow keys: through time, or the rover where it is driven by hand. */
  private arrow(rows: number, speed: number, curvature: number): void {
    if (this.live?.driving) this.live.steer(speed, curvature);
    else if (rows !== 0) this.clock.step(rows);
  }

  private keyList(): Key[] {
    const { clock } = this;
    const keys: Key[] = [
      { keys: [' '], shown: 'Space', help: 'play or pause', act: () => this.playOrPause() },
      { keys: ['ArrowLeft'], shown: '←', help: 'one sample back', act: () => this.arrow(-1, 0, 0.1) },
      { keys: ['ArrowRight'], shown: '→', help: 'one sample on', act: () => this.arrow(1, 0, -0.1) },
      { keys: ['Shift+ArrowLeft'], shown: 'Shift ←', help: 'one second back', act: () => clock.seek(clock.time - 1) },
      { keys: ['Shift+ArrowRight'], shown: 'Shift →', help: 'one second on', act: () => clock.seek(clock.time + 1) },
      { keys: ['Home'], shown: 'Home', help: 'to the beginning', act: () => clock.seek(this.store.start) },
      { keys: ['End'], shown: 'End', help: 'to the end, or to the present of a live run', act: () => clock.toEdge() },
      { keys: ['+', '='], shown: '+', help: 'faster', act: () => clock.setSpeed(clock.speed * 2) },
      { keys: ['-'], shown: '−', help: 'slower', act: () => clock.setSpeed(clock.speed / 2) },
      { keys: ['1', '2', '3', '4', '5'], shown: '1 … 5', help: 'look from the corner, from behind, the side, above, the front', act: () => {} },
      { keys: ['l'], shown: 'L', help: 'follow the rover, or stay', act: () => this.toggleFollow() },
      { keys: ['k'], shown: 'K', help: 'colour the ground by its change, height, slope, or not', act: () => this.nextColouring() },
      { keys: ['f'], shown: 'F', help: 'forces of contacts', act: () => this.flip('forces') },
      { keys: ['c'], shown: 'C', help: 'points of contact', act: () => this.flip('contacts') },
      { keys: ['m'], shown: 'M', help: 'frames of bodies: x red, y green, z blue', act: () => this.flip('frames') },
      { keys: ['w'], shown: 'W', help: 'wireframe', act: () => this.flip('wireframe') },
      { keys: ['p'], shown: 'P', help: 'panels', act: () => this.flip('panels') },
      { keys: ['Escape'], shown: 'Esc', help: 'close what was asked of the ground', act: () => this.closeProbe() },
      { keys: ['?'], shown: '?', help: 'these keys', act: () => this.keys.toggleHelp() },
    ];
    for (let k = 0; k < 5; ++k) keys.unshift({ keys: [String(k + 1)], shown: '', help: '', act: () => this.setCamera(k) });
    const live = this.live;
    if (live) {
      keys.push(
        { keys: ['.'], shown: '.', help: 'one step of the integrator', act: () => live.send({ do: 'step' }) },
        { keys: ['d'], shown: 'D', help: 'drive by hand: ↑ ↓ speed, ← → turn', act: () => live.toggleDrive() },
        { keys: ['ArrowUp'], shown: '↑', help: 'faster forwards, while driving', act: () => this.arrow(0, 0.02, 0) },
        { keys: ['ArrowDown'], shown: '↓', help: 'slower, or backwards', act: () => this.arrow(0, -0.02, 0) },
        { keys: ['s'], shown: 'S', help: 'stop the rover, while driving', act: () => (live.driving ? live.stop() : undefined) },
      );
    }
    return keys;
  }

  /** The run itself where one follows it, else what is shown of it. */
  private playOrPause(): void {
    const goesOn = this.live?.last?.ended === false;
    if (this.live && goesOn && this.clock.atEdge) {
      this.live.togglePause();
      return;
    }
    if (!goesOn) this.clock.atEdge = false; // over: there is no edge to stay behind
    this.clock.toggle();
  }

  private closeProbe(): void {
    this.probe?.close();
    this.touched();
  }

  private toggleFollow(): void {
    this.cameras.follow = !this.cameras.follow;
    this.toast(this.cameras.follow ? 'The eye follows' : 'The eye stays');
  }
}

/** What a ray meets first, lines apart. */
function firstHit(ray: Raycaster, group: Group): Intersection | undefined {
  return ray.intersectObject(group, true).find((hit) => hit.object instanceof Mesh);
}

/** The chassis of the first rover: the first body that is no rock; -1 if there is no body. */
function leaderOf(about: RunDescription): number {
  const index = about.bodies.findIndex((name) => !name.startsWith('rocks/'));
  return index >= 0 ? index : about.bodies.length - 1;
}

/** How far from its hub a wheel changes the ground [m]: its radius, and some for soil that it pushes aside. */
function reachOf(about: RunDescription, size: number): number {
  let radius = 0;
  for (const look of about.looks) {
    const isWheel = about.wheels.some((wheel) => wheel.body === look.body);
    if (isWheel && look.shape.type === 'cylinder') radius = Math.max(radius, look.shape.radius);
  }
  return 1.3 * (radius > 0 ? radius : 0.15 * size);
}

/** How large the model of the leader is [m], from the places and looks of its bodies. */
function sizeOf(bodies: Bodies, about: RunDescription, leader: number): number {
  if (leader < 0) return 1;
  const model = about.bodies[leader].split('/')[0];
  let size = 0.2;
  for (const look of about.looks) {
    const node = bodies.nodes[look.body];
    if (!node || node.name.split('/')[0] !== model) continue;
    node.traverse((item) => {
      if (!(item instanceof Mesh)) return;
      item.geometry.computeBoundingSphere();
      size = Math.max(size, 2 * (item.geometry.boundingSphere?.radius ?? 0));
    });
  }
  return size;
}
