const pending = new Set<Promise<unknown>>();

/** The context of a request that a test hands to an app itself. What goes on behind the answer (telemetry) is not waited for. */
export const contextOfTest = {
  waitUntil: (promise: Promise<unknown>): void => void pending.add(promise),
  passThroughOnException: () => undefined,
} as unknown as ExecutionContext;

/** Waits for what still goes on: it would write into the objects of the next file's tests. */
export async function endBehindAnswers(): Promise<void> {
  await Promise.allSettled(pending);
  pending.clear();
}
