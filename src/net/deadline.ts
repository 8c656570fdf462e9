import { FetchStopped, findStop } from './fetched.ts';

/** The time that one fetch may take. `signal` aborts with a `FetchStopped` that says which limit was reached. */
export type Deadline = {
  signal: AbortSignal;
  /** Starts the limit for the first byte of one request; call the result when the headers are there. */
  awaitFirstByte: () => () => void;
  /** Frees the timers. Call it when the fetch is over. */
  end: () => void;
};

/** `auditMs` and `outer` belong to the audit: when they end a fetch, the site is not to blame. */
export type DeadlineLimits = { fetchMs: number; firstByteMs: number; auditMs: number; outer?: AbortSignal | undefined };

export function startDeadline(limits: DeadlineLimits): Deadline {
  const controller = new AbortController();
  const stop = (reason: 'timeout' | 'budget_exhausted', detail: string) =>
    controller.abort(new FetchStopped(reason, detail));
  const stopByCaller = () => stop('budget_exhausted', 'the audit was stopped');
  const fetchTimer = setTimeout(
    () => stop('timeout', `no complete answer within ${limits.fetchMs} ms`),
    limits.fetchMs,
  );
  const auditTimer = setTimeout(
    () => stop('budget_exhausted', 'the time for the fetches of this audit is over'),
    limits.auditMs,
  );
  if (limits.outer?.aborted) stopByCaller();
  limits.outer?.addEventListener('abort', stopByCaller, { once: true });
  return {
    signal: controller.signal,
    awaitFirstByte() {
      const timer = setTimeout(
        () => stop('timeout', `no first byte within ${limits.firstByteMs} ms`),
        limits.firstByteMs,
      );
      return () => clearTimeout(timer);
    },
    end() {
      clearTimeout(fetchTimer);
      clearTimeout(auditTimer);
      limits.outer?.removeEventListener('abort', stopByCaller);
    },
  };
}

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts: neither a resolver nor every fetch
 * ends its own work then.
 */
export function waitOrAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(findStop(signal.reason) ?? new Error('aborted'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const settle = () => signal.removeEventListener('abort', stop);
    work.then(resolve, reject).then(settle, settle);
  });
}
