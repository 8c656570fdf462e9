const FIRST_BYTES = 4_096;

/** Bytes that a decoder makes, one after the other, up to a limit. */
export class PdfBytes {
  readonly #limit: number;
  #bytes = new Uint8Array(FIRST_BYTES);
  #size = 0;
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** More was made than the limit: the rest is lost. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Ends what is made: readers differ in what comes now. */
  giveUp(): void {
    this.#isCut = true;
  }

  /** Room for so many more bytes, to be written at once; shorter where the limit is near. */
  next(count: number): Uint8Array<ArrayBuffer> {
    const taken = Math.min(count, this.#limit - this.#size);
    if (taken < count) this.#isCut = true;
    const end = this.#size + taken;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(this.#limit, Math.max(end, 2 * this.#bytes.length)));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    const room = this.#bytes.subarray(this.#size, end);
    this.#size = end;
    return room;
  }

  made(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }
}
