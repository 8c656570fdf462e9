import { createAccounts } from '../people/accounts.ts';
import { createOperatorRecords } from './named-operators.ts';
import { createEpochStore } from './secret-version.ts';
import type { StoreTools } from '../oauth/rows.ts';

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
