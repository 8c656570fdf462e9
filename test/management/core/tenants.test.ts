import { describe, expect, test } from 'vitest';
import { isTenantId, createTenantBook } from '../../../src/management/core/tenants.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

const book = () => createTenantBook(memorySqlite().sql);

describe('K2: the mode of a tenant', () => {
  test('is the one it was made with, for ever', () => {
    const { tenant } = book();
    expect(tenant('C00000001', 'sandbox', 0)).toEqual({ id: 'C00000001', mode: 'sandbox', domain: 'example.com' });
    expect(tenant('C00000001', 'live', 0)).toMatchObject({ mode: 'sandbox' });
    expect(tenant('C0000live', 'live', 0)).toEqual({ id: 'C0000live', mode: 'live', domain: 'c0000live.example.com' });
    expect(tenant('C0000live', 'sandbox', 0)).toMatchObject({ mode: 'live' });
  });
});

describe('K1: a container', () => {
  test('belongs to the tenant that used it first', () => {
    const { tenant, claim } = book();
    tenant('C1', 'sandbox', 0);
    tenant('C2', 'sandbox', 0);
    expect([claim('C1', 'projects/p'), claim('C2', 'projects/p'), claim('C1', 'projects/p')]).toEqual([
      'own',
      'foreign',
      'own',
    ]);
    expect(claim('C2', 'folders/p')).toBe('own');
  });

  test('is owned by who claimed it, and asking makes it nobody’s', () => {
    const { tenant, claim, owns } = book();
    for (const id of ['C1', 'C2']) tenant(id, 'sandbox', 0);
    expect([owns('C1', 'projects/p'), claim('C2', 'projects/p')]).toEqual([false, 'own']);
    expect([owns('C1', 'projects/p'), owns('C2', 'projects/p')]).toEqual([false, true]);
  });

  test('cannot be claimed by a tenant that is not there', () => {
    expect(book().claim('C9', 'projects/p')).toBe('foreign');
  });

  test.each([
    '',
    'projects',
    'projects/',
    '/p',
    'projects/p/q',
    'projects/a b',
    "projects/';--",
    `projects/${'x'.repeat(129)}`,
    '../x',
  ])('K9: has no name %j', (name) => {
    const { tenant, claim } = book();
    tenant('C1', 'sandbox', 0);
    expect(claim('C1', name)).toBe('foreign');
  });

  test('B11.7: a name of before stays whose it is', () => {
    const { sql } = memorySqlite();
    const { tenant, claim, owns } = createTenantBook(sql);
    const names = ['projects/LOCAL', 'projects/p', 'accounts/acme'];
    for (const id of ['C1', 'C2']) tenant(id, 'live', 0);
    for (const name of names) sql.exec('INSERT INTO container VALUES (?, ?)', name, 'C1');
    for (const name of names)
      expect([claim('C1', name), claim('C2', name), owns('C1', name)]).toEqual(['own', 'foreign', true]);
  });

  test.each([
    'projects/LOCAL',
    'projects/local.',
    'projects/Local-1',
    'projects/local-',
    'projects/-local',
    'projects/lo_cal',
    'projects/l\u043ecal',
    'projects/local:x',
    'projects/~local',
    'folders/LOCAL',
    'folders/01.',
    'organizations/Acme',
    'accounts/PUB-7',
    'accounts/pub-7.',
    'datasets/mine',
  ])('B11.7: %j is given to nobody, sandbox or not', (name) => {
    const { tenant, claim } = book();
    tenant('C1', 'sandbox', 0);
    tenant('C2', 'live', 0);
    expect([claim('C1', name), claim('C2', name)]).toEqual(['foreign', 'foreign']);
  });

  test.each([
    ['projects/my-project', 'projects/mine'],
    ['projects/abcdef', 'projects/abcde'],
    [`projects/a${'b'.repeat(29)}`, `projects/a${'b'.repeat(30)}`],
    ['projects/123456789012', 'projects/1st-project'],
    ['folders/4567', 'folders/mine'],
    ['organizations/1', 'organizations/0'],
    ['billingAccounts/0A0A0A-0B0B0B-0C0C0C', 'billingAccounts/0a0a0a-0b0b0b-0c0c0c'],
    ['accounts/pub-1234567890123456', 'accounts/pub-x'],
    [`accounts/${'0f'.repeat(16)}`, 'accounts/acme'],
  ])('B11.7: a live tenant gets %s, as its vendor forms it, and not %s, which a sandbox may have', (good, other) => {
    const { tenant, claim } = book();
    tenant('C1', 'live', 0);
    tenant('C2', 'sandbox', 0);
    expect([claim('C1', good), claim('C1', other), claim('C2', other)]).toEqual(['own', 'foreign', 'own']);
  });

  test('B11.7: a name that the settings reserve for a tenant is given as it is, and to nobody else', () => {
    const { tenant, claim } = book();
    for (const id of ['C1', 'C2']) tenant(id, 'live', 0);
    expect(claim('C1', 'projects/local')).toBe('foreign');
    expect(claim('C1', 'projects/local', true)).toBe('own');
    expect(claim('C2', 'projects/local')).toBe('foreign');
  });

  test('K9, B11.7: a tenant has 1,000 at most; what it has stays its own', () => {
    const { tenant, claim } = book();
    tenant('C1', 'sandbox', 0);
    const claims = new Set(Array.from({ length: 1_000 }, (_, n) => claim('C1', `projects/p${n}`)));
    expect([...claims]).toEqual(['own']);
    expect(claim('C1', 'projects/more')).toBe('foreign');
    expect(claim('C1', 'projects/p0')).toBe('own');
  });
});

test.each(['', 'c1', 'C', 'C1/2', 'C-1', `C${'1'.repeat(32)}`, 'my_customer', 'tenants', "C1'--", 'C1\n'])(
  'K9: %j is no id of a tenant, and makes none',
  (id) => {
    expect(isTenantId(id)).toBe(false);
    expect(() => book().tenant(id, 'sandbox', 0)).toThrow('Not an id of a tenant');
  },
);
