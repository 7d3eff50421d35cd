import { Group, Mesh, MeshBasicMaterial, RingGeometry, type Vector3 } from 'three';
import type { Clock } from './clock';
import { button, make } from './dom';
import { type Hubs, passesAt } from './provenance';
import type { SoilHistory } from './soil';
import type { RunStore } from './store';
import { kWheelColours, shortName } from './wheels_table';

/** Asks a place of the ground for its story: which wheel pressed it, when, and how that wheel was doing. */
export class Probe {
  readonly element = make('div', { class: 'probe panel', hidden: '' });
  readonly group = new Group();

  constructor(
    private readonly store: RunStore,
    private readonly soil: SoilHistory,
    private readonly clock: Clock,
    private readonly reach: number, // of a wheel [m]
    size: number, // of the rover [m]
  ) {
    const material = new MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.9 });
    const ring = new Mesh(new RingGeometry(0.022 * size, 0.03 * size, 40), material);
    ring.renderOrder = 7;
    this.group.add(ring);
    this.group.visible = false;
  }

  close(): void {
    this.element.hidden = true;
    this.group.visible = false;
  }

  /** Shows the story of a place, beside a point of the page [px]. */
  ask(place: Vector3, x: number, y: number): void {
    const { grid } = this.soil;
    const i = Math.round((place.x - grid.origin[0]) / grid.spacing);
    const j = Math.round((place.y - grid.origin[1]) / grid.spacing);
    if (i < 0 || j < 0 || i >= grid.nx || j >= grid.ny) {
      this.close();
      return;
    }
    const change = this.soil.at(i, j);
    const words = `x ${place.x.toFixed(2)} m, y ${place.y.toFixed(2)} m · ${signed(1000 * change)} mm now`;
    this.element.replaceChildren(make('b', {}, 'This place'), ' ', make('span', { class: 'note' }, words), this.story(i, j, [place.x, place.y]));
    this.element.hidden = false;
    this.element.style.left = `${Math.max(8, x > window.innerWidth / 2 ? x - 446 : x + 14)}px`;
    this.element.style.top = `${Math.max(60, Math.min(y + 14, window.innerHeight - 320))}px`;
    this.group.position.copy(place);
    this.group.visible = true;
  }

  private story(i: number, j: number, place: [number, number]): HTMLElement {
    const wheels = this.store.about.wheels;
    const hubs: Hubs = {
      times: this.store.times,
      count: this.store.rows,
      wheels: wheels.length,
      at: (row, wheel) => {
        if (wheels[wheel].body < 0) return [Infinity, Infinity];
        const pose = this.store.pose(row, wheels[wheel].body);
        return [pose[0], pose[1]];
      },
    };
    const passes = passesAt(this.soil.versionsAt(i, j), hubs, place, this.reach);
    if (passes.length === 0) return make('p', { class: 'note' }, 'Nothing has touched it.');
    const head = make('tr', {}, ...['when', 'by', 'change', 'slip', 'sinkage', 'torque'].map((word) => make('th', {}, word)));
    const rows = passes.slice(0, 12).map((pass) => {
      const value = (path: string, factor: number, unit: string) => {
        const x = pass.wheel < 0 ? undefined : this.store.value(path, pass.row, pass.wheel);
        return make('td', {}, x === undefined ? '–' : `${(factor * x).toFixed(1)} ${unit}`);
      };
      const by = make('td');
      if (pass.wheel >= 0) {
        const dot = make('i', { class: 'dot' });
        dot.style.background = kWheelColours[pass.wheel % kWheelColours.length];
        by.append(dot, shortName(wheels[pass.wheel].name));
      } else {
        by.append(pass.time <= this.store.start ? 'before this run' : 'sliding soil or a rock');
      }
      const when = make('td', {}, button(`${pass.time.toFixed(2)} s`, 'Go there', () => this.clock.seek(pass.time)));
      const cells = [value('/wheels/slip', 100, '%'), value('/wheels/sinkage', 1000, 'mm'), value('/wheels/torque', 1, 'N m')];
      return make('tr', {}, when, by, make('td', {}, `${signed(1000 * pass.change)} mm`), ...cells);
    });
    const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
    if (passes.length > rows.length) table.append(make('caption', {}, `and ${passes.length - rows.length} more`));
    return table;
  }
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
}
