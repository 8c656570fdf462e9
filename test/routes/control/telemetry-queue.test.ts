import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createControlConsumer } from '../../../routes/control/bindings/queues.ts';
import type { ControlEnv } from '../../../routes/control/bindings/env.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import { serializeBatch } from '../../../src/telemetry/messages.ts';
import type { TelemetryBatch } from '../../../src/telemetry/wire.ts';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call, json } from './world.ts';

/** Of each test by itself: an isolate remembers tenants and projects, whose registry is emptied between tests. */
let tenant = '';
let project = '';
let tests = 0;
let nowMs = 0;
let handed: ServiceLimits[] = [];
let collected: string[] = [];
beforeEach(() => {
  tests += 1;
  [tenant, project] = [`C0queue${tests}`, `queue-${tests}`];
  [handed, collected] = [[], []];
  nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    collected.push(typeof init?.body === 'string' ? init.body : '');
    return new Response('{}');
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const consume = createControlConsumer({ pushPolicy: () => allowPublicOnly({ alternatePorts: true }) });
const operations = { chooseLimits: async (limits: ServiceLimits) => void handed.push(limits) };

function bindings(changes: Record<string, unknown> = {}): ControlEnv {
  const bound = {
    ...env,
    TELEMETRY: 'control',
    OPERATOR_TENANT: tenant,
    OPERATOR_PROJECT: project,
    OPERATIONS: operations,
    RATE_COUNTER: { getByName: (name: string) => env.RATE_COUNTER.getByName(name) },
    ...changes,
  } as unknown as ControlEnv;
  return bound;
}

type Delivery = { attempts?: number; bound?: ControlEnv; queue?: string };
type Verdict = { acked: readonly string[]; retried: readonly (number | undefined)[] };

/** Has the consumer handle messages of the queue; ids are their places. */
async function deliver(
  bodies: readonly unknown[],
  { attempts = 1, bound = bindings(), queue }: Delivery = {},
): Promise<Verdict> {
  const messages = bodies.map((body, at) => ({ id: String(at), timestamp: new Date(), attempts, body }));
  const batch = createMessageBatch(queue ?? 'sightline-telemetry', messages);
  const retries = batch.messages.map((message) => vi.spyOn(message, 'retry'));
  const context = createExecutionContext();
  await consume(batch, bound, context);
  const { explicitAcks } = await getQueueResult(batch, context);
  const retried = retries.filter((one) => one.mock.calls.length > 0).map((one) => one.mock.lastCall?.[0]?.delaySeconds);
  return { acked: explicitAcks.toSorted(), retried };
}

const batchOf = (event: string, changes: Partial<TelemetryBatch> = {}): TelemetryBatch => ({
  service: 'api',
  instance: '0badcafe',
  lines: [{ atMs: nowMs, line: JSON.stringify({ event }) }],
  spans: [],
  dropped: { lines: 0, spans: 0 },
  ...changes,
});

const messagesOf = (batch: TelemetryBatch, id = 'a1', isAudit?: true): string[] =>
  serializeBatch(batch, { id, sentAtMs: nowMs, ...(isAudit && { isAudit }) }).map(({ text }) => text);

type Entry = { logName: string; jsonPayload: Record<string, unknown> };

async function entries(): Promise<readonly Entry['jsonPayload'][]> {
  const body = { resourceNames: [`projects/${project}`], pageSize: 1_000 };
  const answer = await call('/v2/entries:list', { method: 'POST', token: tokenFor({ tenant }), body });
  expect(answer.status).toBe(200);
  const { entries: found = [] } = await json<{ entries?: Entry[] }>(answer);
  return found.map(({ jsonPayload }) => jsonPayload);
}

/** A store of entries that cannot be asked. */
const broken = {
  idFromName: (name: string) => name,
  get: () => ({ keepOwn: () => Promise.reject(new Error('down')) }),
};

describe('telemetry of other Workers', () => {
  test.each(['', '-staging', '-dev'])('comes by the queue of its environment (%s) into the log', async (suffix) => {
    expect(await deliver(messagesOf(batchOf('sold')), { queue: `sightline-telemetry${suffix}` })).toEqual({
      acked: ['0'],
      retried: [],
    });
    expect(await entries()).toEqual([{ event: 'sold' }]);
  });

  test('that is delivered twice is in the log once, with what was left out, and goes on by OTLP once', async () => {
    const bound = bindings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.test' });
    const span = {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      name: 'GET /',
      kind: 'SERVER',
      startMs: nowMs,
      endMs: nowMs,
    } as const;
    const sent = messagesOf(batchOf('sold', { spans: [{ ...span, attributes: {} }], dropped: { lines: 2, spans: 0 } }));
    for (const attempts of [1, 2, 3]) {
      await deliver(sent, { attempts, bound });
      nowMs += 1_000;
    }
    expect(await entries()).toEqual([{ event: 'sold' }, { event: 'telemetry_dropped', lines: 2, spans: 0 }]);
    expect(collected.filter((text) => text.includes('"sold"'))).toHaveLength(1);
    expect(collected.filter((text) => text.includes('GET /'))).toHaveLength(1);
  });

  test('of two batches that say the same is in the log twice', async () => {
    await deliver([...messagesOf(batchOf('sold'), 'a1'), ...messagesOf(batchOf('sold'), 'a2')]);
    expect(await entries()).toEqual([{ event: 'sold' }, { event: 'sold' }]);
  });

  test('that cannot be written comes again, and is then in the log', async () => {
    const sent = messagesOf(batchOf('sold'));
    expect(await deliver(sent, { bound: bindings({ ENTRY_STORE: broken }) })).toEqual({ acked: [], retried: [5] });
    expect(await deliver(sent, { attempts: 2 })).toEqual({ acked: ['0'], retried: [] });
    expect(await entries()).toEqual([{ event: 'sold' }]);
  });

  test('that can never be written is given up after eight deliveries, and the log says how much that was', async () => {
    const bound = bindings({ ENTRY_STORE: broken });
    const sent = messagesOf(batchOf('sold', { dropped: { lines: 4, spans: 1 } }));
    expect(await deliver(sent, { attempts: 7, bound })).toEqual({ acked: [], retried: [300] });
    expect(await deliver(sent, { attempts: 8, bound })).toEqual({ acked: ['0'], retried: [] });
    await deliver(messagesOf(batchOf('later'), 'a2'));
    expect(await entries()).toEqual([{ event: 'later' }, { event: 'telemetry_dropped', lines: 5, spans: 1 }]);
  });

  test('that is an audit trail comes again as long as the queue has it', async () => {
    const sent = messagesOf(batchOf('directory_user_changed', { service: 'webhook' }), 'a1', true);
    const bound = bindings({ ENTRY_STORE: broken });
    expect(await deliver(sent, { attempts: 100, bound })).toEqual({ acked: [], retried: [3_600] });
    const full = { keepOwn: async () => ({ refused: ['entries RESOURCE_EXHAUSTED'], entries: 1, spans: 0 }) };
    const refusing = bindings({
      ENTRY_SHARDS: '1',
      ENTRY_STORE: { idFromName: (name: string) => name, get: () => full },
    });
    expect((await deliver(sent, { bound: refusing })).retried).toEqual([5]);
    expect((await deliver(messagesOf(batchOf('sold')), { bound: refusing })).acked).toEqual(['0']);
    expect((await deliver(sent, { attempts: 101 })).acked).toEqual(['0']);
    await deliver(messagesOf(batchOf('later'), 'a2'));
    const lost = { event: 'telemetry_dropped', lines: 1, spans: 0 }; // Of what was sold.
    expect(new Set(await entries())).toEqual(new Set([{ event: 'directory_user_changed' }, { event: 'later' }, lost]));
  });

  test('one that fails does not bring the others back, and what is no message is put away', async () => {
    const sent = ['no message', ...messagesOf(batchOf('sold')), { id: 1 }];
    expect(await deliver(sent)).toEqual({ acked: ['0', '1', '2'], retried: [] });
    expect(await entries()).toEqual([{ event: 'sold' }]);
  });
});

describe("the operator's limits", () => {
  const IGNORE = 'ignoreSafetyChecks=QUOTA_DECREASE_PERCENTAGE_TOO_HIGH';
  const prefer = async (value: number): Promise<void> => {
    const path = `/v1/projects/${project}/locations/global/quotaPreferences?${IGNORE}`;
    const quotaConfig = { preferredValue: String(value) };
    const body = { service: 'sightline', quotaId: 'FreeRequestsPerMinutePerCaller', quotaConfig };
    const answer = await call(path, { method: 'POST', token: tokenFor({ tenant }), body });
    expect(answer.status).toBe(200);
  };

  test('that were set before go to the api Worker with the first telemetry, then only when they differ', async () => {
    await prefer(12);
    const bound = bindings();
    await deliver(messagesOf(batchOf('one'), 'a1'), { bound });
    nowMs += 5_000;
    await deliver(messagesOf(batchOf('two'), 'a2'), { bound });
    expect(handed).toEqual([{ free: 12 }]);
    nowMs += 600_000;
    await deliver(messagesOf(batchOf('three'), 'a3'), { bound });
    expect(handed).toEqual([{ free: 12 }, { free: 12 }]);
  });

  test('that could not be handed over are so five seconds later', async () => {
    await prefer(12);
    let isDown = true;
    const chooseLimits = async (limits: ServiceLimits): Promise<void> => {
      if (isDown) throw new Error('down');
      handed.push(limits);
    };
    const bound = bindings({ OPERATIONS: { chooseLimits } });
    await deliver(messagesOf(batchOf('one'), 'a1'), { bound });
    isDown = false;
    nowMs += 4_999;
    await deliver(messagesOf(batchOf('two'), 'a2'), { bound });
    expect(handed).toEqual([]);
    nowMs += 1;
    await deliver(messagesOf(batchOf('three'), 'a3'), { bound });
    expect(handed).toEqual([{ free: 12 }]);
  });

  test('are not read where the service has no telemetry here', async () => {
    await deliver(messagesOf(batchOf('one')), { bound: bindings({ TELEMETRY: 'none' }) });
    expect(handed).toEqual([]);
  });
});
