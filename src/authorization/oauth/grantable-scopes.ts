import type { Account, AccountGrant } from '../people/account.ts';
import type { ClientClass } from '../clients/clients.ts';
import { scopeClass } from './scopes.ts';

/** An account with its grant table: who a token speaks for. */
export type Subject = { account: Account; grants: readonly AccountGrant[] };

/**
 * The scopes of `requested` that this subject may have through a client of this class, in their order (rule A1): never
 * more than the subject's own, and by a client that anyone can register payer scopes only.
 */
export function grantableScopes(
  subject: Subject,
  clientClass: ClientClass,
  requested: readonly string[],
): readonly string[] {
  return requested.filter((scope) => mayCarry(clientClass, scope) && subjectMayHold(subject, scope));
}

/** Payers have the payer scopes by being payers, operators every known scope, all others what their grants name. */
export function subjectMayHold({ account, grants }: Subject, scope: string): boolean {
  const kind = scopeClass(scope);
  if (kind === undefined) return false;
  if (account.kind === 'operator' || (account.kind === 'payer' && kind === 'payer')) return true;
  return grants.some((grant) => grant.scope === scope);
}

const mayCarry = (clientClass: ClientClass, scope: string): boolean =>
  clientClass === 'operator' || scopeClass(scope) === 'payer';
