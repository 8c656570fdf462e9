import type { ConsoleSession } from '../authorization/operators/console-sessions.ts';
import type { ConsoleSignIn } from '../authorization/people/sign-in.ts';
import type { LimitUses } from '../rate-limits/rate-counts.ts';

/** Who signs in to the console: sessions are named by the SHA-256 of their value, which only the browser's cookie has. */
export type ConsoleSignInOrder = {
  /** As typed. */
  secret: string;
  /** Who calls, for the counters of failures (rule A4). */
  caller: string;
  /** The hash that the browser had before; it is worth nothing afterwards (rule A3). */
  previous: string;
  /** The hash of the new value. */
  renewed: string;
};

/** `ConsoleAccess` of the api Worker, as the console asks it over a service binding. */
export type ConsoleAccessPort = {
  /** Whether operators can sign in at all. */
  hasOperators: () => Promise<boolean>;
  signIn: (order: ConsoleSignInOrder) => Promise<ConsoleSignIn>;
  /** Null for a session that is over, or never was one of the console. */
  session: (hash: string) => Promise<ConsoleSession | null>;
  signOut: (hash: string) => Promise<void>;
  /** What the api's counter objects counted. */
  usage: () => Promise<LimitUses>;
};
