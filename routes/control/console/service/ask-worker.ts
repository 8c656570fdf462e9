import { formatPlainLine } from '../../../../src/lib/safe-text.ts';
import { MAX_REASON_CHARS } from '../../../../src/web/console/service/confirm.tsx';
import type { ActionOutcome, ConsoleFormInput, NothingToShow } from '../console-request.ts';

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

/** In the place of a file that an earlier version of the api Worker cannot fill. */
export const OLDER_WORKER: NothingToShow = {
  status: 503,
  title: 'This version of the api Worker cannot say',
  detail: 'The console is newer than the api Worker that it asks, as after a rollback.',
};

export const SESSION_OVER: NothingToShow = {
  status: 503,
  title: 'Sign in again',
  detail: 'Your session ended while the page was made. Sign in again.',
};

/** An action that changed nothing, and why. @param to the page that says so */
export const refuseAct = (to: string, said: string, reason: string): ActionOutcome => ({
  to,
  said: `Nothing was changed. ${said}`,
  entry: { reason },
  outcome: 'refused',
});

export const OLDER_SAID = 'This version of the api Worker cannot do that.';

/** Why sessions are refused by the Worker that is asked. */
export const SESSION_REFUSALS: Readonly<Record<string, string>> = {
  not_signed_in: 'Your session has ended: sign in again.',
  not_operator: 'Your session is no operator’s.',
  sign_in_too_old: 'Your sign-in is older than fifteen minutes: sign in again.',
};

/** What the operator says of a change, as one line; '' for none. */
export const readReason = (form: ConsoleFormInput): string =>
  formatPlainLine(form.get('reason') ?? '', MAX_REASON_CHARS);

/** For the audit entries of every change. */
export const describeReason = (form: ConsoleFormInput): Readonly<Record<string, string>> => ({
  why: readReason(form),
});

export const NO_REASON = 'Say why: the audit log records it.';
