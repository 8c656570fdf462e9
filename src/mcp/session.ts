import { computeCallerNetwork } from '../net/caller-network.ts';

/** One HTTP request of a 2025-era client on its way to the object of its session: plain data. */
export type SessionRequest = {
  sessionId: string;
  /** The registry has just admitted this id: only then may an `initialize` make a session of it (rule A7). */
  isNew: boolean;
  /** To whom the session belongs; another holder meets 404. */
  holder: string;
  /** Who sends this request: handed back with each call that it leads to, and never kept. */
  origin: Readonly<Record<string, unknown>>;
  url: string;
  method: string;
  headers: readonly (readonly [string, string])[];
  body?: string;
};

/** What a session is made from again after its object was evicted. Times are Unix milliseconds. */
export type SessionState = { holder: string; initialize: string; url: string; seenMs: number };

/** A session ends when nothing came for this long, in milliseconds (rule A7). */
export const SESSION_IDLE_MS = 600_000;
/** Activity is written down at most this often: storage and registry lag by it. */
export const TOUCH_EVERY_MS = 60_000;

/** 128 random bits as 32 hex digits. */
export const isSessionId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Whether a session that was last seen at `seenMs` has ended by itself. */
export const isIdle = (seenMs: number, nowMs: number): boolean => nowMs - seenMs >= SESSION_IDLE_MS;

/** Sessions of one holder at the same time (rule A7). */
const MAX_SESSIONS_OF_HOLDER = 100;
/** Sessions of all callers of one IPv6 /48, which its owner splits into 65,536 callers at no cost. */
const MAX_SESSIONS_OF_NETWORK = 200;

export type Admission = 'admitted' | 'full';

const OPEN = 'open:';

/** Through which endpoint the session of a holder goes. */
export const getSessionDoor = (holder: string): 'open' | 'account' => (holder.startsWith(OPEN) ? 'open' : 'account');

/**
 * The name of the registry that counts a holder (as `findHolder` names it): one for each network of callers of the open
 * endpoint, and one for each account. There is none for everybody, so strangers fill no registry but their own.
 */
export const getSessionRegistryName = (holder: string): string =>
  holder.startsWith(OPEN) ? `${OPEN}${computeCallerNetwork(holder.slice(OPEN.length))}` : holder;

/** The rows of a registry as `admission` needs them: live sessions only. */
export type SessionCounts = { ofHolder: number; ofNetwork: number };

/** Whether one more session may begin. */
export const judgeAdmission = ({ ofHolder, ofNetwork }: SessionCounts): Admission =>
  ofHolder >= MAX_SESSIONS_OF_HOLDER || ofNetwork >= MAX_SESSIONS_OF_NETWORK ? 'full' : 'admitted';

/** The object that counts the sessions of one network or account, as callers in other objects see it over RPC. */
export interface SessionRegistry {
  /** Enters a session, unless the holder or its network has too many. */
  admit(id: string, holder: string): Promise<Admission>;
  touch(id: string): Promise<void>;
  release(id: string): Promise<void>;
}
