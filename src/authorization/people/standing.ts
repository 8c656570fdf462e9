import { createOperatorAccess } from '../operators/named-operators.ts';
import type { StoreTools } from '../oauth/rows.ts';
import type { AccountStanding } from './account.ts';
import { createAccounts } from './accounts.ts';
import { createCreditCaps } from './client-access.ts';

/** What an account is now: an operator whose access has ended is none, whatever its row says. */
export function readAccountStanding(tools: StoreTools, accountId: string, clientId: string): AccountStanding {
  const kind = createAccounts(tools).byId(accountId)?.kind;
  if (kind === undefined) return {};
  if (kind === 'operator' && createOperatorAccess(tools).epochOf(accountId) === undefined) return {};
  const capMicroUsdc = createCreditCaps(tools).get(accountId, clientId);
  return { kind, ...(capMicroUsdc === undefined ? {} : { capMicroUsdc }) };
}
