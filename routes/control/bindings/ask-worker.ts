/** What another Worker said, or that its version has no such call. */
export type WorkerAnswer<T> = { known: true; value: T } | { known: false };

/** What the platform says of a call that the other Worker does not have. */
const NO_SUCH_CALL = 'does not implement';

type Calls = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * Asks another Worker what its earlier versions do not know.
 * @throws what the call throws: that is "could not look", and no earlier version
 */
export async function askWorker<P extends Calls, M extends keyof P & string>(
  worker: P,
  call: M,
  ...args: Parameters<P[M]>
): Promise<WorkerAnswer<Awaited<ReturnType<P[M]>>>> {
  if (typeof worker[call] !== 'function') return { known: false };
  try {
    return { known: true, value: (await worker[call](...args)) as Awaited<ReturnType<P[M]>> };
  } catch (error) {
    if (error instanceof TypeError && error.message.includes(NO_SUCH_CALL)) return { known: false };
    throw error;
  }
}
