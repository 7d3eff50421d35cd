import type { Api } from './api';
import { button, make } from './dom';
import { decodeLiveFrame, isShown, kPose, type LiveFrame, type RunEvent } from './protocol';
import type { SoilHistory } from './soil';
import type { RunStore } from './store';

export interface Drive {
  speed: number; // [m/s]
  curvature: number; // to the left [1/m]
}

/** A run that goes on: takes what the program sends, and tells it to pause, step, slow down or drive. */
export class LiveLink {
  readonly element: HTMLElement;
  drive: Drive = { speed: 0, curvature: 0 };
  driving = false;
  last: LiveFrame | null = null;
  onFrame: (frame: LiveFrame) => void = () => {};
  onWarning: (text: string) => void = () => {};
  onEvent: (event: RunEvent) => void = () => {};
  private socket: WebSocket | null = null;
  private readonly pause: HTMLButtonElement;
  private readonly limit: HTMLButtonElement;
  private readonly wheel: HTMLButtonElement;
  private readonly note = make('span', { class: 'note' });
  private ended = false;

  constructor(
    private readonly api: Api,
    private readonly store: RunStore,
    private readonly soil: SoilHistory | null,
  ) {
    this.pause = button('Pause run', 'Pause or go on with the run (Space)', () => this.togglePause());
    this.limit = button('1×', 'Not faster than real time', () => this.send({ do: 'limit', factor: this.last?.limited ? 0 : 1 }));
    this.wheel = button('Drive', 'Drive with the arrow keys (D); S stops, D again gives the rover back to the scene', () => this.toggleDrive());
    this.wheel.hidden = !store.about.drivable;
    this.element = make(
      'div',
      { class: 'live' },
      this.pause,
      button('Step', 'One step of the integrator (.)', () => this.send({ do: 'step' })),
      this.limit,
      this.wheel,
      this.note,
    );
    this.connect();
  }

  private connect(): void {
    const socket = this.api.socket();
    this.socket = socket;
    socket.addEventListener('message', (event: MessageEvent<ArrayBuffer | string>) => {
      if (typeof event.data === 'string') this.takeText(event.data);
      else this.takeFrame(event.data);
    });
    socket.addEventListener('close', () => {
      this.note.textContent = this.ended ? 'the run has ended' : 'connection lost; trying again';
      if (!this.ended) setTimeout(() => this.connect(), 1500);
    });
    socket.addEventListener('open', () => (this.note.textContent = ''));
  }

  send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  togglePause(): void {
    this.send({ do: this.last?.paused ? 'run' : 'pause' });
  }

  toggleDrive(): void {
    if (!this.store.about.drivable) return;
    this.driving = !this.driving;
    this.drive = { speed: 0, curvature: 0 };
    if (this.driving) {
      if (!this.last?.limited) this.send({ do: 'limit', factor: 1 });
      this.sendDrive();
    } else {
      this.send({ do: 'release' });
    }
    this.show();
  }

  /** Changes what is wanted of the rover, in steps of the keys. */
  steer(speed: number, curvature: number): void {
    const limit = (x: number, most: number) => Math.min(most, Math.max(-most, x));
    this.drive.speed = limit(Math.round((this.drive.speed + speed) * 1000) / 1000, 0.5);
    this.drive.curvature = limit(Math.round((this.drive.curvature + curvature) * 1000) / 1000, 1.5);
    this.sendDrive();
  }

  stop(): void {
    this.drive.speed = 0;
    this.sendDrive();
  }

  private sendDrive(): void {
    this.send({ do: 'drive', ...this.drive });
    this.show();
  }

  private takeText(text: string): void {
    const message = JSON.parse(text) as { warning?: string; event?: RunEvent; alarm?: RunEvent; ended?: string };
    if (message.warning) this.onWarning(message.warning);
    if (message.event) this.onEvent(message.event);
    if (message.alarm) {
      this.onWarning(`${message.alarm.name} (at ${message.alarm.time.toFixed(2)} s)`);
      this.onEvent(message.alarm);
    }
    if (message.ended) {
      this.ended = true;
      this.note.textContent = `the run has ended: ${message.ended.replaceAll('_', ' ')}`;
    }
  }

  private takeFrame(data: ArrayBuffer): void {
    const blockSize = this.soil ? this.soil.grid.side ** 2 : 0;
    const frame = decodeLiveFrame(data, blockSize);
    this.send({ ack: frame.sequence });
    this.last = frame;
    if (frame.time > this.store.end || this.store.rows === 0) this.append(frame);
    if (this.soil && (frame.places.length > 0 || this.soil.times.length === 0)) {
      this.soil.append(Math.max(frame.time, this.soil.times.at(-1) ?? 0), frame.places, frame.changes);
    }
    this.show();
    this.onFrame(frame);
  }

  /** Samples are those that a record would hold: each series with its columns, one after the other. */
  private append(frame: LiveFrame): void {
    const bodies = this.store.about.bodies.length;
    const poses = new Float32Array(bodies * kPose);
    let at = 0;
    for (const series of this.store.series.values()) {
      const part = frame.values.subarray(at, at + series.columns);
      at += series.columns;
      if (isShown(series.about)) series.values.push(part);
      if (series.about.path === '/bodies/position') {
        for (let b = 0; b < bodies; ++b) poses.set(part.subarray(3 * b, 3 * b + 3), b * kPose);
      } else if (series.about.path === '/bodies/quaternion') {
        for (let b = 0; b < bodies; ++b) {
          poses.set([part[4 * b + 1], part[4 * b + 2], part[4 * b + 3], part[4 * b]], b * kPose + 3);
        }
      }
    }
    this.store.appendFrames([frame.time], poses);
  }

  private show(): void {
    this.pause.textContent = this.last?.paused ? 'Go on' : 'Pause run';
    this.limit.classList.toggle('on', this.last?.limited ?? false);
    this.wheel.classList.toggle('on', this.driving);
    if (this.driving) {
      const { speed, curvature } = this.drive;
      const turn = curvature === 0 ? 'straight' : `radius ${(1 / Math.abs(curvature)).toFixed(2)} m ${curvature > 0 ? 'left' : 'right'}`;
      this.note.textContent = `${(100 * speed).toFixed(0)} cm/s, ${turn}`;
    }
  }
}
