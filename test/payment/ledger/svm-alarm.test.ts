import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { ALARM_SEARCH_CALLS, runLedgerAlarm } from '../../../src/payment/ledger/alarm.ts';
import { readKeyNetwork } from '../../../src/payment/ledger/payment-key.ts';
import type { LedgerRow } from '../../../src/payment/ledger/row.ts';
import { openLedgerRows } from '../../../src/payment/ledger/rows.ts';
import type { SearchState } from '../../../src/payment/ledger/search.ts';
import { railLooks } from '../../../src/payment/rails/looks.ts';
import { readSvmMessage } from '../../../src/payment/rails/x402-svm/message.ts';
import { BASE, SOLANA } from '../../../src/payment/terms/networks-data.ts';
import { openSql } from '../../support/management/sqlite.ts';
import { flood, type NodeTransaction, SvmNode } from '../chain/svm-node.ts';
import { HOUR_MS, PAY_TO, signedRow, unknown, X402_KEY } from './cases.ts';

type Made = { payload: { payload: { transaction: string } } };
const { messages } = JSON.parse(readFileSync(new URL('../../data/svm/messages.json', import.meta.url), 'utf8')) as {
  messages: Record<'good' | 'again', Made>;
};
const WIRE = messages.good.payload.payload.transaction;
const OTHER = messages.again.payload.payload.transaction;
const read = await readSvmMessage(Uint8Array.from(Buffer.from(WIRE, 'base64')));
if (!read.ok) throw new Error(read.detail);
const { hash: PAID } = read.message;

const CLAIMED_MS = 1_795_910_000_000;
const CLAIMED_S = CLAIMED_MS / 1000;
const ENDS_S = CLAIMED_S + 300;
const MINUTE_MS = 60_000;

const keyOf = (name: string): string => `svm:${SOLANA.id}:${name}`;

/** A row whose settlement has no end: that of the message `hash`. */
const rowOf = (name: string, hash: string, phase: object = {}): LedgerRow => ({
  ...signedRow(unknown),
  key: keyOf(name),
  rail: 'x402-svm',
  payer: name,
  firstClaimedAtMs: CLAIMED_MS,
  claimedAtMs: CLAIMED_MS,
  instrument: { method: 'x402', nonce: hash, validBeforeS: ENDS_S },
  phase: { state: 'unknown', reportId: name, firstAttempt: 4, beganAtMs: CLAIMED_MS, lookAtMs: CLAIMED_MS, ...phase },
});

function openShard() {
  const world = { nowMs: CLAIMED_MS + 400_000, baseCalls: 0 };
  const node = new SvmNode();
  const rows = openLedgerRows(openSql(new DatabaseSync(':memory:')), 86_400);
  const base = new Proxy({} as never, {
    get: (_chain, question) => async () => {
      world.baseCalls += 1;
      return question === 'block' ? { number: 1n, hash: '0xb10c', timestampS: 0 } : undefined;
    },
  });
  const run = async (): Promise<void> => {
    node.finalTimeS = Math.floor(world.nowMs / 1000);
    await runLedgerAlarm({
      rows,
      transact: (step) => step(),
      looks: railLooks,
      paidOn: (key) => {
        const network = readKeyNetwork(key);
        if (network === SOLANA.id) return { chain: {} as never, payTo: PAY_TO, svm: node.reader };
        return network === BASE.id ? { chain: base, payTo: PAY_TO } : undefined;
      },
      spend: async () => undefined,
      deleteResult: async () => undefined,
      nowMs: () => world.nowMs,
      log: (line) => {
        throw new Error(JSON.stringify(line));
      },
    });
  };
  const stateOf = (name: string) => rows.read(keyOf(name))?.phase.state;
  const searchOf = (name: string): SearchState | undefined => {
    const phase = rows.read(keyOf(name))?.phase;
    return phase?.state === 'unknown' ? phase.search : undefined;
  };
  return { world, node, rows, run, stateOf, searchOf };
}

/** What a stranger can put into the history of a payer. */
const LONG_MEMO = `[900] ${'\u0001'.repeat(900)}`;
const histories: Record<string, NodeTransaction[]> = {
  'a page of over 2 MiB': flood(400, ENDS_S - 10, OTHER).map((one) => ({ ...one, memo: LONG_MEMO })),
  'a transaction whose answer is of 400 KB': [
    { signature: 'large', blockTime: ENDS_S - 10, wire: OTHER, didChars: 400_000 },
  ],
  'a transaction whose answer is over all limits': [
    { signature: 'endless', blockTime: ENDS_S - 10, wire: OTHER, didChars: 1_200_000 },
  ],
  'a transaction that the node lists and does not show': [{ signature: 'hidden', blockTime: ENDS_S - 10 }],
  'a transaction without its block': [{ signature: 'blockless', blockTime: ENDS_S - 10, error: -32_009 }],
  'a transaction of another version': [{ signature: 'new', blockTime: ENDS_S - 10, error: -32_015 }],
};

describe.each(Object.entries(histories))('%s in the history of some payers', (_what, history) => {
  test('holds up no payment of others', async () => {
    const shard = openShard();
    const others = Array.from({ length: 10 }, (_, at) => `payer-${at}`);
    shard.node.histories['mallory'] = history;
    for (const at of [0, 1, 2, 3])
      shard.rows.write({
        ...rowOf(`mallory-${at}`, `never-${at}`, { lookAtMs: CLAIMED_MS - 9 + at }),
        payer: 'mallory',
      });
    for (const payer of others) {
      shard.node.histories[payer] = [{ signature: `of-${payer}`, blockTime: CLAIMED_S + 20, wire: WIRE }];
      shard.rows.write(rowOf(payer, PAID));
    }
    for (let minute = 0; minute < 5; minute += 1) {
      await shard.run();
      shard.world.nowMs += MINUTE_MS;
    }
    expect(others.map(shard.stateOf)).toEqual(others.map(() => 'settled'));
  });
});

