import { describe, expect, test } from 'vitest';
import { createAccounts } from '../../../src/authorization/people/accounts.ts';
import { listKeptPayers } from '../../../src/authorization/people/payers.ts';
import { MAX_WAYS, type SignInWay } from '../../../src/authorization/people/ways.ts';
import { normaliseEmail } from '../../../src/authorization/people/email-links.ts';
import { readPasskeyTerms } from '../../../src/authorization/people/passkeys.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';
import { makePasskey } from './made-passkey.ts';

const DAY_MS = 86_400_000;
const [FIRST, SECOND] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const;
const wallet = (id: string): SignInWay => ({ kind: 'wallet', id, addedAtMs: 0 });
const email = (name: string): SignInWay => ({ kind: 'email', id: name, email: `${name}@mail.example`, addedAtMs: 0 });

/** What a store of before there were several ways has of an account. */
function storeOfBefore() {
  const store = memoryStore();
  store.rows.put('own:account:a1', { id: 'a1', kind: 'payer', address: FIRST, createdAtMs: 5 });
  store.rows.put(`own:account-name:payer:${FIRST}`, 'a1');
  return store;
}

test('an account of before is that of its one wallet, and is left as it is until it gets another way', () => {
  const store = storeOfBefore();
  const accounts = createAccounts(store);
  expect(accounts.payer(FIRST)).toEqual({ id: 'a1', kind: 'payer', address: FIRST, createdAtMs: 5 });
  expect(accounts.ways('a1')).toEqual([{ kind: 'wallet', id: FIRST, addedAtMs: 5 }]);
  expect(store.rows.count('')).toBe(2);
  expect(accounts.addWay('a1', email('desk'))).toEqual({ ok: true });
  expect(accounts.enter(email('desk')).id).toBe('a1');
  expect(accounts.payer(FIRST).address).toBe(FIRST);
});

describe('P6: the account of a paying wallet', () => {
  test('is the one account that has it, whichever of its wallets it is', () => {
    const accounts = createAccounts(memoryStore());
    const { id } = accounts.enter(email('desk'));
    expect(accounts.identify(id)).toEqual({ addresses: [], email: 'desk@mail.example' });
    for (const address of [FIRST, SECOND]) expect(accounts.addWay(id, wallet(address))).toEqual({ ok: true });
    for (const address of [FIRST, SECOND])
      expect(accounts.payer(address.toUpperCase().replace('0X', '0x')).id).toBe(id);
    expect(accounts.identify(id)).toMatchObject({ address: FIRST, addresses: [FIRST, SECOND] });
  });

  test('is none for 40 days after the wallet was removed: neither a sign-in nor a payment leads to the account', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.payer(FIRST);
    accounts.addWay(id, makePasskey('k'));
    expect(accounts.removeWay(id, wallet(FIRST))).toEqual({ ok: true });
    expect(accounts.byId(id)?.address).toBeUndefined();
    expect(accounts.isShutOut(wallet(FIRST))).toBe(true);
    expect(() => accounts.payer(FIRST)).toThrow('opens no account');
    expect(() => accounts.visitor(FIRST)).toThrow('opens no account');
    expect(accounts.byWay(wallet(FIRST))).toBeUndefined();
    const other = accounts.enter(email('other'));
    expect(accounts.addWay(other.id, wallet(FIRST))).toEqual({ ok: false, reason: 'way_in_use' });
    store.advance(40 * DAY_MS);
    expect(accounts.isShutOut(wallet(FIRST))).toBe(false);
    expect(accounts.payer(FIRST).id).not.toBe(id);
    expect(accounts.byId(id)).toBeDefined();
  });

  test('takes its removed wallet back', () => {
    const accounts = createAccounts(memoryStore());
    const { id } = accounts.payer(FIRST);
    accounts.addWay(id, makePasskey('k'));
    accounts.removeWay(id, wallet(FIRST));
    expect(accounts.addWay(id, wallet(FIRST))).toEqual({ ok: true });
    expect(accounts.isShutOut(wallet(FIRST))).toBe(false);
    expect(accounts.identify(id).address).toBe(FIRST);
  });
});

