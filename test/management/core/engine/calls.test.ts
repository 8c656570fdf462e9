import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { execute, MAX_TENANT_BYTES } from '../../../../src/management/core/engine/execute.ts';
import type { Call, QueryValue } from '../../../../src/management/core/engine/operation.ts';
import { createPageTokens } from '../../../../src/management/core/engine/page-token.ts';
import { Refusal } from '../../../../src/lib/refusal.ts';
import { CALLER, type TestTenant, testTenant } from '../../../support/management/management.ts';

const building = (id: string) => ({ path: { customer: 'my_customer', buildingId: id } });
const insert = (tenant: TestTenant, buildingId: string) =>
  tenant.ok('directory.resources.buildings.insert', {
    path: { customer: 'my_customer' },
    body: { buildingId, buildingName: `Building ${buildingId}`, floorNames: ['1'] },
  });
const textIn = (value: unknown): string => String(value);
const get = 'directory.resources.buildings.get';
const patch = 'directory.resources.buildings.patch';

describe('entity tags', () => {
  test('are different for each resource and change with each write', () => {
    const tenant = testTenant();
    const tags = [insert(tenant, 'a')['etag'], insert(tenant, 'b')['etag']];
    for (const buildingName of ['x', 'y', 'z'])
      tags.push(tenant.ok(patch, { ...building('a'), body: { buildingName } })['etag']);
    expect(new Set(tags).size).toBe(5);
    expect(tags.at(-1)).toMatch(/^"[0-9a-f]{16}\/[0-9a-z]+\.[0-9a-z]+"$/);
    expect(tenant.ok(get, building('a'))['etag']).toBe(tags.at(-1));
  });

  test('show nothing of the salt that page tokens are sealed with', () => {
    const tenant = testTenant();
    expect(textIn(insert(tenant, 'a')['etag'])).not.toContain(tenant.engine.salt.slice(0, 4));
  });

  test('are not used again after the resource was deleted and made anew', () => {
    const tenant = testTenant();
    const first = insert(tenant, 'a')['etag'];
    tenant.ok('directory.resources.buildings.delete', building('a'));
    expect(insert(tenant, 'a')['etag']).not.toBe(first);
  });

  test('answer 304 to a reader who has that version, and the resource to any other', () => {
    const tenant = testTenant();
    const etag = textIn(insert(tenant, 'a')['etag']);
    expect(tenant.call(get, { ...building('a'), ifNoneMatch: `"other", W/${etag}` })).toEqual({
      ok: true,
      status: 304,
      etag,
    });
    expect(tenant.call(get, { ...building('a'), ifNoneMatch: '*' })).toMatchObject({ status: 304 });
    expect(tenant.call(get, { ...building('a'), ifNoneMatch: '"other"' })).toMatchObject({ status: 200, etag });
    const changed = tenant.call(patch, { ...building('a'), body: { description: 'x' }, ifNoneMatch: etag });
    expect(changed).toMatchObject({ status: 200 });
  });

  test.each(['patch', 'update', 'delete'])(
    'K9: %s of another version than If-Match names is refused and changes nothing',
    (verb) => {
      const tenant = testTenant();
      const etag = textIn(insert(tenant, 'a')['etag']);
      const sent = {
        ...building('a'),
        body: verb === 'delete' ? {} : { buildingId: 'a', buildingName: 'New', floorNames: ['1'] },
      };
      const method = `directory.resources.buildings.${verb}`;
      expect(tenant.refused(method, { ...sent, ifMatch: '"old"' })).toBe(
        '412 conditionNotMet: Precondition Failed: the resource was changed meanwhile',
      );
      expect(tenant.ok(get, building('a'))).toMatchObject({ etag, buildingName: 'Building a' });
      expect(tenant.call(method, { ...sent, ifMatch: etag })).toMatchObject({ ok: true });
    },
  );

  test('in a body stand for the version that the writer saw', () => {
    const tenant = testTenant();
    const etag = textIn(insert(tenant, 'a')['etag']);
    const stale = { ...building('a'), body: { etag: '"old"', buildingName: 'New' } };
    expect(tenant.refused(patch, stale)).toMatch(/^412 conditionNotMet/);
    expect(tenant.ok(patch, { ...building('a'), body: { etag, buildingName: 'New' } })).toMatchObject({
      buildingName: 'New',
    });
  });

  test('of a list change when a resource of the page is changed, added or deleted, and only then', () => {
    const tenant = testTenant();
    for (const id of ['a', 'b', 'c']) insert(tenant, id);
    const listTag = () =>
      tenant.ok('directory.resources.buildings.list', { path: { customer: 'my_customer' } })['etag'];
    const tags = [listTag()];
    expect(listTag()).toBe(tags[0]);
    tenant.ok(patch, { ...building('a'), body: { description: 'x' } });
    tags.push(listTag());
    tenant.ok('directory.resources.buildings.delete', building('b'));
    tags.push(listTag());
    insert(tenant, 'd');
    tags.push(listTag());
    expect(new Set(tags).size).toBe(4);
  });
});

