import { Worker } from 'node:worker_threads';

/** How many work at once, how many wait in all, and how many of those may be of one owner. */
type TurnLimits = { places: number; waiting: number; waitingOfOwner: number };

/** A place to work at, which `leave` gives back; undefined where too many wait already. */
type FairTurn = { leave: () => void } | undefined;

/**
 * Places that are shared between owners: each owner has one at a time, so that what one of them does for long keeps the
 * others from none but its own. Who has waited longest comes first.
 */
export function createFairTurns({ places, waiting, waitingOfOwner }: TurnLimits): (owner: string) => Promise<FairTurn> {
  const working = new Set<string>();
  const queue: { owner: string; begin: () => void }[] = [];
  const mayBegin = (owner: string): boolean => working.size < places && !working.has(owner);
  const leave = (owner: string): void => {
    working.delete(owner);
    const next = queue.findIndex((one) => mayBegin(one.owner));
    if (next !== -1) queue.splice(next, 1)[0]?.begin();
  };
  const begun = (owner: string): FairTurn => {
    working.add(owner);
    let isOver = false;
    return {
      leave: () => {
        if (isOver) return;
        isOver = true;
        leave(owner);
      },
    };
  };
  return async (owner) => {
    if (mayBegin(owner)) return begun(owner);
    const own = queue.filter((one) => one.owner === owner).length;
    if (queue.length >= waiting || own >= waitingOfOwner) return undefined;
    return new Promise((resolve) => {
      queue.push({ owner, begin: () => resolve(begun(owner)) });
    });
  };
}

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
