import { Worker } from 'node:worker_threads';
import { createFairTurns } from './fair-turns.ts';

/** What one PDF may take here: twice the processor's time of a deployment, on a machine that has other things to do. */
const READ_MS = 20_000;
/** PDFs that are read at the same time, at most one of each instance; those that wait for that; and the same of one instance. */
const TURNS = { places: 2, waiting: 32, waitingOfOwner: 16 };
/** Of a thread. An isolate of the platform has 128 MB in all. */
const HEAP_MB = 128;
/** What a library prints is none of the stack's output. */
const IN_THREAD = { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }, stdout: true, stderr: true };

/** What became of a PDF: the answer of its thread, or why there is none. */
export type PdfAnswer = { ok: true; read: unknown } | { ok: false; reason: 'ended' | 'busy' };

/** Reads PDFs in threads of this process, each of which is ended in time: the Workers go on whatever a file does. */
export type LocalPdfs = { read: (bytes: Uint8Array, owner: string) => Promise<PdfAnswer>; stop: () => Promise<void> };

/** @param limits for tests: a thread's time, and the module it runs */
export function createLocalPdfs({
  readMs = READ_MS,
  thread = new URL('pdf-thread.ts', import.meta.url),
} = {}): LocalPdfs {
  const running = new Set<Worker>();
  const turns = createFairTurns(TURNS);
  let isStopped = false;
  const readIn = async (worker: Worker): Promise<PdfAnswer> => {
    running.add(worker);
    try {
      return await waitForPdfAnswer(worker, readMs);
    } finally {
      running.delete(worker);
    }
  };
  return {
    async read(bytes, owner) {
      const turn = await turns(owner);
      if (turn === undefined) return { ok: false, reason: 'busy' };
      if (isStopped) {
        turn.leave();
        return { ok: false, reason: 'ended' };
      }
      try {
        return await readIn(new Worker(thread, { ...IN_THREAD, workerData: bytes }));
      } finally {
        turn.leave();
      }
    },
    async stop() {
      isStopped = true;
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

/** Waits for the one message of a thread. A thread that fails, ends without a word or takes too long has none. */
async function waitForPdfAnswer(worker: Worker, readMs: number): Promise<PdfAnswer> {
  const answer = Promise.withResolvers<PdfAnswer>();
  const timer = setTimeout(() => answer.resolve({ ok: false, reason: 'ended' }), readMs);
  worker.once('message', (read: unknown) => answer.resolve({ ok: true, read }));
  worker.once('error', () => answer.resolve({ ok: false, reason: 'ended' })); // Out of memory is one.
  worker.once('exit', () => answer.resolve({ ok: false, reason: 'ended' }));
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
