import { readAssertion, verifyServiceAssertion } from './assertion.ts';
import { machineClientAuth } from './client-auth.ts';
import type { MachineClients } from './clients.ts';
import { firstUseOf } from './assertion-replay.ts';
import type { ServiceAccounts } from './services.ts';
import {
  ANY_TENANT,
  DELEGATION,
  type MachineRequest,
  type MachineSettings,
  type Principal,
  refuse,
  type ServiceAccount,
  type TokenRefusal,
} from './shapes.ts';
import type { Accounts } from '../people/accounts.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { parseScope } from '../oauth/scopes.ts';

export type Recognized = { ok: true; principal: Principal } | TokenRefusal;

type Parts = {
  tools: StoreTools;
  settings: MachineSettings;
  accounts: Accounts;
  clients: MachineClients;
  services: ServiceAccounts;
};

/** Tells who asks for a token: the two machine grants and nobody else's. */
export function principalsOf({ tools, settings, accounts, clients, services }: Parts) {
  const { now } = tools;
  const isFirstUse = firstUseOf(tools);
  const own = [settings.tokenEndpoint, settings.issuer];
  const authenticated = machineClientAuth({ tools, clients, isFirstUse, audiences: own });
  const serviceAudiences = [...own, ...settings.otherAudiences];

  /** The users that a service account may act for stand in its grant table. */
  const mayActFor = (account: ServiceAccount, user: string): boolean =>
    accounts.grants(account.id).some(({ scope, tenant }) => scope === DELEGATION && tenant === user);

  return {
    /** Which machine client sends a request, whatever it asks for. */
    authenticated,
    /** Who asks by `client_credentials` (RFC 6749 section 4.4). */
    client: async (request: MachineRequest): Promise<Recognized> => {
      const client = await authenticated(request);
      if ('ok' in client) return client;
      const { id, account, resources } = client;
      const asked = scopesOf(request.form.get('scope'));
      return { ok: true, principal: { client: id, account, resources, asked, props: { kind: 'service' } } };
    },
    /** Who asks by an assertion of a service account (RFC 7523 section 2.1, rule A2). */
    service: async ({ form, authorization }: MachineRequest): Promise<Recognized> => {
      const assertion = form.get('assertion');
      if (!assertion) return refuse('invalid_request', 'the parameter assertion is missing');
      if (authorization !== null || form.has('client_assertion') || form.has('client_secret'))
        return refuse('invalid_request', 'the assertion is the only credential of this grant');
      const hint = readAssertion(assertion);
      if (!hint.ok) return refuse('invalid_grant', hint.detail);
      if (hint.algorithm !== 'RS256') return refuse('invalid_grant', 'assertions are signed by RS256');
      const account = services.byEmail(hint.issuer);
      const key = account && hint.keyId !== undefined ? services.key(account.id, hint.keyId) : undefined;
      if (!account || !key) return refuse('invalid_grant', 'unknown issuer (iss) or key (kid)');
      const verified = await verifyServiceAssertion(assertion, key.publicKey, serviceAudiences, now());
      if (!verified.ok) return refuse('invalid_grant', verified.detail);
      const { claims } = verified;
      const user = [claims.sub, claims.prn].find((name) => name !== undefined && name !== account.email);
      if (user !== undefined && !mayActFor(account, user))
        return refuse('unauthorized_client', 'this service account may not act for others (sub)');
      if (!(await isFirstUse(account.id, claims))) return refuse('invalid_grant', 'this assertion was used before');
      const props = {
        kind: 'service' as const,
        ...(account.tenant === ANY_TENANT ? {} : { tenant: account.tenant }),
        ...(user === undefined ? {} : { actsFor: user }),
      };
      const asked = both(scopesOf(claims.scope ?? null), scopesOf(form.get('scope')));
      const { id, resources } = account;
      const { control } = settings;
      const hasHome = control !== undefined && account.tenant !== ANY_TENANT && resources.includes(control);
      const home = hasHome ? { home: control } : {};
      return { ok: true, principal: { client: id, account: id, key: key.id, resources, ...home, asked, props } };
    },
  };
}

/** Scopes that are asked for; an empty text asks for nothing in particular. */
const scopesOf = (text: string | null): readonly string[] | undefined => {
  const scopes = parseScope(text ?? '');
  return scopes.length === 0 ? undefined : scopes;
};

/** What both ask for, where both ask. */
const both = (left: readonly string[] | undefined, right: readonly string[] | undefined) =>
  left === undefined || right === undefined ? (left ?? right) : left.filter((scope) => right.includes(scope));
