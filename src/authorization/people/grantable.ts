import { createClientDirectory } from '../clients/clients.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { selectGrantableScopes } from '../oauth/scopes.ts';
import { createOperatorAccess } from '../operators/named-operators.ts';
import { createAccounts } from './accounts.ts';

/** The scopes of some that an account may have through a client now (rule A1). An operator whose access has ended has none. */
export type Grantable = (accountId: string, clientId: string, scopes: readonly string[]) => readonly string[];

export function createGrantable(tools: StoreTools): Grantable {
  const accounts = createAccounts(tools);
  const operators = createOperatorAccess(tools);
  const clients = createClientDirectory(tools);
  return (accountId, clientId, scopes) => {
    const account = accounts.byId(accountId);
    if (account === undefined) return [];
    if (account.kind === 'operator' && operators.epochOf(accountId) === undefined) return [];
    const subject = { account, grants: accounts.grants(accountId) };
    return selectGrantableScopes(subject, clients.classOf(clientId), scopes);
  };
}
