import { Session } from 'node:inspector/promises';
import { Parser } from 'htmlparser2';
import { installWorkerdInflater, inflated } from './workerd-inflater.ts';

/** What the wire and the decoders of the shape that is running have done so far. */
export const counted = { requests: 0, served: 0, outside: 0 };

let outsideAtStart = 0;

/** Less than this is not worth a collection to be sure of it. */
const COLLECT_FROM = 4 * 1024 * 1024;

/** Looks at the memory outside the heap. Only what is still there after a collection counts: the rest is nobody's. */
export function lookOutside(): void {
  const now = process.memoryUsage().arrayBuffers - outsideAtStart;
  if (now <= counted.outside + COLLECT_FROM) return;
  globalThis.gc?.();
  counted.outside = Math.max(counted.outside, process.memoryUsage().arrayBuffers - outsideAtStart);
}

/** Starts counting. Every read of a body, every inflated piece and every parse is a moment to look at memory. */
export async function startCounting(): Promise<{ reset: () => Promise<void>; calls: () => Promise<number> }> {
  installWorkerdInflater(lookOutside);
  const end = Reflect.get(Parser.prototype, 'end');
  Parser.prototype.end = function looking(chunk) {
    lookOutside();
    Reflect.apply(end, this, [chunk]);
    lookOutside();
  };
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const calls = async (): Promise<number> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  };
  return {
    calls,
    async reset() {
      await new Promise((resolve) => setImmediate(resolve)); // What made the input is off the stack.
      globalThis.gc?.();
      outsideAtStart = process.memoryUsage().arrayBuffers;
      Object.assign(counted, { requests: 0, served: 0, outside: 0 });
      Object.assign(inflated, { held: 0, most: 0 });
      await calls(); // Reading them sets them back to nothing.
    },
  };
}
