/** A Float32Array that grows at its end. */
export class GrowingFloats {
  private data: Float32Array;
  private used = 0;

  constructor(capacity = 1024) {
    this.data = new Float32Array(capacity);
  }

  get length(): number {
    return this.used;
  }
  /** All numbers so far; valid until more are added. */
  get view(): Float32Array {
    return this.data.subarray(0, this.used);
  }
  at(index: number): number {
    return this.data[index];
  }
  slice(first: number, end: number): Float32Array {
    return this.data.subarray(first, end);
  }
  push(values: Float32Array): void {
    if (this.used + values.length > this.data.length) {
      const larger = new Float32Array(Math.max(2 * this.data.length, this.used + values.length));
      larger.set(this.view);
      this.data = larger;
    }
    this.data.set(values, this.used);
    this.used += values.length;
  }
}
