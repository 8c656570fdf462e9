import { type SecretEvidence, createEpochStore } from '../operators/secret.ts';
import type { Accounts } from './accounts.ts';
import { createClientAccess, type ClientAccess, createCreditCaps, createFirstConsents } from './client-access.ts';
import {
  type AuthorizeOutcome,
  type AuthorizeQuestion,
  createConsentFlow,
  type ConsentParts,
  type Decision,
} from './consent.ts';
import type { OAuthProvider } from '../oauth/provider.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { type ConsoleSession, createConsoleSessions } from '../operators/console-sessions.ts';
import { createOperatorRecords } from '../operators/named-operators.ts';
import { type Session, type Sessions, createSessions, isFresh } from './sessions.ts';
import { createWayDesk, type WayDesk } from './way-desk.ts';
import {
  type ConsoleSignIn,
  type NonceTaken,
  type OperatorSignIn,
  type Renewal,
  createSignIn,
  type Wait,
} from './sign-in.ts';

export type PeopleParts = Omit<
  ConsentParts,
  'sessions' | 'now' | 'provider' | 'caps' | 'trim' | 'keepAccount' | 'firstConsents'
> & {
  tools: StoreTools;
  accounts: Accounts;
  provider: Pick<OAuthProvider, 'api' | 'revokeGrant'>;
};

/** The account page's part of the store; undefined for a session that is not signed in. */
export type AccountAccess = { session: Session; clients: readonly ClientAccess[] };
export type Revoked =
  /** `unreached`: shards that have not confirmed the end of its tokens, and are asked again until they do. */
  { ok: true; accountId: string; clientId: string; unreached?: number } | { ok: false; reason: 'sign_in' | 'no_grant' };

/** The ends of a person's access. `clientIds`: whose reserved credits are free again; `unreached` as in `Revoked`. */
export type AccessEnded =
  | { ok: true; accountId: string; clientIds: readonly string[]; unreached?: number }
  | { ok: false; reason: 'sign_in' };
export type AccountDeleted =
  | Extract<AccessEnded, { ok: true }>
  /** Operators are ended by operators. */
  | { ok: false; reason: 'sign_in' | 'sign_in_too_old' | 'not_payer' };

/**
 * What the store object does for people: their sessions, and what they let clients do. Sessions are named by the hash of
 * their value. Signatures and secrets are judged by the Worker before it asks.
 */
export type PeopleStore = WayDesk & {
  /** Uses up a nonce that the Worker found to be this browser's; counts the sign-in against the caller. */
  takeNonce: (nonce: string, caller: string) => Promise<NonceTaken>;
  mayAskContract: (caller: string) => Promise<{ ok: true } | Wait>;
  signInPayer: (renewal: Renewal, address: string) => Promise<Session>;
  signInOperator: (renewal: Renewal, secret: SecretEvidence) => Promise<OperatorSignIn>;
  /** Whether someone can sign in as an operator by a secret of their own. */
  hasNamedOperators: () => Promise<boolean>;
  session: (session: string) => Promise<Session | undefined>;
  signOut: (session: string) => Promise<void>;
  /** The operator's console has sessions of its own. */
  signInConsole: (renewal: Renewal, secret: SecretEvidence) => Promise<ConsoleSignIn>;
  consoleSession: (session: string) => Promise<ConsoleSession | undefined>;
  signOutConsole: (session: string) => Promise<void>;
  authorize: (asked: AuthorizeQuestion) => Promise<AuthorizeOutcome>;
  decideConsent: (decision: Decision) => Promise<AuthorizeOutcome>;
  clientAccess: (session: string) => Promise<AccountAccess | undefined>;
  revokeAccess: (session: string, grantId: string) => Promise<Revoked>;
  /** Ends the access of every client. */
  revokeAllAccess: (session: string) => Promise<AccessEnded>;
  /** Signs the person out in every browser. */
  signOutEverywhere: (session: string) => Promise<void>;
  /** Whether the account of a session may be deleted now, and then its end: access, sessions, limits of clients. */
  deleteAccount: (session: string, step: 'look' | 'delete') => Promise<AccountDeleted>;
};

/** What the store object does for itself. */
export type OperatorEpochs = {
  /** Takes up the operator secret of this deployment; undefined when operator sign-in is off. */
  adoptOperatorEpoch: (epoch: string | undefined) => Promise<void>;
};

