import { describe, expect, test } from 'vitest';
import { type Accounts, createAccounts } from '../../../src/authorization/people/accounts.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

const ADDRESS = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';

test('A3: an address has one account, in whatever case it is written, with a random id that says nothing', () => {
  const accounts = createAccounts(memoryStore());
  const account = accounts.payer(ADDRESS);
  expect(account).toMatchObject({ kind: 'payer', address: '0xabcdef0123456789abcdef0123456789abcdef01' });
  expect(account.id).toMatch(/^[0-9a-f]{32}$/);
  expect(accounts.payer(ADDRESS.toLowerCase())).toEqual(account);
  expect(accounts.payer('0x2222222222222222222222222222222222222222').id).not.toBe(account.id);
  expect(accounts.byId(account.id)).toEqual(account);
});

describe('an account that only signed in', () => {
  const DAY_MS = 86_400_000;

  test('is forgotten 30 days after its last sign-in, and leaves nothing', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.visitor(ADDRESS);
    store.advance(29 * DAY_MS);
    expect(accounts.visitor(ADDRESS.toLowerCase()).id).toBe(id);
    store.advance(29 * DAY_MS);
    expect(accounts.byId(id)?.id).toBe(id);
    store.advance(DAY_MS);
    expect(accounts.byId(id)).toBeUndefined();
    expect(store.rows.count('')).toBe(0);
    expect(accounts.visitor(ADDRESS).id).not.toBe(id);
  });

  type Deed = (accounts: Accounts, id: string) => unknown;
  test.each<[string, Deed]>([
    ['pays', (accounts) => accounts.payer(ADDRESS)],
    ['grants a client access', (accounts, id) => accounts.keep(id)],
  ])('is kept for good with the same id once it %s, whenever it signs in again', (_, deed) => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.visitor(ADDRESS);
    deed(accounts, id);
    expect(accounts.visitor(ADDRESS).id).toBe(id);
    store.advance(1_000 * DAY_MS);
    expect(accounts.visitor(ADDRESS).id).toBe(id);
    store.advance(1_000 * DAY_MS);
    expect(accounts.payer(ADDRESS).id).toBe(id);
    expect(accounts.byId(id)).toMatchObject({ kind: 'payer', address: ADDRESS.toLowerCase() });
  });

  test('of which nobody knows cannot be kept', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    accounts.keep('x');
    accounts.keep(accounts.operator().id);
    expect(store.rows.count('')).toBe(2);
  });
});

describe('P6: a deleted account', () => {
  const DAY_MS = 86_400_000;

  test('leaves nothing after 40 days, and keeps its number until then: a payment is credited once', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.payer(ADDRESS);
    accounts.letGo(id);
    store.advance(5 * DAY_MS);
    expect(accounts.visitor(ADDRESS).id).toBe(id);
    store.advance(34 * DAY_MS);
    expect(accounts.byId(id)?.id).toBe(id);
    store.advance(2 * DAY_MS);
    expect(accounts.byId(id)).toBeUndefined();
    expect(store.rows.count('')).toBe(0);
  });

  test('is kept for good again once its address pays for credits', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.payer(ADDRESS);
    accounts.letGo(id);
    expect(accounts.payer(ADDRESS).id).toBe(id);
    store.advance(100 * DAY_MS);
    expect(accounts.byId(id)?.id).toBe(id);
  });

  test('is never that of an operator', () => {
    const store = memoryStore();
    const accounts = createAccounts(store);
    const { id } = accounts.operator();
    accounts.letGo(id);
    store.advance(100 * DAY_MS);
    expect(accounts.byId(id)?.kind).toBe('operator');
  });
});

test('there is one operator, and nobody else is', () => {
  const accounts = createAccounts(memoryStore());
  const operator = accounts.operator();
  expect(accounts.operator()).toEqual(operator);
  expect(accounts.payer('operator').id).not.toBe(operator.id);
  expect(accounts.service('operator').id).not.toBe(operator.id);
});

test('an id that is none has no account', () => {
  const accounts = createAccounts(memoryStore());
  accounts.payer(ADDRESS);
  expect([accounts.byId(''), accounts.byId('x'), accounts.byId('../x')]).toEqual([undefined, undefined, undefined]);
});

describe('A1: the grant table', () => {
  test('is empty for a payer', () => {
    const accounts = createAccounts(memoryStore());
    expect(accounts.grants(accounts.payer(ADDRESS).id)).toEqual([]);
  });

  test('decides what a service may hold, and can take it back', () => {
    const accounts = createAccounts(memoryStore());
    const service = accounts.service('ci');
    expect(accounts.mayHold(service, 'audit:run')).toBe(false);
    accounts.setGrants(service.id, [{ scope: 'channels:read', tenant: '*' }]);
    expect(accounts.mayHold(service, 'channels:read')).toBe(true);
    accounts.setGrants(service.id, []);
    expect(accounts.mayHold(service, 'channels:read')).toBe(false);
  });

  test('holds at most 100 lines', () => {
    const accounts = createAccounts(memoryStore());
    const line = { scope: 'operator', tenant: '*' };
    expect(() =>
      accounts.setGrants(
        'x',
        Array.from({ length: 101 }, () => line),
      ),
    ).toThrow(RangeError);
    accounts.setGrants(
      'x',
      Array.from({ length: 100 }, () => line),
    );
  });

  test('goes with its account', () => {
    const accounts = createAccounts(memoryStore());
    const service = accounts.service('ci');
    accounts.setGrants(service.id, [{ scope: 'operator', tenant: '*' }]);
    accounts.remove('service:ci');
    accounts.remove('service:ci');
    expect([accounts.byId(service.id), accounts.grants(service.id)]).toEqual([undefined, []]);
  });
});