describe('a refused write', () => {
  test('leaves the resource as it was, with its etag', () => {
    const tenant = testTenant();
    const before = insert(tenant, 'a');
    const body = { buildingName: 'x'.repeat(1_900_001) };
    expect(tenant.refused(patch, { ...building('a'), body })).toMatch(/^(400|403) /);
    expect(tenant.ok(get, building('a'))).toEqual(before);
  });

  test('takes back what its handler had written before', () => {
    const tenant = testTenant();
    const handlers = {
      [patch]: (_: Call, { store }: { store: typeof tenant.engine.store }) => {
        store.insert({ collection: 'directory.buildings', parent: '', id: 'half', body: {} });
        throw new Refusal({ status: 400, word: 'INVALID_ARGUMENT', reason: 'invalid', message: 'Too late' });
      },
    };
    const call = { method: patch, path: {}, query: {}, body: {}, caller: CALLER };
    expect(execute(call, { ...tenant.engine, handlers })).toMatchObject({
      ok: false,
      refusal: { message: 'Too late' },
    });
    expect(tenant.engine.store.get('directory.buildings', '', 'half')).toBeUndefined();
  });
});

describe('limits of a call', () => {
  test('K9: more than 5,000 SQL statements are refused and taken back', () => {
    const tenant = testTenant();
    const handlers = {
      [patch]: (_: Call, { store }: { store: typeof tenant.engine.store }) => {
        for (let n = 0; n < 5_000; n += 1) store.insert({ collection: 'c', parent: '', id: `${n}`, body: {} });
        return {};
      },
    };
    const call = { method: patch, path: {}, query: {}, body: {}, caller: CALLER };
    expect(execute(call, { ...tenant.engine, handlers })).toMatchObject({
      ok: false,
      refusal: { status: 403, reason: 'limitExceeded', message: 'The request is too large' },
    });
    expect(tenant.engine.store.count('c', '')).toBe(0);
  });

  test('K9: a tenant that keeps 1 GiB takes no more, but reads and deletes', () => {
    const tenant = testTenant();
    insert(tenant, 'a');
    const full = { ...tenant.engine, databaseBytes: () => MAX_TENANT_BYTES };
    const call = { path: { customer: 'my_customer', buildingId: 'a' }, query: {}, body: {}, caller: CALLER };
    expect(execute({ ...call, method: patch }, full)).toMatchObject({
      ok: false,
      refusal: { status: 403, reason: 'quotaExceeded' },
    });
    expect(execute({ ...call, method: get }, full)).toMatchObject({ ok: true, status: 200 });
    expect(execute({ ...call, method: 'directory.resources.buildings.delete' }, full)).toMatchObject({ ok: true });
    expect(MAX_TENANT_BYTES).toBe(1_073_741_824);
  });

  test('K9: a path with an id over 1,024 bytes is refused before anything is looked up', () => {
    const tenant = testTenant();
    const before = tenant.engine.store.statements();
    expect(tenant.refused(get, building('x'.repeat(10_000)))).toBe('400 invalid: Invalid Input: buildingId');
    expect(tenant.engine.store.statements()).toBe(before);
  });

  test('a method that nothing serves is a bug', () => {
    const call = { method: get, path: {}, query: {}, body: {}, caller: CALLER };
    expect(() => execute(call, { ...testTenant().engine, handlers: {} })).toThrow(`No handler of ${get}`);
  });
});

