import { openInbox } from '../../../src/notifications/inbox/inbox.ts';
import type { InboxState } from '../../../src/notifications/inbox/inbox-state.ts';
import { type NewMessage, formatMessage } from '../../../src/notifications/inbox/message.ts';
import { createRetryTimes, type WorkLimits } from '../../../src/notifications/worker/run.ts';
import type { Effect, Sink, DeliveryResult } from '../../../src/notifications/sinks/sink.ts';
import type { DirectoryUser, Vendor, VendorFailure } from '../../../src/notifications/vendor/vendor.ts';
import { processInbox } from '../../../src/notifications/worker/work.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

export const CUSTOMER = 'C00000001';
const START_MS = Date.parse('2026-11-22T00:00:00Z');

export const userOf = (id: string, changes: Partial<DirectoryUser> = {}): DirectoryUser => {
  const user = {
    id,
    primaryEmail: `${id}@example.com`,
    suspended: false,
    archived: false,
    isAdmin: false,
    orgUnitPath: '/',
    etag: '',
    ...changes,
  };
  return { fingerprint: JSON.stringify(user), ...user };
};

export const failure = (reason: VendorFailure['reason'], more: Partial<VendorFailure> = {}): VendorFailure => ({
  ok: false,
  reason,
  detail: `the directory answers ${reason}`,
  ...more,
});

/** A sink that writes down what it is told, and answers what the test says. */
export function sinkOf(
  name: string,
  answer: (effect: Effect) => DeliveryResult | Promise<DeliveryResult> = () => ({ ok: true }),
) {
  const delivered: Effect[] = [];
  const sink: Sink = {
    name,
    wants: () => true,
    tell: async (effect) => {
      delivered.push(effect);
      return answer(effect);
    },
  };
  return { sink, delivered };
}

type WorldOptions = { sinks?: readonly Sink[]; limits?: Partial<WorkLimits> };

/** An inbox with a directory of users and a clock, all of it the test's. */
export function world({ sinks = [], limits = {} }: WorldOptions = {}) {
  const database = memorySqlite();
  const clock = { nowMs: START_MS };
  const now = () => clock.nowMs;
  const tools = { ...database, now, random: (bytes: number) => '7'.repeat(bytes * 2) };
  const users = new Map<string, DirectoryUser>();
  const asked: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const vendor: Pick<Vendor, 'readUser' | 'listUsers'> = {
    readUser: async ({ userId, subject }) => {
      asked.push(subject === undefined ? userId : `${userId} for ${subject}`);
      return { ok: true, user: users.get(userId) ?? null };
    },
    listUsers: async ({ target, pageToken }) => {
      asked.push(`list ${target.customer} ${pageToken ?? 'first'}`);
      return { ok: true, users: [...users.values()], nextPageToken: undefined };
    },
  };
  const notAsked = () => Promise.reject(new Error('not asked of the work loop'));
  let state = openInbox(tools);
  let pace = createRetryTimes();
  return {
    users,
    asked,
    lines,
    /** The test replaces its members. */
    vendor,
    clock,
    state: (): InboxState => state,
    work: (changed: (state: InboxState) => InboxState = (same) => same) =>
      processInbox(changed(state), {
        vendor: { ...vendor, watch: notAsked, stop: notAsked },
        sinks,
        pace,
        now,
        log: (line) => void lines.push(line),
        limits,
      }),
    /** The object is made anew, over the same storage. */
    restart: () => {
      state = openInbox(tools);
      pace = createRetryTimes();
    },
    /** Time passes until something is due. */
    passToDue: () => {
      clock.nowMs = Math.max(clock.nowMs, state.nextDueMs() ?? clock.nowMs);
    },
    keep: (...messages: NewMessage[]) => state.keep(CUSTOMER, messages.map(formatMessage)),
  };
}

export type World = ReturnType<typeof world>;
