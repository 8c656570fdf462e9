import type { ConsoleCommand } from '../../../../src/console-api/service.ts';
import type { ActionOutcome, ConsoleContext, ConsoleFormInput, NothingToShow } from '../console-request.ts';
import { formatPlainLine } from '../../../../src/lib/safe-text.ts';
import { MAX_REASON_CHARS } from '../../../../src/web/console/service/confirm.tsx';
import { askWorker } from '../../bindings/ask-worker.ts';

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

type OrderedCommand = {
  command: ConsoleCommand;
  /** The page that says what came of it. */
  to: string;
  /** What is said where it was done. */
  done: string;
};

/** Has an order about clients or operators carried out, with a reason and by the session of who orders it. */
export async function executeCommand(
  c: ConsoleContext,
  form: ConsoleFormInput,
  { command, to, done }: OrderedCommand,
): Promise<ActionOutcome> {
  if (readReason(form) === '') return refuseAct(to, NO_REASON, 'no_reason');
  if ('id' in command && command.id === '') return refuseAct(to, REFUSALS['not_found'] ?? '', 'not_found');
  const found = await askWorker(c.env.CONSOLE_ACCESS, 'operate', c.session.hash, command);
  if (!found.known) return refuseAct(to, OLDER_SAID, 'older_worker');
  const answer = found.value;
  if (!answer.ok) return refuseAct(to, REFUSALS[answer.reason] ?? 'It was refused.', answer.reason);
  const name = 'name' in answer ? answer.name : '';
  const unreached = answer.unreached ?? 0;
  const late =
    unreached === 0 ? '' : ` ${unreached} stores of tokens have not confirmed it yet: they are asked every 5 seconds.`;
  return { to, said: `${done}${late}`, entry: { name, unreached: String(unreached) } };
}

const REFUSALS: Readonly<Record<string, string>> = {
  ...SESSION_REFUSALS,
  not_found: 'There is no such one any more.',
  last_operator: 'This is the last one who could sign in. Add another operator first, or set OPERATOR_SECRET.',
};