describe('a history that is longer than one look', () => {
  test('is read to its end, once', async () => {
    const shard = openShard();
    shard.node.histories['busy'] = [
      ...flood(250, CLAIMED_S + 60, OTHER),
      { signature: 'paid', blockTime: CLAIMED_S + 20, wire: WIRE },
      ...flood(250, CLAIMED_S - 10, OTHER),
    ];
    shard.node.histories['idle'] = flood(501, CLAIMED_S, OTHER);
    shard.rows.write(rowOf('busy', PAID));
    shard.rows.write(rowOf('idle', 'never'));
    for (let minute = 0; minute < 10; minute += 1) {
      await shard.run();
      shard.world.nowMs += MINUTE_MS;
    }
    expect([shard.stateOf('busy'), shard.stateOf('idle')]).toEqual(['settled', undefined]);
    expect(shard.node.count('getTransaction')).toBe(251 + 501);
  });

  test('takes more than one run where several payers have one, and none is begun after so many calls', async () => {
    const shard = openShard();
    const names = Array.from({ length: 12 }, (_, at) => `busy-${at}`);
    for (const name of names) {
      shard.node.histories[name] = flood(150, CLAIMED_S, OTHER);
      shard.rows.write(rowOf(name, 'never'));
    }
    await shard.run();
    expect(shard.node.asked.length).toBeGreaterThan(ALARM_SEARCH_CALLS);
    expect(shard.node.asked.length).toBeLessThan(ALARM_SEARCH_CALLS + 2 * 130);
    // Those that had no turn are due still.
    expect(shard.rows.due(shard.world.nowMs, 100).length).toBeGreaterThan(names.length / 2);
    for (let runs = 0; runs < 10; runs += 1) {
      await shard.run();
      shard.world.nowMs += MINUTE_MS;
    }
    expect(names.map(shard.stateOf)).toEqual(names.map(() => undefined));
  });

  test('is searched beside the payments on other networks, which wait for none of it', async () => {
    const shard = openShard();
    for (let at = 0; at < 60; at += 1) {
      shard.node.histories[`busy-${at}`] = flood(150, CLAIMED_S, OTHER);
      shard.rows.write(rowOf(`busy-${at}`, 'never', { lookAtMs: CLAIMED_MS - at }));
    }
    shard.rows.write(signedRow({ ...unknown, lookAtMs: shard.world.nowMs }));
    await shard.run();
    expect(shard.world.baseCalls).toBeGreaterThan(0);
    expect(shard.rows.read(X402_KEY)?.phase).not.toMatchObject({ lookAtMs: shard.world.nowMs });
  });
});

describe('a search that comes no further', () => {
  test('is repeated after 1 minute, then after twice as long up to an hour, then once a day', async () => {
    const shard = openShard();
    shard.node.histories['hidden'] = [{ signature: 'hidden', blockTime: CLAIMED_S + 20 }];
    shard.rows.write(rowOf('hidden', PAID));
    const waits: number[] = [];
    for (let look = 0; look < 10; look += 1) {
      await shard.run();
      const phase = shard.rows.read(keyOf('hidden'))?.phase;
      if (phase?.state !== 'unknown') throw new Error(phase?.state);
      waits.push((phase.lookAtMs - shard.world.nowMs) / MINUTE_MS);
      shard.world.nowMs = phase.lookAtMs;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 24 * 60, 24 * 60, 24 * 60]);
    expect(shard.node.count('getTransaction')).toBe(10);
    // It was never given up.
    shard.node.histories['hidden'] = [{ signature: 'hidden', blockTime: CLAIMED_S + 20, wire: WIRE }];
    await shard.run();
    expect(shard.stateOf('hidden')).toBe('settled');
  });

  test('slows down at a node that lists the same whatever cursor is given', async () => {
    const shard = openShard();
    shard.node.histories['busy'] = flood(250, CLAIMED_S, OTHER);
    shard.node.ignoresCursors = true;
    shard.rows.write(rowOf('busy', 'never'));
    for (let minute = 0; minute < 60; minute += 1) {
      await shard.run();
      shard.world.nowMs += MINUTE_MS;
    }
    expect(shard.stateOf('busy')).toBe('unknown');
    expect(shard.searchOf('busy')?.looks).toBeLessThan(10);
  });

  test('waits a minute while the node is silent, and loses nothing', async () => {
    const shard = openShard();
    shard.node.histories['busy'] = flood(150, CLAIMED_S, OTHER);
    shard.rows.write(rowOf('busy', 'never'));
    await shard.run();
    const search = shard.searchOf('busy');
    expect(search).toMatchObject({ looks: 1, idleLooks: 0 });
    shard.world.nowMs += HOUR_MS;
    shard.node.isSilent = true;
    await shard.run();
    expect(shard.searchOf('busy')).toEqual(search);
    expect(shard.rows.read(keyOf('busy'))?.phase).toMatchObject({ lookAtMs: shard.world.nowMs + MINUTE_MS });
    shard.node.isSilent = false;
    shard.world.nowMs += MINUTE_MS;
    await shard.run();
    expect([shard.stateOf('busy'), shard.node.count('getTransaction')]).toEqual([undefined, 150]);
  });
});