describe('ways of an account', () => {
  test('the last one stays, absent ones are none, and 20 are enough', () => {
    const accounts = createAccounts(memoryStore());
    const { id } = accounts.enter(makePasskey('k0'));
    expect(accounts.removeWay(id, makePasskey('k0'))).toEqual({ ok: false, reason: 'last_way' });
    expect(accounts.removeWay(id, makePasskey('other'))).toEqual({ ok: false, reason: 'way_not_found' });
    for (let i = 1; i < MAX_WAYS; i += 1) expect(accounts.addWay(id, makePasskey(`k${i}`))).toEqual({ ok: true });
    expect(accounts.addWay(id, makePasskey('more'))).toEqual({ ok: false, reason: 'too_many_ways' });
    expect(accounts.removeWay(id, makePasskey('k0'))).toEqual({ ok: true });
    expect(accounts.byWay(makePasskey('k0'))).toBeUndefined();
    expect(accounts.enter(makePasskey('k0')).id).not.toBe(id);
  });

  test('of another account are not taken over, and equal e-mail merges nothing', () => {
    const accounts = createAccounts(memoryStore());
    const [one, other] = [accounts.enter(email('desk')), accounts.enter(makePasskey('k'))];
    expect(accounts.addWay(other.id, email('desk'))).toEqual({ ok: false, reason: 'way_in_use' });
    expect(accounts.addWay('unknown', makePasskey('new'))).toEqual({ ok: false, reason: 'way_in_use' });
    expect(accounts.enter(email('desk')).id).toBe(one.id);
  });

  test('an account that only signed in is forgotten with all its ways; one that is stored for good is not', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.enter(email('desk'));
    accounts.addWay(id, makePasskey('k'));
    store.advance(29 * DAY_MS);
    accounts.enter(makePasskey('k'));
    store.advance(29 * DAY_MS);
    expect(accounts.enter(email('desk')).id).toBe(id);
    expect(accounts.keep(id)).toBe(true);
    store.advance(1_000 * DAY_MS);
    expect(accounts.enter(makePasskey('k')).id).toBe(id);
    const visitor = accounts.enter(email('visitor'));
    store.advance(30 * DAY_MS);
    expect(accounts.keep(visitor.id)).toBe(false);
    expect(store.rows.count('own:account:')).toBe(1);
  });

  test('A1: whatever opens it, it is a payer’s, and holds no scope of operators', () => {
    const accounts = createAccounts(memoryStore());
    for (const way of [email('desk'), makePasskey('k'), wallet(FIRST)]) {
      const account = accounts.enter(way);
      expect(account.kind).toBe('payer');
      expect(['audit:run', 'credits:use'].map((scope) => accounts.mayHold(account, scope))).toEqual([true, true]);
      for (const scope of ['operator', 'ai-search', 'emulator', 'https://www.googleapis.com/auth/cloud-platform'])
        expect(accounts.mayHold(account, scope)).toBe(false);
    }
  });
});

describe('P16: a deleted account', () => {
  test('has no e-mail address and no passkey any more, at once, and keeps its number for its wallets', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.payer(FIRST);
    accounts.addWay(id, email('desk'));
    accounts.addWay(id, makePasskey('k'));
    accounts.letGo(id);
    expect(accounts.ways(id)).toEqual([expect.objectContaining({ kind: 'wallet', id: FIRST })]);
    expect(accounts.enter(email('desk')).id).not.toBe(id);
    expect(accounts.enter(makePasskey('k')).id).not.toBe(id);
    expect(accounts.visitor(FIRST).id).toBe(id);
  });

  test('without a wallet cannot be stored for good again, and ends', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.enter(email('desk'));
    accounts.keep(id);
    accounts.letGo(id);
    expect(accounts.keep(id)).toBe(false);
    expect(JSON.stringify(store.rows.list('', 100))).not.toContain('mail.example');
    store.advance(40 * DAY_MS);
    expect(store.rows.count('')).toBe(0);
  });

  test('is not opened again by a wallet that was removed before, although nothing else opens it', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.payer(FIRST);
    accounts.addWay(id, email('desk'));
    accounts.removeWay(id, wallet(FIRST));
    accounts.letGo(id);
    expect(accounts.isShutOut(wallet(FIRST))).toBe(true);
    expect(() => accounts.visitor(FIRST)).toThrow('opens no account');
    expect(accounts.identify(id).addresses).toEqual([]);
    store.advance(40 * DAY_MS);
    expect(accounts.visitor(FIRST).id).not.toBe(id);
  });
});

test('operators find an account of several wallets by each of them', () => {
  const store = memoryStore();
  const accounts = createAccounts(store);
  const { id } = accounts.payer(SECOND);
  accounts.addWay(id, wallet(FIRST));
  const found = listKeptPayers(store.rows, { search: '', limit: 10 }).payers;
  expect(found.map((payer) => [payer.id, payer.address])).toEqual([
    [id, FIRST],
    [id, SECOND],
  ]);
});

test.each([
  [' Desk@Mail.Example ', 'desk@mail.example'],
  ["o'hara+news@mail.example", "o'hara+news@mail.example"],
  ['a@b', undefined],
  ['a@mail.example\r\nBcc: b@mail.example', undefined],
  ['a@mail.example, b@mail.example', undefined],
  ['a..b@mail.example', undefined],
])('the e-mail address %j is read as %j', (given, expected) => {
  expect(normaliseEmail(given)).toBe(expected);
});

test.each([
  ['https://sightline.example', { origin: 'https://sightline.example', rpId: 'sightline.example' }],
  ['https://sightline.example:8443/', { origin: 'https://sightline.example:8443', rpId: 'sightline.example' }],
  ['http://localhost:8787', { origin: 'http://localhost:8787', rpId: 'localhost' }],
  ['http://sightline.example', undefined],
  ['http://127.0.0.1:8787', undefined],
  ['https://[::1]', undefined],
])('passkeys of %s belong to %j', (baseUrl, expected) => {
  expect(readPasskeyTerms(baseUrl)).toEqual(expected);
});
