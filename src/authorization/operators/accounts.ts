import { sha256Hex } from '../../lib/digest.ts';
import type { Accounts } from '../people/accounts.ts';
import { newSecret } from '../service-accounts/shapes.ts';
import { type EndReason, MAX_OPERATORS, type NamedOperator, namedOperators } from './named-operators.ts';
import { operatorAccess } from './access.ts';
import type { StoreTools } from '../oauth/rows.ts';

/** What an operator says of a new one. */
export type NewOperator = { name: string; directoryUserId?: string | undefined };

/** An operator as the others see it: nothing of its secret. */
export type OperatorView = { id: string; name: string; directoryUserId?: string; createdAtMs: number } & (
  | { state: 'enabled' }
  | { state: 'ended'; reason: EndReason; endedAtMs: number }
);

/** `secret` is in this answer and nowhere else. */
export type MadeOperator = { ok: true; operator: OperatorView; secret: string };
export type OperatorAccountRefusal = {
  ok: false;
  reason: 'not_found' | 'too_many' | 'directory_user_taken' | 'last_operator' | 'operator_enabled';
};

/** What became of the access of a directory user who is gone or suspended: `ended` now or before, or nobody's here. */
export type DirectoryUserGone = 'none' | 'ended' | 'last_operator';

export type OperatorAccountParts = {
  tools: StoreTools;
  accounts: Accounts;
  /** Ends every grant of an account, and with it its tokens. */
  revokeAll: (accountId: string) => Promise<void>;
  /** Account ids and stable words only. */
  log: (line: Record<string, unknown>) => void;
};

const NAME_BYTES = 16;

export type OperatorAccounts = ReturnType<typeof operatorAccountsOf>;

/**
 * Operators by name. The last one who could sign in keeps the access, whoever asks (rule W6): then nobody could let
 * anybody in again. Each call must run alone, and can be repeated when it was interrupted: what is ended first is the
 * sign-in, so that the rest is of no use to anybody.
 */
export function operatorAccountsOf({ tools, accounts, revokeAll, log }: OperatorAccountParts) {
  const { now, random } = tools;
  const named = namedOperators(tools);
  const access = operatorAccess(tools);
  const isLast = (operator: NamedOperator): boolean =>
    operator.access.state === 'enabled' && !access.hasOthers(operator.id);

  /** Nothing that the operator began or granted is good for anything afterwards. */
  const shut = async (operator: NamedOperator, reason: EndReason): Promise<void> => {
    if (operator.access.state === 'enabled') {
      named.end(operator, reason);
      log({ event: 'operator_access_ended', account: operator.id, reason });
    }
    await revokeAll(operator.id);
  };

  return {
    list: (): readonly OperatorView[] => named.list().map(viewOf),
    create: async ({ name, directoryUserId }: NewOperator): Promise<MadeOperator | OperatorAccountRefusal> => {
      if (named.count() >= MAX_OPERATORS) return { ok: false, reason: 'too_many' };
      if (directoryUserId !== undefined && byDirectoryUser(named.list(), directoryUserId) !== undefined)
        return { ok: false, reason: 'directory_user_taken' };
      const secret = newSecret(random);
      const secretHash = await sha256Hex(secret);
      const accountName = random(NAME_BYTES);
      const { id } = accounts.namedOperator(accountName);
      const person = { name, ...(directoryUserId === undefined ? {} : { directoryUserId }) };
      const operator = named.enable({ id, accountName, ...person, createdAtMs: now() }, secretHash);
      return { ok: true, operator: viewOf(operator), secret };
    },
    /**
     * Enables an operator by a new secret, which the account `by` gets to see. One that was enabled loses all that the
     * old secret was good for, and only itself and the holder of the operator secret may do that: another one would be
     * that operator from then on, under its name.
     */
    restore: async (id: string, by: string): Promise<MadeOperator | OperatorAccountRefusal> => {
      const operator = named.get(id);
      if (operator === undefined) return { ok: false, reason: 'not_found' };
      if (operator.access.state === 'enabled' && by !== id && !accounts.isRootOperator(by))
        return { ok: false, reason: 'operator_enabled' };
      const secret = newSecret(random);
      const secretHash = await sha256Hex(secret);
      await shut(operator, 'replaced');
      const { access: _before, ...profile } = operator;
      return { ok: true, operator: viewOf(named.enable(profile, secretHash)), secret };
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
      const operator = byDirectoryUser(named.list(), directoryUserId);
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

const byDirectoryUser = (operators: readonly NamedOperator[], directoryUserId: string): NamedOperator | undefined =>
  operators.find((operator) => operator.directoryUserId === directoryUserId);

function viewOf({ id, name, directoryUserId, createdAtMs, access }: NamedOperator): OperatorView {
  const view = { id, name, ...(directoryUserId === undefined ? {} : { directoryUserId }), createdAtMs };
  if (access.state === 'enabled') return { ...view, state: 'enabled' };
  return { ...view, state: 'ended', reason: access.reason, endedAtMs: access.endedAtMs };
}
