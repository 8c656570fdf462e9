import { computeSha256Hex } from '../../lib/digest.ts';
import type { Accounts } from '../people/accounts.ts';
import { generateMachineSecret } from '../service-accounts/shapes.ts';
import {
  type OperatorEndReason,
  MAX_OPERATORS,
  type OperatorRecord,
  createOperatorRecords,
  createOperatorAccess,
} from './named-operators.ts';
import type { StoreTools } from '../oauth/rows.ts';

/** What an operator says of a new one. */
export type NewOperator = { name: string; directoryUserId?: string | undefined };

/** An operator as the others see it: nothing of its secret. */
export type OperatorView = { id: string; name: string; directoryUserId?: string; createdAtMs: number } & (
  | { state: 'enabled' }
  | { state: 'ended'; reason: OperatorEndReason; endedAtMs: number }
);

/** `secret` is in this answer and nowhere else. */
export type CreatedOperator = { ok: true; operator: OperatorView; secret: string };
export type OperatorAccountRefusal = {
  ok: false;
  reason: 'not_found' | 'too_many' | 'directory_user_taken' | 'last_operator' | 'operator_enabled';
};

/** What became of the access of a directory user who is gone or suspended: `ended` now or before, or no one's here. */
export type DirectoryUserGone = 'none' | 'ended' | 'last_operator';

export type OperatorAccountParts = {
  tools: StoreTools;
  accounts: Accounts;
  /** Ends every grant of an account, and with it its tokens. */
  revokeAll: (accountId: string) => Promise<unknown>;
  /** Account ids and stable words only. */
  log: (line: Record<string, unknown>) => void;
};

const NAME_BYTES = 16;

export type OperatorAccounts = ReturnType<typeof createOperatorAccounts>;

/**
 * Operators by name. The last one who could sign in keeps the access, no matter who asks (rule W6): otherwise no one could be let in again. Each call must run alone, and can be repeated when it was interrupted: what is ended first is the
 * sign-in, so that the rest is of no use to anyone.
 */
export function createOperatorAccounts({ tools, accounts, revokeAll, log }: OperatorAccountParts) {
  const { now, random } = tools;
  const named = createOperatorRecords(tools);
  const access = createOperatorAccess(tools);
  const isLast = (operator: OperatorRecord): boolean =>
    operator.access.state === 'enabled' && !access.hasOthers(operator.id);

  /** Nothing that the operator began or granted is good for anything afterwards. */
  const shut = async (operator: OperatorRecord, reason: OperatorEndReason): Promise<void> => {
    if (operator.access.state === 'enabled') {
      named.end(operator, reason);
      log({ event: 'operator_access_ended', account: operator.id, reason });
    }
    await revokeAll(operator.id);
  };

  return {
    list: (): readonly OperatorView[] => named.list().map(toOperatorView),
    create: async ({ name, directoryUserId }: NewOperator): Promise<CreatedOperator | OperatorAccountRefusal> => {
      if (named.count() >= MAX_OPERATORS) return { ok: false, reason: 'too_many' };
      if (directoryUserId !== undefined && findByDirectoryUser(named.list(), directoryUserId) !== undefined)
        return { ok: false, reason: 'directory_user_taken' };
      const secret = generateMachineSecret(random);
      const secretHash = await computeSha256Hex(secret);
      const accountName = random(NAME_BYTES);
      const { id } = accounts.namedOperator(accountName);
      const person = { name, ...(directoryUserId === undefined ? {} : { directoryUserId }) };
      const operator = named.enable({ id, accountName, ...person, createdAtMs: now() }, secretHash);
      return { ok: true, operator: toOperatorView(operator), secret };
    },
    /**
     * Enables an operator by a new secret, which the account `by` gets to see. One that was enabled loses all that the
     * old secret was good for, and only itself and the holder of the operator secret may do that: another one would be
     * that operator from then on, under its name.
     */
    restore: async (id: string, by: string): Promise<CreatedOperator | OperatorAccountRefusal> => {
      const operator = named.get(id);
      if (operator === undefined) return { ok: false, reason: 'not_found' };
      if (operator.access.state === 'enabled' && by !== id && !accounts.isRootOperator(by))
        return { ok: false, reason: 'operator_enabled' };
      const secret = generateMachineSecret(random);
      const secretHash = await computeSha256Hex(secret);
      await shut(operator, 'replaced');
      const { access: _before, ...profile } = operator;
      return { ok: true, operator: toOperatorView(named.enable(profile, secretHash)), secret };
    },
    remove: async (id: string): Promise<{ ok: true; name: string } | OperatorAccountRefusal> => {
      const operator = named.get(id);
      if (operator === undefined) return { ok: false, reason: 'not_found' };
      if (isLast(operator)) return { ok: false, reason: 'last_operator' };
      await shut(operator, 'deleted');
      accounts.remove(`operator:${operator.accountName}`);
      named.remove(operator);
      return { ok: true, name: operator.name };
    },
    /** Ends the access of the operator who is this directory user, by that id only. Asked again, it says the same. */
    directoryUserGone: async (directoryUserId: string): Promise<DirectoryUserGone> => {
      const operator = findByDirectoryUser(named.list(), directoryUserId);
      if (operator === undefined) return 'none';
      if (isLast(operator)) {
        log({ event: 'last_operator_kept', account: operator.id });
        return 'last_operator';
      }
      await shut(operator, 'directory_user_gone');
      return 'ended';
    },
  };
}

const findByDirectoryUser = (
  operators: readonly OperatorRecord[],
  directoryUserId: string,
): OperatorRecord | undefined => operators.find((operator) => operator.directoryUserId === directoryUserId);

function toOperatorView({ id, name, directoryUserId, createdAtMs, access }: OperatorRecord): OperatorView {
  const view = { id, name, ...(directoryUserId === undefined ? {} : { directoryUserId }), createdAtMs };
  if (access.state === 'enabled') return { ...view, state: 'enabled' };
  return { ...view, state: 'ended', reason: access.reason, endedAtMs: access.endedAtMs };
}
