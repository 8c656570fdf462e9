/** One HTTP request of a 2025-era client on its way to the object of its session: plain data. */
export type SessionRequest = {
  sessionId: string;
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
export const MAX_SESSIONS_OF_HOLDER = 100;
export const MAX_SESSIONS = 10_000;

export type Admission = 'admitted' | 'holder_full' | 'full';

/** The rows of the registry as `admission` needs them: live sessions only. */
export type SessionCounts = { ofHolder: number; all: number };

/** Whether one more session may begin. */
export function admission({ ofHolder, all }: SessionCounts): Admission {
  if (ofHolder >= MAX_SESSIONS_OF_HOLDER) return 'holder_full';
  return all >= MAX_SESSIONS ? 'full' : 'admitted';
}

/** The one object that counts sessions, as callers in other objects see it over RPC. */
export interface SessionRegistry {
  /** Enters a session, or says what is full. */
  admit(id: string, holder: string): Promise<Admission>;
  touch(id: string): Promise<void>;
  release(id: string): Promise<void>;
}
