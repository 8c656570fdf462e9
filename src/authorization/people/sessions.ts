import { computeSha256Hex } from '../../lib/digest.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { Account, AccountKind } from './account.ts';
import { moveLinks } from './email-link-rows.ts';
import { createOperatorAccess } from '../operators/named-operators.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { formatWayName, type WayName } from './ways.ts';

/** Who is signed in, since when and until when. Times are Unix milliseconds. */
export type Session = {
  accountId: string;
  kind: AccountKind;
  /** Of the first wallet of a payer's account, in lower case: accounts of other ways have none. */
  address?: string;
  /** All wallets of the account, and its e-mail address: as they are now, where the session is asked for. */
  addresses?: readonly string[];
  email?: string;
  /** The id of the epoch of the secret that signed an operator in; payers have none. */
  epoch?: string | undefined;
  /** By which way a payer signed in. Sessions of earlier versions do not say it. */
  way?: WayName;
  signedInAtMs: number;
  expiresAtMs: number;
};

/** Rows of sessions by where their cookie counts: one of the site is none of the console's, nor the other way round. */
const SESSIONS = { site: 'own:session:', console: 'own:console-session:' } as const;
/** Life of a session by who signed in; no one else can. */
const LIFE_MS = { payer: 12 * HOUR_MS, operator: 8 * HOUR_MS } as const;
const LONGEST_LIFE_MS = Math.max(...Object.values(LIFE_MS));
/** Operator scopes need a sign-in no older than this (rule A1). */
const FRESH_MS = 5 * 60_000;

/** An account whose sessions were all ended, and when: those that began before are over. */
const ENDED = 'own:sessions-ended:';
/** The same of the sessions that one way of an account opened. */
const WAY_ENDED = 'own:way-sessions-ended:';

/** Without a way: of the sessions that do not say which it was. */
const formatWayEndKey = (accountId: string, way: WayName | undefined): string =>
  `${WAY_ENDED}${accountId}:${way === undefined ? '' : formatWayName(way)}`;

/** What a cookie's value is: 256 random bits as hex. */
export const SESSION_BYTES = 32;
const SESSION_VALUE = /^[0-9a-f]{64}$/;

export const isSessionValue = (value: string): boolean => SESSION_VALUE.test(value);

/** What the store knows of a session's value: from a copy of the rows no one can sign in. */
export const hashSessionValue = (value: string): Promise<string> => computeSha256Hex(value);

/**
 * The token that every form of a session carries. Only who knows the cookie's value can make it, so it needs no row:
 * a browser that has not signed in is bound to its forms and nonces too, and costs no storage.
 */
export const deriveCsrfToken = (value: string): Promise<string> => computeSha256Hex(`form token\n${value}`);

export const isFresh = ({ signedInAtMs }: Session, nowMs: number): boolean => nowMs - signedInAtMs < FRESH_MS;

export type Sessions = ReturnType<typeof createSessions>;

/** Signed-in sessions by the hash of their value. */
export function createSessions(tools: StoreTools, place: keyof typeof SESSIONS = 'site') {
  const { rows, now } = tools;
  const prefix = SESSIONS[place];
  const operators = createOperatorAccess(tools);
  const isEndedBy = (key: string, { signedInAtMs }: Session): boolean => {
    const endedAtMs = rows.get<number>(key);
    return endedAtMs !== undefined && signedInAtMs <= endedAtMs;
  };
  const isEnded = (session: Session): boolean =>
    isEndedBy(`${ENDED}${session.accountId}`, session) ||
    (session.kind === 'payer' && isEndedBy(formatWayEndKey(session.accountId, session.way), session));
  const end = (key: string): void => rows.put(key, now(), now() + LONGEST_LIFE_MS);
  return {
    /**
     * Signs `account` in under a new hash. The session that the browser had before is gone (rule A3: fixation).
     * @param way by which a payer signed in
     */
    open: (
      account: Account & { kind: keyof typeof LIFE_MS },
      renewed: string,
      previous?: string,
      way?: WayName,
    ): Session => {
      if (previous !== undefined) {
        rows.delete(`${prefix}${previous}`);
        moveLinks(rows, previous, renewed);
      }
      const { id: accountId, kind, address } = account;
      const signedInAtMs = now();
      const expiresAtMs = signedInAtMs + LIFE_MS[kind];
      const session: Session = {
        accountId,
        kind,
        ...(address === undefined ? {} : { address }),
        ...(kind === 'operator' ? { epoch: operators.epochOf(accountId) } : {}),
        ...(way === undefined ? {} : { way: { kind: way.kind, id: way.id } }),
        signedInAtMs,
        expiresAtMs,
      };
      rows.put(`${prefix}${renewed}`, session, expiresAtMs);
      return session;
    },
    /** Undefined, too, for the session of an operator whose access has ended or whose secret is another by now. */
    find: (hash: string): Session | undefined => {
      const session = rows.get<Session>(`${prefix}${hash}`);
      if (session === undefined || isEnded(session)) return undefined;
      if (session.kind !== 'operator') return session;
      return session.epoch !== undefined && session.epoch === operators.epochOf(session.accountId)
        ? session
        : undefined;
    },
    close: (hash: string): void => rows.delete(`${prefix}${hash}`),
    /** Ends every session of an account, wherever its browser is. The rows go when their time is over. */
    endAll: (accountId: string): void => end(`${ENDED}${accountId}`),
    /**
     * Ends the sessions that a way of the account opened, wherever their browsers are, and those that do not say which way
     * it was: they may be its.
     */
    endByWay: (accountId: string, way: WayName): void => {
      for (const one of [way, undefined]) end(formatWayEndKey(accountId, one));
    },
  };
}
