import {
  createCreditAccountClient,
  type CreditAccounts,
  formatAccountObject,
} from '../../../src/sales/credit-accounts.ts';
import { reach } from '../../../src/sales/ledger-client.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { type Env, readSettings } from './env.ts';
import { getAuthorizationStore } from './people-store.ts';

/** The prepaid accounts of this deployment. */
export const createCreditAccounts = (env: Env, log: (event: Record<string, unknown>) => void): CreditAccounts => ({
  open: (account) => {
    const object = formatAccountObject(account, getPaymentNetwork(readSettings(env)));
    return createCreditAccountClient(() => env.CREDIT_ACCOUNT.getByName(object), log);
  },
  ofAddress: async (address) => {
    const account = await reach(log, 'payerAccount', () => getAuthorizationStore(env).payerAccount(address));
    return account?.id;
  },
});
