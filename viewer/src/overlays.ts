import {
  AxesHelper,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import type { Bodies } from './bodies';
import type { RunStore } from './store';

const kUp = new Vector3(0, 1, 0);

/** An arrow that shows through what is before it. */
class Arrow extends Group {
  private readonly shaft: Mesh;
  private readonly head: Mesh;

  constructor(material: MeshBasicMaterial, private readonly thickness: number) {
    super();
    this.shaft = new Mesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), material);
    this.head = new Mesh(new ConeGeometry(1, 1, 16).translate(0, 0.5, 0), material);
    this.shaft.renderOrder = this.head.renderOrder = 6;
    this.add(this.shaft, this.head);
  }

  /** Along a vector of this length [m]. */
  point(vector: Vector3): void {
    const length = vector.length();
    const head = Math.min(0.35 * length, 7 * this.thickness);
    this.quaternion.setFromUnitVectors(kUp, vector.clone().normalize());
    this.shaft.scale.set(this.thickness, Math.max(length - head, 1e-6), this.thickness);
    this.head.position.y = length - head;
    this.head.scale.set(2.6 * this.thickness, head, 2.6 * this.thickness);
  }
}

/** Lines and marks over the scene: forces, contacts, the way driven, frames of bodies. */
export class Overlays {
  readonly group = new Group();
  readonly forces = new Group();
  readonly contacts = new Group();
  readonly frames = new Group();
  private readonly way: Line;
  private wayRows = 0;
  private readonly green = new MeshBasicMaterial({ color: 0x52f08a, depthTest: false, transparent: true, opacity: 0.9 });
  private readonly dot = new MeshBasicMaterial({ color: 0xffd84a, depthTest: false, transparent: true });

  constructor(
    private readonly store: RunStore,
    bodies: Bodies,
    private readonly size: number, // of the rover [m]
    private readonly leader: number, // the body whose way is drawn
    private readonly wayHeight: (x: number, y: number) => number,
  ) {
    this.way = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.65 }));
    this.way.frustumCulled = false;
    for (const node of bodies.nodes) {
      if (node.children.length === 0 || node.name.startsWith('rocks/')) continue;
      const axes = new AxesHelper(0.16 * this.size);
      node.add(axes);
      axes.visible = false;
      this.frames.userData[node.uuid] = axes;
    }
    this.forces.visible = false;
    this.contacts.visible = false;
    this.group.add(this.forces, this.contacts, this.way);
  }

  showFrames(on: boolean): void {
    for (const axes of Object.values(this.frames.userData)) (axes as AxesHelper).visible = on;
  }

  /** Draws what belongs to a row. */
  update(row: number): void {
    if (this.forces.visible) this.drawForces(row);
    if (this.contacts.visible) this.drawContacts(row);
    this.drawWay(row);
  }

  private contactCount(): number {
    return this.store.series.get('/contacts/in_contact')?.columns ?? 0;
  }

  private point(row: number, contact: number): Vector3 {
    const at = (k: number) => this.store.value('/contacts/point', row, 3 * contact + k) ?? 0;
    return new Vector3(at(0), at(1), at(2));
  }

  private touches(row: number, contact: number): boolean {
    return (this.store.value('/contacts/in_contact', row, contact) ?? 0) > 0;
  }

  private drawForces(row: number): void {
    const count = this.contactCount();
    while (this.forces.children.length < count) this.forces.add(new Arrow(this.green, 0.006 * this.size));
    const scale = this.forceScale();
    for (let c = 0; c < count; ++c) {
      const arrow = this.forces.children[c] as Arrow;
      const force = new Vector3(...[0, 1, 2].map((k) => this.store.value('/contacts/force', row, 3 * c + k) ?? 0));
      const length = force.length() * scale;
      arrow.visible = this.touches(row, c) && length > 1e-4;
      if (!arrow.visible) continue;
      arrow.position.copy(this.point(row, c));
      arrow.point(force.multiplyScalar(scale));
    }
  }

  /** Metres per newton: the weight that a wheel usually bears is a third of the rover's size. */
  forceScale(): number {
    const normal = this.store.series.get('/wheels/normal');
    let mean = 0;
    const view = normal?.values.view ?? new Float32Array();
    for (const value of view) mean += Math.abs(value) / view.length;
    return (0.33 * this.size) / (mean > 0 ? mean : 50);
  }

  private drawContacts(row: number): void {
    const count = this.contactCount();
    while (this.contacts.children.length < count) {
      const mark = new Mesh(new SphereGeometry(0.012 * this.size, 12, 8), this.dot);
      mark.renderOrder = 5;
      this.contacts.add(mark);
    }
    for (let c = 0; c < count; ++c) {
      const mark = this.contacts.children[c];
      mark.visible = this.touches(row, c);
      if (mark.visible) mark.position.copy(this.point(row, c));
    }
  }

  private drawWay(row: number): void {
    if (this.leader < 0) return;
    const rows = this.store.rows;
    if (rows !== this.wayRows) {
      const stride = Math.ceil(rows / 4000);
      const points: number[] = [];
      for (let k = 0; k < rows; k += stride) {
        const [x, y] = this.store.pose(k, this.leader);
        points.push(x, y, this.wayHeight(x, y) + 0.012 * this.size);
      }
      this.way.geometry.dispose();
      this.way.geometry = new BufferGeometry();
      this.way.geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
      this.wayRows = rows;
    }
    this.way.geometry.setDrawRange(0, Math.floor(row / Math.ceil(Math.max(rows, 1) / 4000)) + 1);
  }
}
