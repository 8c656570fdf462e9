import { TOKEN_SHARDS } from '../../src/authorization/shards/sealed-token.ts';
import { SHARDS } from '../../src/payment/ledger/survey.ts';
import { COUNTER_NAMES } from '../../src/rate-limits/rate-counts.ts';
import { listRegisters } from '../../src/visibility/run/run-register.ts';

export type KindName = 'unpaid' | 'management' | 'audit' | 'measurement' | 'push';

/** One kind of requests at the rate of the plan. */
export type Kind = {
  name: KindName;
  title: string;
  perS: number;
  /** What each request of it names: as long as an isolate remembers it, it asks no one. */
  keys: { what: string; count: number };
};

/** The load that the page shows. */
export const KINDS: readonly Kind[] = [
  { name: 'unpaid', title: 'Unpaid 402', perS: 10_000, keys: { what: 'callers', count: 100_000 } },
  {
    name: 'management',
    title: 'Management calls of one tenant (nine reads of a user, one change)',
    perS: 1_000,
    keys: { what: 'tokens', count: 10 },
  },
  { name: 'audit', title: 'Full audits, paid', perS: 12, keys: { what: 'payers', count: 10_000 } },
  { name: 'measurement', title: 'Measurements of brands, paid', perS: 6, keys: { what: 'payers', count: 10_000 } },
  { name: 'push', title: 'Pushes of a directory', perS: 1_700, keys: { what: 'channels', count: 100_000 } },
];

/** How long an isolate remembers a token, in seconds. */
export const MEMORY_S = 10;
/** A core of an isolate is planned to be so busy. */
export const ISOLATE_UTILISATION = 0.5;
/** An object that is busier than this is a wall. */
export const WALL_UTILISATION = 0.8;

/**
 * Over how many objects the calls of a class are spread, where the count sees more than one. `always`: the count has one
 * of what they are named by, and the plan has more.
 */
export const SPREAD: Readonly<Record<string, { objects: number; by: string; always?: true }>> = {
  PAYMENT_LEDGER: { objects: SHARDS, by: 'payer or hash' },
  AUTHORIZATION_STORE: { objects: TOKEN_SHARDS, by: 'token' },
  // The first of them is only read.
  OPERATIONS_REGISTER: { objects: listRegisters().length - 1, by: 'run' },
  RATE_COUNTER: { objects: COUNTER_NAMES.length, by: 'caller' },
  NOTIFICATION_INBOX: { objects: 1_000, by: 'customer', always: true },
  VISIBILITY_RUN: { objects: 10_000, by: 'purchase' },
  TARGET_GATE: { objects: 1_000, by: 'audited domain' },
};

/** Calls that this machine makes none of: what answers on loopback is let in without its gate. */
export const UNSEEN: readonly {
  kind: KindName;
  class: string;
  method: string;
  rowsRead: number;
  rowsWritten: number;
}[] = [
  { kind: 'audit', class: 'TARGET_GATE', method: 'enter', rowsRead: 1, rowsWritten: 2 },
  { kind: 'audit', class: 'TARGET_GATE', method: 'leave', rowsRead: 1, rowsWritten: 1 },
];