describe('page tokens', () => {
  const LIST = 'directory.groups.list';
  const callOf = (
    over: { method?: string; query?: Record<string, QueryValue>; path?: Record<string, string> } = {},
  ): Call => ({
    method: LIST,
    path: {},
    query: { customer: 'my_customer' },
    body: {},
    caller: CALLER,
    ...over,
  });
  const DAY_MS = 86_400_000;
  const cursor = { sort: 'a@example.com', id: '1' };
  const sealed = createPageTokens(callOf(), 'C1', 'secret', 0).seal(cursor);
  const opened = (token: string, call = callOf(), tenant = 'C1', secret = 'secret', nowMs = 0) =>
    createPageTokens({ ...call, query: { ...call.query, pageToken: token } }, tenant, secret, nowMs).open();

  test('open to the place where they were sealed, also with another page size', () => {
    expect(opened(sealed)).toEqual(cursor);
    expect(opened(sealed, callOf({ query: { customer: 'my_customer', maxResults: 7 } }))).toEqual(cursor);
    expect(opened(sealed, callOf(), 'C1', 'secret', 3 * DAY_MS)).toEqual(cursor);
  });

  test.each([
    ['tenant', () => opened(sealed, callOf(), 'C2')],
    ['salt', () => opened(sealed, callOf(), 'C1', 'other')],
    ['method', () => opened(sealed, callOf({ method: 'directory.users.list' }))],
    ['query', () => opened(sealed, callOf({ query: { customer: 'my_customer', orderBy: 'email' } }))],
    ['path', () => opened(sealed, callOf({ path: { groupKey: 'g' } }))],
    ['time', () => opened(sealed, callOf(), 'C1', 'secret', 3 * DAY_MS + 1)],
  ])('K9: of another %s are refused', (_, open) => {
    expect(open).toThrow('Invalid Input: pageToken');
  });

  test.each([
    'x',
    '.',
    '..',
    'a.b',
    `${sealed}.`,
    `${sealed}x`,
    `x${sealed}`,
    sealed.replace('.', ''),
    '%%%.@@@',
    '🙂.🙂',
    'A'.repeat(100_000),
  ])('K9: %.20s is refused', (token) => {
    expect(() => opened(token)).toThrow('Invalid Input: pageToken');
  });

  test('K9: a token with any one character changed is refused', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      expect(() => opened(changed)).toThrow('Invalid Input: pageToken');
    }
  });

  test('K9: no text at all does anything but being refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.base64String({ minLength: 4 })), (token) => {
        expect(() => opened(token)).toThrow(Refusal);
      }),
    );
  });

  test('K9: cursors of any two keys open again', () => {
    const key = fc.oneof(fc.string(), fc.constant('\u0000'.repeat(1_024)), fc.constant('é'.repeat(512)));
    fc.assert(
      fc.property(key, key, (sort, id) => {
        const token = createPageTokens(callOf(), 'C1', 'secret', 0).seal({ sort, id });
        expect(token).toMatch(/^[\w.-]+$/);
        expect(opened(token)).toEqual({ sort, id });
      }),
    );
  });

  test('K9: a list refuses the token of another list with the name of the parameter', () => {
    const tenant = testTenant();
    expect(tenant.refused(LIST, { query: { customer: 'my_customer', pageToken: sealed } })).toBe(
      '400 invalid: Invalid Input: pageToken',
    );
  });
});
