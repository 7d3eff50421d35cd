import { download } from './dom';

/** Films a canvas as WebM until told to stop. */
export class Video {
  private recorder: MediaRecorder | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly name: string,
  ) {}

  get isOn(): boolean {
    return this.recorder !== null;
  }

  toggle(): void {
    if (this.recorder) {
      this.recorder.stop();
      return;
    }
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
    if (!type) throw new Error('this browser cannot film: MediaRecorder knows no WebM');
    const parts: Blob[] = [];
    const recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 12e6 });
    recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
    recorder.addEventListener('stop', () => {
      this.recorder = null;
      download(`${this.name}.webm`, new Blob(parts, { type: 'video/webm' }));
    });
    recorder.start();
    this.recorder = recorder;
  }
}
