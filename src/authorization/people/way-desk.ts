import type { StoreTools } from '../oauth/rows.ts';
import type { WayAdded, WayRemoved } from './account-ways.ts';
import type { Accounts } from './accounts.ts';
import type { EmailLink } from './email-link-rows.ts';
import { createEmailLinks, type LinkSeen } from './email-links.ts';
import { isFresh, type Session, type Sessions } from './sessions.ts';
import type { Browser, Renewal, Wait } from './sign-in.ts';
import { type AccountIdentity, identifyWays, type PasskeyWay, type SignInWay, type WayName } from './ways.ts';

type NotFresh = { ok: false; reason: 'sign_in' | 'sign_in_too_old' | 'not_payer' };
export type WayAddedHere = WayAdded | NotFresh;
/** `isSignedOut`: the way had opened the session that asked, so that this has ended too. */
export type WayRemovedHere = { ok: true; isSignedOut: boolean } | Extract<WayRemoved, { ok: false }> | NotFresh;

/** What became of a link whose button was pressed: a sign-in, or one more way of the account that asked. */
export type LinkUsed =
  | { ok: true; did: 'signed_in'; session: Session; returnTo: string }
  | { ok: true; did: 'added'; returnTo: string }
  | { ok: false; reason: 'link_gone' | 'link_elsewhere' }
  | Extract<WayAddedHere, { ok: false }>;

export type PasskeySignIn =
  | { ok: true; session: Session }
  /** `counter`: the authenticator counted back, as a copy of it would. */
  | { ok: false; reason: 'unknown_passkey' | 'counter' };

/** What a passkey's signature said of its authenticator. */
export type PasskeySeen = { id: string; counter: number; isSynced: boolean };

/**
 * The part of the people's store about ways to sign in. Signatures are judged by the Worker before it asks. Adding and
 * removing takes a sign-in of five minutes.
 */
export type WayDesk = {
  /** Remembers a link that will be sent. With `isForAccount` it adds the address to the account that is signed in. */
  askEmailLink: (
    browser: Browser,
    tokenHash: string,
    link: Omit<EmailLink, 'accountId'> & { isForAccount?: boolean },
  ) => Promise<{ ok: true; isSent: boolean } | Wait | NotFresh>;
  lookAtEmailLink: (tokenHash: string, session: string) => Promise<LinkSeen>;
  useEmailLink: (renewal: Renewal, tokenHash: string) => Promise<LinkUsed>;
  /** What a signature of the passkey is judged by; undefined for one that opens no account. */
  findPasskey: (id: string) => Promise<Pick<PasskeyWay, 'publicKey' | 'counter' | 'transports'> | undefined>;
  signInPasskey: (renewal: Renewal, seen: PasskeySeen) => Promise<PasskeySignIn>;
  /** A new account, opened by a passkey that was just made. */
  signUpPasskey: (renewal: Renewal, passkey: PasskeyWay) => Promise<PasskeySignIn>;
  /** The ways of the account that is signed in. */
  listWays: (session: string) => Promise<readonly SignInWay[]>;
  /** Whether its ways may be changed now. */
  mayChangeWays: (session: string) => Promise<{ ok: true } | NotFresh>;
  addWay: (session: string, way: SignInWay) => Promise<WayAddedHere>;
  /** The sessions that the way opened end with it. What clients may do is left as it is. */
  removeWay: (session: string, way: WayName) => Promise<WayRemovedHere>;
  /** Whether a wallet leads to an account that it does not open any more. */
  isWalletShutOut: (address: string) => Promise<boolean>;
  /** Stores a payer's account for good: it is about to buy something. False: no one can open such an account. */
  keepAccount: (accountId: string) => Promise<boolean>;
  /** What names an account to people. */
  accountIdentity: (accountId: string) => Promise<AccountIdentity | undefined>;
};

type Parts = { tools: StoreTools; accounts: Accounts; sessions: Sessions };

