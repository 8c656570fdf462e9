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

/** Sessions of one holder, and of everybody, at the same time (rule A7). */
const MAX_SESSIONS_OF_HOLDER = 100;
const MAX_SESSIONS = 10_000;
/** Of these, what callers without a token may take: who holds one gets a session whatever strangers do. */
const MAX_OPEN_SESSIONS = 8_000;
/** Callers of one IPv6 /48, which whoever has one splits into 65,536 callers at no cost. */
const MAX_SESSIONS_OF_NETWORK = 200;

export type Admission = 'admitted' | 'holder_full' | 'full';

/** By which endpoint a session began. */
export type Door = 'open' | 'account';

/** Where a holder stands, as `holderOf` names it. */
export type Place = {
  door: Door;
  /** The /48 of an IPv6 caller of the open endpoint; otherwise the holder itself. */
  network: string;
};

const IPV6_CALLER = /^open:([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):[0-9a-f]{1,4}::\/64$/;

/** The endpoint and the network of a holder. */
export function placeOf(holder: string): Place {
  const prefix = IPV6_CALLER.exec(holder)?.[1];
  const network = prefix === undefined ? holder : `open:${prefix}::/48`;
  return { door: holder.startsWith('open:') ? 'open' : 'account', network };
}

/** The rows of the registry as `admission` needs them: live sessions only. */
export type SessionCounts = { ofHolder: number; ofNetwork: number; byDoor: Readonly<Record<Door, number>> };

/** Whether one more session may begin by this door. */
export function admission(door: Door, { ofHolder, ofNetwork, byDoor }: SessionCounts): Admission {
  if (ofHolder >= MAX_SESSIONS_OF_HOLDER || ofNetwork >= MAX_SESSIONS_OF_NETWORK) return 'holder_full';
  if (door === 'open' && byDoor.open >= MAX_OPEN_SESSIONS) return 'full';
  return byDoor.open + byDoor.account >= MAX_SESSIONS ? 'full' : 'admitted';
}

/** The one object that counts sessions, as callers in other objects see it over RPC. */
export interface SessionRegistry {
  /** Enters a session, or says what is full. */
  admit(id: string, holder: string): Promise<Admission>;
  touch(id: string): Promise<void>;
  release(id: string): Promise<void>;
}
