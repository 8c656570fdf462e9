import { describe, expect, test } from 'vitest';
import { isTenantId, tenantBook } from '../../src/management/tenants.ts';
import { memorySqlite } from '../support/sqlite.ts';

const book = () => tenantBook(memorySqlite().sql);

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

  test('K9: a tenant has 10,000 at most; what it has stays its own', () => {
    const { tenant, claim } = book();
    tenant('C1', 'sandbox', 0);
    const claims = new Set(Array.from({ length: 10_000 }, (_, n) => claim('C1', `projects/p${n}`)));
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
