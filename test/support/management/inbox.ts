import type { Alert } from '../../../src/notifications/core/alerts.ts';
import type { InboxState, Unit } from '../../../src/notifications/inbox/inbox-state.ts';
import type { InboxLimits } from '../../../src/notifications/inbox/tables.ts';
import { openInbox } from '../../../src/notifications/inbox/inbox.ts';
import {
  type KeepOutcome,
  type MessageState,
  type NewMessage,
  formatMessage,
} from '../../../src/notifications/inbox/message.ts';
import type { UserState } from '../../../src/notifications/sinks/sink.ts';
import type { DirectoryUser } from '../../../src/notifications/vendor/vendor.ts';
import { memorySqlite } from './sqlite.ts';

export const CUSTOMER = 'C01';
/** 2026-09-01T00:00:00.000Z. */
export const START_MS = 1_788_220_800_000;
export const SECOND_MS = 1_000;
export const DAY_MS = 86_400_000;

export const userOf = (id: string, change: Partial<DirectoryUser> = {}): DirectoryUser => ({
  id,
  primaryEmail: `${id}@example.com`,
  suspended: false,
  archived: false,
  isAdmin: false,
  orgUnitPath: '/',
  etag: `"${id}-1"`,
  fingerprint: `${id}-1`,
  ...change,
});

export const active = (id: string, version = '1'): UserState => ({
  state: 'active',
  user: userOf(id, { etag: `"${id}-${version}"`, fingerprint: `${id}-${version}` }),
});
export const GONE: UserState = { state: 'gone' };

/** An inbox in memory with a clock of its own, which may be opened again as after a crash. */
export function testInbox(limits: Partial<InboxLimits> = {}, seenQuery?: (query: string) => void) {
  const { sql, transaction } = memorySqlite(seenQuery);
  let nowMs = START_MS;
  let number = 0;
  const open = (): InboxState => openInbox({ sql, transaction, now: () => nowMs, random: () => '00', limits });
  let state = open();
  const message = (userId: string | null, change: Partial<NewMessage> = {}): NewMessage => {
    number += 1;
    return {
      channel: 'c1',
      watch: 'w1',
      key: `n:${number}`,
      number: String(number),
      state: 'update',
      receivedAtMs: nowMs,
      userId,
      body: userId === null ? 'undecodable' : 'read',
      raw: userId === null ? '<html>' : null,
      ...change,
    };
  };
  const journal = (...messages: readonly NewMessage[]): readonly KeepOutcome[] =>
    state.keep(CUSTOMER, messages.map(formatMessage));
  /** @returns channels that had no room */
  const digest = (): readonly string[] => {
    const collapsed: string[] = [];
    for (let isMore = true; isMore;) {
      const outcome = state.digest();
      collapsed.push(...outcome.collapsed);
      isMore = outcome.more;
    }
    return collapsed;
  };
  const keep = (...messages: readonly NewMessage[]): readonly string[] => {
    journal(...messages);
    return digest();
  };
  const claim = (): Unit => {
    const [unit] = state.claimUnits(1);
    if (unit === undefined) throw new Error('no unit is due');
    return unit;
  };
  const found = (unit: Unit, seen: UserState, sinks: readonly string[] = ['trail']) =>
    state.found({ unit, seen, readAtMs: nowMs, sinksFor: () => sinks });
  return {
    sql,
    get state() {
      return state;
    },
    now: () => nowMs,
    later: (ms: number) => {
      nowMs += ms;
    },
    /** The object was evicted, or its machine died. */
    reopen: () => {
      state = open();
    },
    message,
    /** Keeps messages, and takes nothing in. */
    journal,
    digest,
    /** Keeps messages and takes them in. @returns channels that had no room */
    keep,
    claim,
    found,
    /** Keeps a message of a user, and reads it. */
    read: (userId: string, seen: UserState, sinks: readonly string[] = ['trail']) => {
      keep(message(userId));
      return found(claim(), seen, sinks);
    },
    /** Lets every try of a unit fail until it is dead. @returns what `failed` answered each time */
    starve: (detail = 'the directory answers 503'): readonly string[] => {
      const outcomes: string[] = [];
      for (let at = 0; at < 5; at += 1) {
        outcomes.push(state.failed(claim(), { detail }));
        nowMs += 480 * SECOND_MS;
      }
      return outcomes;
    },
    /** Has a sink take nothing until its deliveries are dead. */
    refuse: (sink: string): void => {
      for (const delivery of state.claimDeliveries(100))
        if (delivery.sink === sink) state.undelivered(delivery, { detail: 'answers 400', refused: true });
    },
    /** Tells everything that is due. @returns ids of what was told */
    tellAll: (): readonly string[] => {
      const due = state.claimDeliveries(1_000);
      for (const delivery of due) state.delivered(delivery);
      return due.map(({ sink, effect }) => `${sink} ${effect.id}`);
    },
    states: (): readonly (readonly [number, MessageState])[] =>
      state
        .messages({ limit: 1_000 })
        .items.map(({ seq, state: at }) => [seq, at] as const)
        .toReversed(),
    alert: (change: Partial<Alert> = {}): Alert => ({
      kind: 'dead_letter',
      subject: 'c1',
      raisedAtMs: nowMs,
      detail: 'one message is dead',
      ...change,
    }),
    /** Whether the counts that are kept are those of the rows and, of those that wait, of the journal. */
    countsAreRight: (): boolean => {
      const counted = sql
        .exec(`SELECT state, count(*) AS n FROM message WHERE state <> 'worked' GROUP BY state`)
        .toArray();
      const { waiting, delivering, dead } = state.status();
      const of = (name: string): number => Number(counted.find((row) => row['state'] === name)?.['n'] ?? 0);
      const [journalled] = sql.exec('SELECT sum(json_array_length(messages)) AS n FROM journal').toArray();
      return (
        waiting === of('waiting') + Number(journalled?.['n'] ?? 0) &&
        delivering === of('delivering') &&
        dead === of('dead')
      );
    },
  };
}
export type TestInbox = ReturnType<typeof testInbox>;
