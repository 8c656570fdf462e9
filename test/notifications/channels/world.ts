import { parseChannelKeys } from '../../../src/notifications/channels/channel-token.ts';
import type { SqlRow, Sql } from '../../../src/lib/sqlite.ts';
import type { InboxCommand } from '../../../src/notifications/core/protocol.ts';
import type { RegistryLimits } from '../../../src/notifications/channels/context.ts';
import { openRegistry, type Registry } from '../../../src/notifications/channels/registry.ts';
import type { Granted, Vendor, VendorFailure, WatchOrder } from '../../../src/notifications/vendor/vendor.ts';
import type { ChannelView, NewWatch } from '../../../src/notifications/channels/channel.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

export const START_MS = Date.UTC(2026, 10, 21);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const KEYS =
  parseChannelKeys('2:the-second-channel-secret-of-32-chars,1:the-first-channel-secret-of-32-characters') ?? [];

export type Stop = { id: string; resourceId: string; subject?: string | undefined };
type WatchAnswer = Granted | VendorFailure;
type StopAnswer = { ok: true } | VendorFailure;

export type RegistryWorld = {
  registry: Registry;
  /** A second worker over the same rows. */
  another: () => Registry;
  clock: { nowMs: number };
  /** Lets time pass with a pass at each moment that something is due; stops after many. */
  run: (ms: number) => Promise<void>;
  watched: WatchOrder[];
  stopped: Stop[];
  /** Answers of the next calls; then channels of six hours are granted, and stopped. */
  answers: {
    watch: ((order: WatchOrder) => WatchAnswer | Promise<WatchAnswer>)[];
    stop: (StopAnswer | (() => Promise<StopAnswer>))[];
  };
  told: { customer: string; command: InboxCommand }[];
  /** What was told of alerts and resyncs, in short. */
  words: () => string[];
  /** `answers`: what an inbox does first with the next errands. */
  inbox: { isAway: boolean; answers: (() => Promise<void>)[] };
  /** While it is on, the vendor answers every call with 503. */
  outage: { isOn: boolean };
  log: Record<string, unknown>[];
  queries: string[];
  rows: (query: string) => SqlRow[];
  sql: Sql;
  /** Opens, and has it granted. */
  opened: (order?: NewWatch) => Promise<ChannelView>;
  /** Alive channels of the only watch: `state` by the order in which they were asked for. */
  states: () => string[];
};

export const CUSTOMER: NewWatch = { target: { customer: 'C1' } };
export const down: VendorFailure = { ok: false, reason: 'unavailable', detail: 'HTTP 503' };

/** A grant at a time of ours; its clock is ours, as a `Date` header tells it: by the middle of its second. */
export const grantFor = (changes: Partial<Granted> & { lifeMs?: number; nowMs: number }) => (): Granted => ({
  ok: true,
  resourceId: 'resource-1',
  resourceUri: 'https://directory.test/users',
  expiresAtMs: changes.nowMs + (changes.lifeMs ?? 6 * HOUR_MS),
  vendorNowMs: Math.floor(changes.nowMs / 1_000) * 1_000 - 500,
  ...('expiresAtMs' in changes ? { expiresAtMs: changes.expiresAtMs } : {}),
  ...('vendorNowMs' in changes ? { vendorNowMs: changes.vendorNowMs } : {}),
});

const MAX_PASSES = 100_000;

export function registryWorld(limits: Partial<RegistryLimits> = {}, chance = 0.5): RegistryWorld {
  const clock = { nowMs: START_MS };
  const queries: string[] = [];
  const database = memorySqlite((query) => queries.push(query));
  const [watched, stopped, told, log]: [WatchOrder[], Stop[], RegistryWorld['told'], Record<string, unknown>[]] = [
    [],
    [],
    [],
    [],
  ];
  const answers: RegistryWorld['answers'] = { watch: [], stop: [] };
  const inbox: RegistryWorld['inbox'] = { isAway: false, answers: [] };
  const outage = { isOn: false };
  let serial = 0;
  const vendor: Vendor = {
    watch: async (order) => {
      watched.push(order);
      if (outage.isOn) return down;
      const answer = answers.watch.shift() ?? grantFor({ nowMs: clock.nowMs });
      return answer(order);
    },
    stop: async (channel) => {
      stopped.push(channel);
      if (outage.isOn) return down;
      const answer = answers.stop.shift() ?? { ok: true };
      return typeof answer === 'function' ? answer() : answer;
    },
    readUser: async () => down,
    listUsers: async () => down,
  };
  const another = (): Registry =>
    openRegistry({
      ...database,
      vendor,
      keys: KEYS,
      origin: 'https://webhook.test',
      ttlSeconds: 6 * 3_600,
      now: () => clock.nowMs,
      // Ids are as long as a watch's; shorter ones are chances.
      random: (bytes) => {
        if (bytes > 4) return (serial += 1).toString(16).padStart(bytes * 2, '0');
        return Math.floor(chance * (256 ** bytes - 1))
          .toString(16)
          .padStart(bytes * 2, '0');
      },
      uuid: () => `00000000-0000-4000-8000-${(serial += 1).toString().padStart(12, '0')}`,
      command: async (customer, command) => {
        if (inbox.isAway) throw new Error('away');
        await inbox.answers.shift()?.();
        told.push({ customer, command });
      },
      log: (line) => log.push(line),
      limits,
    });
  const registry = another();
  const rows = (query: string): SqlRow[] => database.sql.exec(query).toArray();
  const run = async (ms: number): Promise<void> => {
    const endMs = clock.nowMs + ms;
    for (let passes = 0; passes < MAX_PASSES; passes += 1) {
      const dueMs = registry.nextDueMs() ?? Number.POSITIVE_INFINITY;
      if (dueMs > endMs) break;
      clock.nowMs = Math.max(clock.nowMs, dueMs);
      await registry.pass();
    }
    clock.nowMs = endMs;
  };
  return {
    registry,
    another,
    clock,
    run,
    watched,
    stopped,
    answers,
    told,
    words: () => told.flatMap(({ customer, command }) => wordOf(command).map((word) => `${customer} ${word}`)),
    inbox,
    outage,
    log,
    queries,
    rows,
    sql: database.sql,
    opened: async (order = CUSTOMER) => {
      const answer = await registry.open(order);
      if (!answer.ok) throw new Error(answer.reason);
      return answer.channel;
    },
    states: () => rows('SELECT state FROM channel ORDER BY seq').map(({ state }) => String(state)),
  };
}

function wordOf(command: InboxCommand): readonly string[] {
  if (command.do === 'channel') return [];
  if (command.do === 'resync') return [`resync ${command.order.reason}`];
  return command.do === 'alert'
    ? [`alert ${command.alert.kind} ${command.alert.subject}`]
    : [`over ${command.kind} ${command.subject}`];
}
