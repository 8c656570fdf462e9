import type { ConsoleCommand } from '../../../../src/console-api/service.ts';
import type { ActionOutcome, ConsoleContext, ConsoleFormInput } from '../console-request.ts';
import { askWorker, NO_REASON, OLDER_SAID, readReason, refuseAct, SESSION_REFUSALS } from './ask-worker.ts';

type OrderedCommand = {
  command: ConsoleCommand;
  /** The page that says what came of it. */
  to: string;
  /** What is said where it was done. */
  done: string;
};

/** Has an order about clients or operators carried out, with a reason and by the session of who orders it. */
export async function carryOutCommand(
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
