import type { StoreTools } from '../oauth/rows.ts';
import { createAccounts } from '../people/accounts.ts';
import { createEpochStore, EPOCH_ROW } from './secret.ts';

/** Why someone is no operator any more. */
export type OperatorEndReason = 'directory_user_gone' | 'replaced' | 'deleted';

/**
 * A person who operates the service under a name, with a secret of their own. `id` is the account's. `directoryUserId`
 * is the directory's own immutable id of that person: names and e-mail addresses are given to others later (rule W6).
 */
export type OperatorProfile = {
  id: string;
  accountName: string;
  name: string;
  directoryUserId?: string;
  createdAtMs: number;
};

/** `epoch` is random and new with each secret: sessions carry it and end with it. Of the secret only SHA-256 is kept. */
type Enabled = { state: 'enabled'; secretHash: string; epoch: string };
type Ended = { state: 'ended'; reason: OperatorEndReason; endedAtMs: number };
export type OperatorRecord = OperatorProfile & { access: Enabled | Ended };

/** Enabled and ended ones together. */
export const MAX_OPERATORS = 50;

/** Where named operators are, by account. */
const OPERATOR_ROWS = 'own:operator:';
const BY_SECRET = 'own:operator-secret:';
const EPOCH_BYTES = 16;

/** The keys of the rows that say whether an account is an operator's. */
export const listOperatorRowKeys = (accountId: string): readonly string[] => [
  `${OPERATOR_ROWS}${accountId}`,
  EPOCH_ROW,
];

/** The rows of named operators. What was granted to an operator's account is ended elsewhere. */
export function createOperatorRecords({ rows, now, random }: StoreTools) {
  const get = (id: string): OperatorRecord | undefined => rows.get<OperatorRecord>(`${OPERATOR_ROWS}${id}`);
  const list = (): readonly OperatorRecord[] =>
    rows.list<OperatorRecord>(OPERATOR_ROWS, MAX_OPERATORS).map(({ value }) => value);
  const put = (profile: OperatorProfile, access: Enabled | Ended): OperatorRecord => {
    const operator = { ...profile, access };
    rows.put(`${OPERATOR_ROWS}${profile.id}`, operator);
    return operator;
  };
  const forgetSecret = ({ access }: OperatorRecord): void => {
    if (access.state === 'enabled') rows.delete(`${BY_SECRET}${access.secretHash}`);
  };
  return {
    get,
    list,
    count: (): number => rows.count(OPERATOR_ROWS),
    /** The enabled operator whose secret has this SHA-256. */
    bySecret: (secretHash: string): OperatorRecord | undefined => {
      const id = rows.get<string>(`${BY_SECRET}${secretHash}`);
      return id === undefined ? undefined : get(id);
    },
    /** By this secret, and by no other, the operator signs in from now on. */
    enable: (profile: OperatorProfile, secretHash: string): OperatorRecord => {
      const before = get(profile.id);
      if (before !== undefined) forgetSecret(before);
      rows.put(`${BY_SECRET}${secretHash}`, profile.id);
      return put(profile, { state: 'enabled', secretHash, epoch: random(EPOCH_BYTES) });
    },
    /** The secret signs no one in any more, and the sessions it began are over. */
    end: (operator: OperatorRecord, reason: OperatorEndReason): OperatorRecord => {
      forgetSecret(operator);
      return put(operator, { state: 'ended', reason, endedAtMs: now() });
    },
    remove: (operator: OperatorRecord): void => {
      forgetSecret(operator);
      rows.delete(`${OPERATOR_ROWS}${operator.id}`);
    },
  };
}

/**
 * Who is an operator now: the holder of this deployment's operator secret, and everyone with an enabled name. Sessions
 * and tokens of an operator's account are good only while this says so.
 */
export function createOperatorAccess(tools: StoreTools) {
  const root = createEpochStore(tools);
  const named = createOperatorRecords(tools);
  const accounts = createAccounts(tools);
  return {
    /** What sessions of this account must carry; undefined when the account is no operator, or none any more. */
    epochOf: (accountId: string): string | undefined => {
      if (accounts.isRootOperator(accountId)) return root.current()?.id;
      const access = named.get(accountId)?.access;
      return access?.state === 'enabled' ? access.epoch : undefined;
    },
    /** Whether someone could sign in as an operator if this account could not. */
    hasOthers: (accountId: string): boolean =>
      root.current() !== undefined ||
      named.list().some(({ id, access }) => id !== accountId && access.state === 'enabled'),
  };
}
