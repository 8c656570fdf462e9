import { createCreditAccountClient, type CreditAccounts } from '../../../src/sales/credit-accounts.ts';
import { reach } from '../../../src/sales/ledger-client.ts';
import type { Env } from './env.ts';
import { getAuthorizationStore } from './people-store.ts';

/** The prepaid accounts of this deployment. */
export const createCreditAccounts = (
  env: Pick<Env, 'CREDIT_ACCOUNT' | 'AUTHORIZATION_STORE'>,
  log: (event: Record<string, unknown>) => void,
): CreditAccounts => ({
  open: (account) => createCreditAccountClient(() => env.CREDIT_ACCOUNT.getByName(account), log),
  ofAddress: async (address) => {
    const { id } = await reach(log, 'payerAccount', () => getAuthorizationStore(env).payerAccount(address));
    return id;
  },
});
