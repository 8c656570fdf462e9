import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedEntry } from '../../../../src/management/log-store/routing.ts';
import {
  createRelayInbox,
  createRelayOutbox,
  MAX_RELAY_CHARS,
  type RelayedText,
} from '../../../../src/management/log-store/shards/relay.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { placedEntry } from '../placed-entry.ts';

const SINK = 'projects/p/sinks/out';
let nowMs: number;
let logged: Record<string, unknown>[];
let database: ReturnType<typeof memorySqlite>;

beforeEach(() => {
  [nowMs, logged] = [1_800_000_000_000, []];
  database = memorySqlite();
});

const outbox = () => createRelayOutbox({ sql: database.sql, now: () => nowMs, log: (line) => void logged.push(line) });
const inbox = () => createRelayInbox({ sql: database.sql, now: () => nowMs });
const outside = (text: string): PlacedEntry => ({
  ...placedEntry(0, { text }),
  sink: SINK,
  target: { kind: 'webhook', url: 'https://example.com/hook' },
});
const textsOf = (placed: readonly PlacedEntry[]): readonly unknown[] => placed.map(({ entry }) => entry['textPayload']);

describe('entries for webhooks and files', () => {
  test('wait in the shard until the tenant’s own object has them, and are taken once however often they come', async () => {
    const out = outbox();
    out.keep([outside('one'), placedEntry(1)]);
    nowMs += 1;
    out.keep([outside('two')]);
    const sent: RelayedText[] = [];
    const lostAnswer = async (relayed: RelayedText): Promise<void> => {
      sent.push(relayed);
      throw new Error('The answer is lost');
    };
    await expect(out.handOver(lostAnswer)).rejects.toThrow('lost');
    expect(out.nextMs()).toBe(nowMs + 5_000);
    // The object starts again: what waits is there.
    const again = outbox();
    expect(again.nextMs()).toBe(nowMs);
    await again.handOver(async (relayed) => void sent.push(relayed));
    expect([again.hasAny(), again.nextMs()]).toEqual([false, undefined]);
    expect(sent.map(({ seq }) => seq)).toEqual([sent[0]?.seq, sent[0]?.seq, sent[2]?.seq]);
    const taking = inbox();
    expect(sent.map((relayed) => textsOf(taking.take('entries/1/0', relayed)))).toEqual([['one'], [], ['two']]);
  });

  test('of a shard that was emptied and comes again are not mistaken for those of before', async () => {
    const sent: RelayedText[] = [];
    const write = async (): Promise<void> => {
      const out = outbox();
      out.keep([outside('x')]);
      await out.handOver(async (relayed) => void sent.push(relayed));
    };
    await write();
    database.sql.exec('DROP TABLE relay');
    nowMs += 60_000;
    await write();
    const taking = inbox();
    expect(sent.map((relayed) => textsOf(taking.take('entries/1/0', relayed)))).toEqual([['x'], ['x']]);
  });

  test.each([0, -5, -3_600_000])('are all taken though the clock of the shard goes %i ms', async (step) => {
    const taking = inbox();
    const taken: unknown[] = [];
    // The object starts again each time.
    const write = async (text: string): Promise<void> => {
      const out = outbox();
      out.keep([outside(text)]);
      await out.handOver(async (relayed) => void taken.push(...textsOf(taking.take('entries/1/0', relayed))));
    };
    await write('first');
    nowMs += step;
    await write('second');
    outbox().reset();
    nowMs += step;
    await write('third');
    expect(taken).toEqual(['first', 'second', 'third']);
  });

  test('of a shard of an earlier version, which kept no number, go on behind those that wait', async () => {
    database.sql.exec('CREATE TABLE relay (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, chars INTEGER NOT NULL)');
    const seq = nowMs * 1_000 + 1;
    database.sql.exec('INSERT INTO relay VALUES (?, ?, 2)', seq, '[]');
    nowMs -= 5;
    const out = outbox();
    out.keep([outside('new')]);
    const seqs: number[] = [];
    await out.handOver(async (relayed) => void seqs.push(relayed.seq));
    expect(seqs).toEqual([seq, seq + 1]);
  });

  test('that were written before their sink was gone are not sent any more; those after it are', async () => {
    const sent: RelayedText[] = [];
    const out = outbox();
    out.keep([outside('before')]);
    const taking = inbox();
    nowMs += 10;
    taking.dropSink(SINK);
    nowMs += 10;
    out.keep([outside('after')]);
    await out.handOver(async (relayed) => void sent.push(relayed));
    expect(sent.map((relayed) => textsOf(taking.take('entries/1/0', relayed)))).toEqual([[], ['after']]);
  });

  test('K9: beyond a bound are not kept for it, and said in the log', () => {
    const out = outbox();
    const large = outside('x'.repeat(1_000_000));
    for (let chars = 0; chars < MAX_RELAY_CHARS; chars += 1_000_000) out.keep([large]);
    out.keep([large]);
    expect(logged).toContainEqual({ event: 'relay_full', chars: expect.any(Number) });
    const [kept] = database.sql.exec('SELECT total(chars) AS chars FROM relay').toArray();
    expect(Number(kept?.['chars'])).toBeLessThanOrEqual(MAX_RELAY_CHARS);
  });
});