/** `PeopleStore` over one store. Nothing here guards against two calls at once: the object runs each alone. */
export function createPeopleStore({ tools, accounts, provider, ...parts }: PeopleParts): PeopleStore & OperatorEpochs {
  const sessions = createSessions(tools);
  const consoleSessions = createConsoleSessions(tools);
  const signIn = createSignIn(tools, accounts);
  const access = createClientAccess(provider);
  const caps = createCreditCaps(tools);
  const consent = createConsentFlow({
    ...parts,
    provider,
    sessions,
    now: tools.now,
    caps,
    firstConsents: createFirstConsents(tools),
    trim: access.trim,
    keepAccount: accounts.keep,
  });
  /** With what names its account now. */
  const findSession = (hash: string): Session | undefined => {
    const session = sessions.find(hash);
    if (session?.kind !== 'payer') return session;
    const { address: _atSignIn, ...rest } = session;
    return { ...rest, ...accounts.identify(session.accountId) };
  };
  return {
    ...createWayDesk({ tools, accounts, sessions }),
    ...createAccountEnds({ tools, accounts, access, caps, sessions }),
    adoptOperatorEpoch: (epoch) =>
      createEpochStore(tools).adopt(epoch, async () => void (await access.revokeAll(accounts.operator().id))),
    takeNonce: async (nonce, caller) => signIn.takeNonce(nonce, caller),
    mayAskContract: async (caller) => signIn.mayAskContract(caller),
    signInPayer: async (renewal, address) => signIn.signInPayer(renewal, address),
    signInOperator: async (renewal, secret) => signIn.signInOperator(renewal, secret),
    hasNamedOperators: async () =>
      createOperatorRecords(tools)
        .list()
        .some(({ access: { state } }) => state === 'enabled'),
    session: async (hash) => findSession(hash),
    signOut: async (session) => sessions.close(session),
    signInConsole: async (renewal, secret) => signIn.signInConsole(renewal, secret),
    consoleSession: async (session) => consoleSessions.find(session),
    signOutConsole: async (session) => consoleSessions.close(session),
    authorize: consent.authorize,
    decideConsent: consent.decide,
    clientAccess: async (hash) => {
      const session = findSession(hash);
      return session && { session, clients: await access.list(session.accountId) };
    },
    revokeAccess: async (hash, grantId) => {
      const session = sessions.find(hash);
      if (session === undefined) return { ok: false, reason: 'sign_in' };
      const { accountId } = session;
      const revoked = await access.revoke(accountId, grantId);
      return revoked === undefined ? { ok: false, reason: 'no_grant' } : { ok: true, accountId, ...revoked };
    },
  };
}

type EndingParts = {
  tools: StoreTools;
  accounts: Accounts;
  access: ReturnType<typeof createClientAccess>;
  caps: ReturnType<typeof createCreditCaps>;
  sessions: Sessions;
};

/** How a person ends what an account has: the access of all clients, all sessions, the account. */
function createAccountEnds({ tools, accounts, access, caps, sessions }: EndingParts) {
  const endAccess = async (accountId: string): Promise<Extract<AccessEnded, { ok: true }>> => {
    return { ok: true, accountId, clientIds: await access.revokeAll(accountId) };
  };
  return {
    revokeAllAccess: async (hash: string): Promise<AccessEnded> => {
      const session = sessions.find(hash);
      return session === undefined ? { ok: false, reason: 'sign_in' } : endAccess(session.accountId);
    },
    signOutEverywhere: async (hash: string): Promise<void> => {
      const session = sessions.find(hash);
      if (session !== undefined) sessions.endAll(session.accountId);
    },
    deleteAccount: async (hash: string, step: 'look' | 'delete'): Promise<AccountDeleted> => {
      const session = sessions.find(hash);
      if (session === undefined) return { ok: false, reason: 'sign_in' };
      if (session.kind !== 'payer') return { ok: false, reason: 'not_payer' };
      if (!isFresh(session, tools.now())) return { ok: false, reason: 'sign_in_too_old' };
      const { accountId } = session;
      if (step === 'look') return { ok: true, accountId, clientIds: [] };
      const ended = await endAccess(accountId);
      caps.clear(accountId);
      accounts.letGo(accountId);
      sessions.endAll(accountId);
      return ended;
    },
  };
}
