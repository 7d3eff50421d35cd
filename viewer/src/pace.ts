/**
 * How finely to draw where a graphics card is slow, or there is none: as coarsely as makes motion bearable, and in full once
 * the picture stands still.
 */
export class Pace {
  private fineness = 1; // while something moves
  private mean = 40; // between pictures [ms]
  private drawnAt = -Infinity;
  private isSharp = false;

  /** Before a picture is drawn because something moved, at `now` [ms]. Returns the fineness to draw with. */
  moving(now: number): number {
    const gap = now - this.drawnAt;
    if (gap < 1500) this.mean += 0.25 * (gap - this.mean);
    if (this.mean > 90 && this.fineness > 0.4) {
      this.fineness = Math.max(0.4, 0.75 * this.fineness);
      this.mean = 45;
    } else if (this.mean < 22 && this.fineness < 1) {
      this.fineness = Math.min(1, 1.2 * this.fineness);
    }
    this.drawnAt = now;
    this.isSharp = this.fineness === 1;
    return this.fineness;
  }

  /** Whether a picture that stands still shall be drawn once more, in full. */
  shallSharpen(now: number): boolean {
    if (this.isSharp || now - this.drawnAt < 500) return false;
    this.isSharp = true;
    return true;
  }
}
