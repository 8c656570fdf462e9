import { describe, expect, test } from 'vitest';
import { refuseExhausted } from '../../../../src/management/core/conventions/invalid.ts';
import type { CallAnswer } from '../../../../src/management/core/engine/operation.ts';
import type { EntryObject } from '../../../../src/management/log-store/entry-object.ts';
import type { EntryOrder } from '../../../../src/management/log-store/order.ts';
import { openEntryShards } from '../../../../src/management/log-store/shards/entry-shards.ts';
import {
  computeTracePart,
  createShardPlacement,
  formatSpanShard,
} from '../../../../src/management/log-store/shards/placement.ts';
import { getShardTrace, listTraceIds } from '../../../../src/management/log-store/shards/span-shards.ts';
import { CALLER, TENANT } from '../../../support/management/management.ts';

const PARTS = 4;
const PROJECT = 'projects/p';
const traceIds = Array.from({ length: 12 }, (_, at) => (at + 1).toString(16).padStart(32, '0'));
const shardOf = (traceId: string): string => formatSpanShard(PARTS, computeTracePart(PROJECT, traceId, PARTS));

describe('one trace', () => {
  /** Of a tenant whose shards are listed only once they have something. */
  async function get(traceId: string, stored: readonly string[]): Promise<CallAnswer | null> {
    const lanes = [...new Set(stored.map(shardOf))].map((name) => ({ name, first: '', last: '~' }));
    const object = (name: string): EntryObject =>
      ({
        run: async (): Promise<CallAnswer> =>
          stored.includes(traceId) && shardOf(traceId) === name
            ? { ok: true, status: 200, body: { traceId } }
            : { ok: false, refusal: { status: 404, word: 'NOT_FOUND', reason: 'notFound', message: traceId } },
      }) as unknown as EntryObject;
    const call = { method: '', path: {}, query: {}, body: {}, caller: CALLER };
    const order = { do: 'getTrace', project: PROJECT, traceId } as const;
    return getShardTrace(TENANT, { call, order }, { lanes, object });
  }

  test('that is missing is 404, whether or not there is a shard that might have it', async () => {
    const [stored = '', ...missing] = traceIds;
    expect(new Set(missing.map((traceId) => shardOf(traceId) === shardOf(stored)))).toEqual(new Set([true, false]));
    expect(await get(stored, [stored])).toMatchObject({ ok: true, body: { traceId: stored } });
    for (const traceId of missing)
      expect(await get(traceId, [stored])).toMatchObject({ ok: false, refusal: { status: 404, word: 'NOT_FOUND' } });
  });
});

describe('spans of many traces in one call', () => {
  /** Of a tenant some of whose traces are full. */
  async function write(written: readonly string[], full: readonly string[]) {
    const kept: string[] = [];
    const object = (name: string): EntryObject =>
      ({
        lanes: async () => [],
        writeShard: async (_address: unknown, { order }: { order: Extract<EntryOrder, { do: 'writeSpans' }> }) => {
          const traces = listTraceIds(order);
          expect(new Set(traces.map(shardOf))).toEqual(new Set([name]));
          const [first] = traces.filter((traceId) => full.includes(traceId));
          if (first !== undefined)
            return { outcome: { ok: false, refusal: refuseExhausted(`Trace ${first} is full`).data } };
          kept.push(...traces);
          return { outcome: null };
        },
      }) as unknown as EntryObject;
    const store = openEntryShards({
      tenant: TENANT,
      parts: PARTS,
      object,
      memory: { placement: createShardPlacement(), ownSpans: new Map() },
      now: () => 1,
      random: () => '',
    });
    const spans = written.map((traceId) => ({ name: `${PROJECT}/traces/${traceId}/spans/0000000000000001` }));
    const call = { method: '', path: {}, query: {}, body: {}, caller: CALLER };
    const answer = await store.run(TENANT, call, { do: 'writeSpans', nowMs: 1, project: PROJECT, spans });
    return { answer, kept };
  }

  test('are refused by what is not kept: the shards of the others keep theirs', async () => {
    const [full = ''] = traceIds;
    const beside = traceIds.filter((traceId) => shardOf(traceId) === shardOf(full));
    const others = traceIds.filter((traceId) => !beside.includes(traceId));
    const { answer, kept } = await write(traceIds, [full]);
    expect(new Set(kept)).toEqual(new Set(others));
    expect(answer).toMatchObject({ ok: false, refusal: { status: 429, word: 'RESOURCE_EXHAUSTED' } });
    const message = answer?.ok === false ? answer.refusal.message : '';
    expect(traceIds.filter((traceId) => message.includes(traceId))).toEqual(beside);
  });

  test('are refused as by one store where nothing is kept, and where all is kept not at all', async () => {
    const [full = ''] = traceIds;
    const { answer, kept } = await write([full], [full]);
    expect([answer, kept]).toEqual([{ ok: false, refusal: refuseExhausted(`Trace ${full} is full`).data }, []]);
    expect((await write(traceIds, [])).answer).toBeNull();
  });

  test('are named up to a number', async () => {
    const many = Array.from({ length: 200 }, (_, at) => (at + 1).toString(16).padStart(32, '0'));
    const [full = ''] = many;
    const { answer } = await write(many, [full]);
    const message = answer?.ok === false ? answer.refusal.message : '';
    expect(new Set(message.match(/[0-9a-f]{32}/g)).size).toBeLessThanOrEqual(11);
    expect(message).toContain(` ${many.filter((traceId) => shardOf(traceId) === shardOf(full)).length - 10} more`);
  });
});