export function createWayDesk({ tools, accounts, sessions }: Parts): WayDesk {
  const links = createEmailLinks(tools);
  const { now } = tools;
  const findFresh = (hash: string): { ok: true; session: Session } | NotFresh => {
    const session = sessions.find(hash);
    if (session === undefined) return { ok: false, reason: 'sign_in' };
    if (session.kind !== 'payer') return { ok: false, reason: 'not_payer' };
    return isFresh(session, now()) ? { ok: true, session } : { ok: false, reason: 'sign_in_too_old' };
  };
  const addWay = (hash: string, way: SignInWay): WayAddedHere => {
    const fresh = findFresh(hash);
    return fresh.ok ? accounts.addWay(fresh.session.accountId, way) : fresh;
  };
  /** Someone who proved a way is signed in, by the account that it opens or a new one. */
  const enter = ({ session, renewed }: Renewal, way: SignInWay): Session =>
    sessions.open({ ...accounts.enter(way), kind: 'payer' }, renewed, session, way);
  return {
    ...createPasskeyDesk({ accounts, now, enter }),
    askEmailLink: async (browser, tokenHash, { isForAccount = false, ...link }) => {
      if (!isForAccount) return links.ask(browser, tokenHash, link);
      const fresh = findFresh(browser.session);
      return fresh.ok ? links.ask(browser, tokenHash, { ...link, accountId: fresh.session.accountId }) : fresh;
    },
    lookAtEmailLink: async (tokenHash, session) => links.look(tokenHash, session),
    useEmailLink: async (renewal, tokenHash) => {
      const seen = links.look(tokenHash, renewal.session);
      if (seen.is !== 'good') return { ok: false, reason: seen.is === 'gone' ? 'link_gone' : 'link_elsewhere' };
      const { email, emailHash, returnTo, accountId } = seen.link;
      const way: SignInWay = { kind: 'email', id: emailHash, email, addedAtMs: now() };
      if (accountId !== undefined && sessions.find(renewal.session)?.accountId !== accountId)
        return { ok: false, reason: 'sign_in' };
      const added = accountId === undefined ? undefined : addWay(renewal.session, way);
      if (added?.ok === false && added.reason === 'sign_in_too_old') return added; // The link goes along with the browser to its next sign-in.
      links.take(tokenHash, renewal.session);
      if (added === undefined) return { ok: true, did: 'signed_in', session: enter(renewal, way), returnTo };
      return added.ok ? { ok: true, did: 'added', returnTo } : added;
    },
    listWays: async (hash) => accounts.ways(sessions.find(hash)?.accountId ?? ''),
    mayChangeWays: async (hash) => {
      const fresh = findFresh(hash);
      return fresh.ok ? { ok: true } : fresh;
    },
    addWay: async (hash, way) => addWay(hash, way),
    removeWay: async (hash, way) => {
      const fresh = findFresh(hash);
      if (!fresh.ok) return fresh;
      const { accountId } = fresh.session;
      const removed = accounts.removeWay(accountId, way);
      if (!removed.ok) return removed;
      sessions.endByWay(accountId, way);
      return { ok: true, isSignedOut: sessions.find(hash) === undefined };
    },
    isWalletShutOut: async (address) => accounts.isShutOut({ kind: 'wallet', id: address.toLowerCase() }),
    keepAccount: async (accountId) => accounts.keep(accountId),
    accountIdentity: async (accountId) =>
      accounts.byId(accountId)?.kind === 'payer' ? identifyWays(accounts.ways(accountId)) : undefined,
  };
}

type PasskeyParts = {
  accounts: Accounts;
  now: () => number;
  enter: (renewal: Renewal, way: SignInWay) => Session;
};

function createPasskeyDesk({
  accounts,
  now,
  enter,
}: PasskeyParts): Pick<WayDesk, 'findPasskey' | 'signInPasskey' | 'signUpPasskey'> {
  const find = (id: string) => {
    const account = accounts.byWay({ kind: 'passkey', id });
    const passkey = accounts.ways(account?.id ?? '').find((way) => way.kind === 'passkey' && way.id === id);
    return account === undefined || passkey?.kind !== 'passkey' ? undefined : { account, passkey };
  };
  return {
    findPasskey: async (id) => {
      const found = find(id);
      if (found === undefined) return undefined;
      const { publicKey, counter, transports } = found.passkey;
      return { publicKey, counter, transports };
    },
    signInPasskey: async (renewal, { id, counter, isSynced }) => {
      const found = find(id);
      if (found === undefined) return { ok: false, reason: 'unknown_passkey' };
      const { account, passkey } = found;
      const counts = counter > 0 || passkey.counter > 0;
      if (counts && counter <= passkey.counter) return { ok: false, reason: 'counter' };
      const seen: PasskeyWay = { ...passkey, counter, isSynced, usedAtMs: now() };
      accounts.putPasskey(account, seen);
      return { ok: true, session: enter(renewal, seen) };
    },
    signUpPasskey: async (renewal, passkey) =>
      accounts.byWay(passkey) === undefined
        ? { ok: true, session: enter(renewal, passkey) }
        : { ok: false, reason: 'unknown_passkey' },
  };
}
