/** What a shape made happen, in counts. None of them is a time. */
export type Seen = {
  /** Requests that reached the wire. */
  requests: number;
  /** Bytes of bodies that the wire handed out. */
  served: number;
  /** Calls of JavaScript functions, ours and the libraries', from V8's precise coverage. */
  calls: number;
  /** The most bytes that decoders had inflated and no reader had taken, as workerd would hold them. */
  held: number;
  /** The most bytes that lived outside the JavaScript heap. */
  outside: number;
  /** Characters of the result as JSON. */
  out: number;
  /** How it ended: a reason, or `ok`. */
  outcome: string;
};

/** Upper limits on what is seen; those left out are `USUAL`. `outcomes`: the only ways in which the shape may end. */
export type Bounds = Partial<Omit<Seen, 'outcome'>> & { outcomes?: readonly string[] };

const MIB = 1024 * 1024;

export const USUAL = {
  requests: 60,
  served: 26 * MIB,
  calls: process.env['HOSTILE'] === 'full' ? 900_000_000 : 45_000_000,
  held: 9 * MIB, // A slice of 8 KiB makes at most 1,032 times as much.
  outside: 64 * MIB,
  out: 2 * MIB,
} as const satisfies Bounds;

/** Works on what a shape made, and answers with the result and how it ended. */
export type Entry<I> = (input: I) => Promise<{ outcome: string; result: unknown }>;

/** One row of a table. `make` makes the input, and gives back the work on it: what it took to make is not counted. */
export type Shape = { name: string; bounds: Bounds; make: () => () => ReturnType<Entry<unknown>> };

export function shape<I>(name: string, make: () => I, entry: Entry<I>, bounds: Bounds = {}): Shape {
  return {
    name,
    bounds,
    make() {
      const input = make();
      return () => entry(input);
    },
  };
}

/** `HOSTILE=full` runs every shape at the size of the limits it meets; otherwise at an eightieth of that. */
export const isFull = process.env['HOSTILE'] === 'full';
/** Bytes of a body at the size of this run. */
export const BODY = isFull ? 5 * MIB : MIB / 16;
/** The larger number in a full run. */
export const often = (usual: number, full: number): number => (isFull ? full : usual);

/** `text` over and over, up to `bytes` characters. */
export const repeated = (text: string, bytes: number = BODY): string => text.repeat(Math.ceil(bytes / text.length));
/** `text` for each number below `count`. */
export const each = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');
