import { describe, expect, test } from 'vitest';
import type { CallAnswer } from '../../../../src/management/core/engine/operation.ts';
import type { EntryObject } from '../../../../src/management/log-store/entry-object.ts';
import { computeTracePart, formatSpanShard } from '../../../../src/management/log-store/shards/placement.ts';
import { getShardTrace } from '../../../../src/management/log-store/shards/span-shards.ts';
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
