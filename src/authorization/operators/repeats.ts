import { computeSha256Hex } from '../../lib/digest.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { StoreTools } from '../oauth/rows.ts';
import type { NotOperated, Operated, OperatorCommand } from './commands.ts';

const PREFIX = 'own:operator-once:';
/** How long a key of a carried out command is remembered. */
const REPEAT_MS = DAY_MS;
/** Keys of all operators that are remembered at once. */
export const MAX_OPERATOR_KEYS = 500;

/** Commands whose repeat would make a second thing. The others may be repeated as they are. */
const MAKES: ReadonlySet<OperatorCommand['do']> = new Set([
  'create_service_account',
  'create_key',
  'create_client',
  'create_operator',
  'restore_operator',
]);

/** What is remembered of a command that was carried out. A secret is not: it is in the first answer and in no other. */
type Remembered = { command: string; id: string; answer?: Operated };

/** Who repeats what, under which `Idempotency-Key`. */
type NamedCommand = { by: string; command: OperatorCommand; key: string | undefined };

/**
 * Carries out a command once for each key of an operator. The repeat of what made no secret gets the same answer; the repeat
 * of what made one learns the id alone. Refusals are not remembered: nothing was made.
 */
export function createOnceGuard({ rows, now }: Pick<StoreTools, 'rows' | 'now'>) {
  return async (
    { by, command, key }: NamedCommand,
    carryOut: () => Promise<Operated | NotOperated>,
  ): Promise<Operated | NotOperated> => {
    if (key === undefined || !MAKES.has(command.do)) return carryOut();
    const row = `${PREFIX}${await computeSha256Hex(`${by}\n${key}`)}`;
    const hash = await computeSha256Hex(JSON.stringify(command));
    const before = rows.get<Remembered>(row);
    if (before !== undefined) return answerRepeat(before, hash);
    if (rows.count(PREFIX) >= MAX_OPERATOR_KEYS) return { ok: false, reason: 'too_many' };
    const answer = await carryOut();
    if (answer.ok) rows.put(row, buildMemory(hash, answer), now() + REPEAT_MS);
    return answer;
  };
}

function answerRepeat({ command, id, answer }: Remembered, hash: string): Operated | NotOperated {
  if (command !== hash) return { ok: false, reason: 'key_reused' };
  return answer === undefined ? { ok: false, reason: 'already_created', id } : { ...answer, isRepeat: true };
}

function buildMemory(command: string, answer: Operated): Remembered {
  const isSecret = 'secret' in answer || 'file' in answer;
  return { command, id: findMadeId(answer), ...(isSecret ? {} : { answer }) };
}

function findMadeId(answer: Operated): string {
  if ('account' in answer) return answer.account.id;
  if ('client' in answer) return answer.client.id;
  if ('operator' in answer) return answer.operator.id;
  return 'key' in answer ? answer.key.id : '';
}
