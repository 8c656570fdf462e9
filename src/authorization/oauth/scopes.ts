import type { ClientClass } from '../clients/clients.ts';
import type { Account, AccountGrant } from '../people/account.ts';
import { VENDOR_SCOPES } from './vendor-scopes-data.ts';

/** Who may hold a scope: any signed-in payer by any client, or accounts with a grant by clients the operator made (rule A1). */
export type ScopeClass = 'payer' | 'operator';

type ScopeRow = { class: ScopeClass; text: string };

/** The scopes of the service itself, with the words of the consent page. */
export const serviceScopes = {
  'audit:run': {
    class: 'payer',
    text: 'Use the tools of the protected MCP endpoint, read your reports, see, pause and delete your monitors, and manage your hosts',
  },
  'credits:use': {
    class: 'payer',
    text: 'Spend your prepaid credits, also by monitors that it creates or changes, up to the limit a day below',
  },
  'channels:read': { class: 'operator', text: 'Read notification channels and messages' },
  'channels:write': { class: 'operator', text: 'Create, renew and stop notification channels, replay messages' },
  'ai-search': { class: 'operator', text: 'Use AI Search instances' },
  emulator: { class: 'operator', text: 'Reset, seed and disturb your own sandbox tenant of the management interfaces' },
  operator: { class: 'operator', text: 'Operate this service: clients, service accounts, payments to redeem' },
} as const satisfies Record<string, ScopeRow>;

export type ServiceScope = keyof typeof serviceScopes;

/** What any call of the protected MCP endpoint needs. */
export const BASE_SCOPE = 'audit:run';
/** What spending prepaid credits needs besides. */
export const CREDIT_SCOPE = 'credits:use';

/** Scopes of the vendors' interfaces start with this; their clients ask by the full URL. */
export const VENDOR_SCOPE_PREFIX = 'https://www.googleapis.com/auth/';
const VENDOR_NAME = /^[a-z][a-z0-9._-]{0,99}$/;
const vendorNames: ReadonlySet<string> = new Set(VENDOR_SCOPES);
/** Scopes of the service that are good at the control Worker only. */
const CONTROL_SCOPES: readonly string[] = ['ai-search', 'emulator'] satisfies readonly ServiceScope[];

/** A scope as it is kept and answered: the bare name of a vendor's scope that we know becomes its full URL. */
export const normaliseScope = (scope: string): string =>
  vendorNames.has(scope) ? `${VENDOR_SCOPE_PREFIX}${scope}` : scope;

/** The class of a scope; undefined for one that no one can be given. */
export function classifyScope(scope: string): ScopeClass | undefined {
  if (Object.hasOwn(serviceScopes, scope)) return serviceScopes[scope as ServiceScope].class;
  return isVendorScope(scope) ? 'operator' : undefined;
}

export const isVendorScope = (scope: string): boolean =>
  scope.startsWith(VENDOR_SCOPE_PREFIX) && VENDOR_NAME.test(scope.slice(VENDOR_SCOPE_PREFIX.length));

/** Whether a scope is good for calls of management interfaces, and for nothing else. */
export const isControlScope = (scope: string): boolean => isVendorScope(scope) || CONTROL_SCOPES.includes(scope);

/** What a person reads about a scope. */
export const describeScope = (scope: string): string =>
  Object.hasOwn(serviceScopes, scope) ? serviceScopes[scope as ServiceScope].text : `Use the interface of ${scope}`;

/** Scopes in a request parameter (RFC 6749, section 3.3), each once, in canonical form. */
export const parseScope = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(' ')
      .filter((part) => part !== '')
      .map(normaliseScope),
  ),
];

/** An account with its grant table: who a token speaks for. */
type Subject = { account: Account; grants: readonly AccountGrant[] };

/**
 * The scopes of `requested` that this subject may have through a client of this class, in their order (rule A1): never
 * more than the subject's own, and by a client that anyone can register payer scopes only.
 */
export function selectGrantableScopes(
  subject: Subject,
  clientClass: ClientClass,
  requested: readonly string[],
): readonly string[] {
  return requested.filter((scope) => canClassCarry(clientClass, scope) && canSubjectHold(subject, scope));
}

/** Payers have the payer scopes by being payers, operators every known scope, all others what their grants name. */
export function canSubjectHold({ account, grants }: Subject, scope: string): boolean {
  const kind = classifyScope(scope);
  if (kind === undefined) return false;
  if (account.kind === 'operator' || (account.kind === 'payer' && kind === 'payer')) return true;
  return grants.some((grant) => grant.scope === scope);
}

const canClassCarry = (clientClass: ClientClass, scope: string): boolean =>
  clientClass === 'operator' || classifyScope(scope) === 'payer';
