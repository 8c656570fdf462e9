import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { type HostBook, openHostBook } from '../../src/ownership/host-book.ts';
import { createOwners } from '../../src/ownership/owners.ts';
import type { ProofLook } from '../../src/ownership/proof.ts';
import {
  type HostListObject,
  type HostRecordObject,
  MAX_CLAIMS_OF_HOST,
  MAX_HOSTS_OF_ACCOUNT,
} from '../../src/ownership/protocol.ts';
import { openSql } from '../support/management/sqlite.ts';

const found: ProofLook = { state: 'found', place: 'file' };
const absent: ProofLook = { state: 'absent', places: [] };
const HOST = 'example.com';

function world() {
  const books = new Map<string, HostBook>();
  const at = { nowMs: 1_800_000_000_000, seen: absent, looks: 0 };
  const open = (name: string): HostBook => {
    const book = books.get(name) ?? openHostBook(openSql(new DatabaseSync(':memory:')), () => at.nowMs);
    books.set(name, book);
    return book;
  };
  const record = (host: string): HostRecordObject => ({
    claim: async (account, name) => open(host).claim(account, name),
    proof: async (account) => open(host).proof(account),
    takeLook: async (account) => open(host).takeLook(account),
    recordLook: async (account, value, look) => open(host).recordLook(account, value, look),
    drop: async (account) => open(host).drop(account),
  });
  const list = (account: string): HostListObject => {
    const book = open(`account ${account}`);
    return {
      hosts: async () => book.hosts(),
      addHost: async (host) => book.addHost(host),
      removeHost: async (host) => book.removeHost(host),
    };
  };
  const look = async (): Promise<ProofLook> => {
    at.looks += 1;
    return at.seen;
  };
  return { at, ...createOwners({ record, list, look, now: () => at.nowMs }) };
}

test('a claim is proven by a look, for its account and its host alone', async () => {
  const owners = world();
  const claimed = await owners.claim('a', 'https://Example.com/shop');
  expect(claimed).toMatchObject({ ok: true, proof: { host: HOST, account: 'a', foundAtMs: null } });
  expect(await owners.claim('a', HOST)).toEqual(claimed);
  await owners.claim('b', HOST);
  expect(await owners.isProven('a', HOST)).toBe(false);
  owners.at.seen = found;
  expect(await owners.look('a', HOST)).toMatchObject({ ok: true, look: found });
  expect(await owners.isProven('a', HOST)).toBe(true);
  expect(await owners.isProven('b', HOST)).toBe(false);
  expect(await owners.isProven('a', 'www.example.com')).toBe(false);
});

test('a proof is looked for again when its time has come, and ends when its value is gone', async () => {
  const owners = world();
  await owners.claim('a', HOST);
  owners.at.seen = found;
  await owners.look('a', HOST);
  owners.at.nowMs += 29 * DAY_MS;
  expect([await owners.isProven('a', HOST), owners.at.looks]).toEqual([true, 1]);
  owners.at.nowMs += 2 * DAY_MS;
  owners.at.seen = absent;
  expect([await owners.isProven('a', HOST), owners.at.looks]).toEqual([true, 2]);
  owners.at.nowMs += 4 * DAY_MS;
  expect(await owners.isProven('a', HOST)).toBe(false);
});

test('looks come once a minute at most', async () => {
  const owners = world();
  await owners.claim('a', HOST);
  await owners.look('a', HOST);
  expect(await owners.look('a', HOST)).toEqual({ ok: false, reason: 'too_soon', retryAfterS: 60 });
  owners.at.nowMs += MINUTE_MS;
  expect(await owners.look('a', HOST)).toMatchObject({ ok: true });
  expect(await owners.look('b', HOST)).toMatchObject({ ok: false, reason: 'not_claimed' });
});

test('a dropped claim proves nothing, and a new one has another value', async () => {
  const owners = world();
  const first = await owners.claim('a', HOST);
  owners.at.seen = found;
  await owners.look('a', HOST);
  await owners.drop('a', HOST);
  expect(await owners.list('a')).toEqual([]);
  expect(await owners.isProven('a', HOST)).toBe(false);
  const second = await owners.claim('a', HOST);
  expect(first.ok && second.ok && first.proof.value !== second.proof.value).toBe(true);
});

test('hosts of an account and claims of a host are limited', async () => {
  const owners = world();
  expect(await owners.claim('a', 'localhost')).toEqual({ ok: false, reason: 'invalid_host' });
  for (let at = 0; at < MAX_HOSTS_OF_ACCOUNT; at += 1) await owners.claim('a', `h${at}.example.com`);
  expect(await owners.claim('a', HOST)).toEqual({ ok: false, reason: 'too_many_hosts' });
  expect(await owners.list('a')).toHaveLength(MAX_HOSTS_OF_ACCOUNT);
  for (let at = 0; at < MAX_CLAIMS_OF_HOST; at += 1) await owners.claim(`b${at}`, HOST);
  expect(await owners.claim('late', HOST)).toEqual({ ok: false, reason: 'too_many_claims' });
  expect(await owners.list('late')).toEqual([]);
  await owners.forget('a');
  expect(await owners.list('a')).toEqual([]);
});
