import { Quaternion, Vector3, type PerspectiveCamera } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export const kCameraNames = ['corner', 'behind', 'side', 'above', 'front'] as const;

/** The eye: moved by mouse and touch, set to places about the rover, and carried along with it. */
export class Cameras {
  readonly controls: OrbitControls;
  follow = true;
  private readonly last = new Vector3();
  private isPlaced = false;

  constructor(
    private readonly camera: PerspectiveCamera,
    element: HTMLElement,
    private readonly size: number, // of what is looked at [m]
    onChange: () => void,
  ) {
    this.controls = new OrbitControls(camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.08 * size;
    this.controls.maxDistance = 400 * size;
    this.controls.maxPolarAngle = 0.495 * Math.PI;
    this.controls.addEventListener('change', onChange);
  }

  /** Carries the eye along as far as what it looks at has moved. */
  carry(place: Vector3): void {
    if (this.isPlaced && this.follow) {
      const moved = place.clone().sub(this.last);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    }
    this.last.copy(place);
    this.isPlaced = true;
  }

  /** One of the places about the rover, turned as it is. */
  set(index: number, place: Vector3, turn: Quaternion): void {
    const ways: [number, number, number][] = [
      [1.75, 2.1, 0.8],
      [-2.9, 0.3, 0.95],
      [0, 2.9, 0.3],
      [-0.01, 0, 3.1],
      [2.7, -0.4, 0.5],
    ];
    const forward = new Vector3(1, 0, 0).applyQuaternion(turn);
    const yaw = Math.atan2(forward.y, forward.x);
    const way = new Vector3(...ways[index]).multiplyScalar(1.18 * this.size).applyAxisAngle(new Vector3(0, 0, 1), yaw);
    this.controls.target.copy(place).add(new Vector3(0, 0, 0.04 * this.size));
    this.camera.position.copy(this.controls.target).add(way);
    this.controls.update();
  }

  lookAt(place: Vector3): void {
    const moved = place.clone().sub(this.controls.target);
    this.camera.position.add(moved);
    this.controls.target.copy(place);
  }

  state(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  restore(state: number[]): void {
    this.camera.position.fromArray(state);
    this.controls.target.fromArray(state, 3);
    this.controls.update();
  }

  /** Metres that a pixel shows at what is looked at. */
  metresPerPixel(height: number): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, height);
  }
}
