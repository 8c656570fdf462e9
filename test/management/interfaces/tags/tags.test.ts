import { describe, expect, test } from 'vitest';
import { MAX_TAG_OPERATIONS } from '../../../../src/management/interfaces/tags/rows.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { tagged, text, TYPES } from './tagged.ts';

describe('tag keys', () => {
  test('are created by a finished operation, and read by name, by namespaced name and in the list of their parent', () => {
    const { ok, tenant } = tagged();
    const operation = ok('tagKeys.create', {
      body: {
        parent: 'organizations/123',
        shortName: 'env',
        description: 'Where it runs',
        name: 'tagKeys/1',
        etag: 'x',
      },
    });
    const key = ok('tagKeys.getNamespaced', { query: { name: '123/env' } });
    expect(key).toEqual({
      name: key['name'],
      parent: 'organizations/123',
      shortName: 'env',
      namespacedName: '123/env',
      description: 'Where it runs',
      createTime: '2026-11-21T00:00:00.000Z',
      updateTime: '2026-11-21T00:00:00.000Z',
      etag: key['etag'],
    });
    expect(key['name']).toMatch(/^tagKeys\/\d{15}$/);
    expect(operation).toEqual({
      name: operation['name'],
      metadata: { '@type': `${TYPES}.CreateTagKeyMetadata` },
      done: true,
      response: { '@type': `${TYPES}.TagKey`, ...key },
    });
    expect(ok('operations.get', { path: { name: text(operation['name']) } })).toEqual(operation);
    expect(ok('tagKeys.get', { path: { name: text(key['name']) } })).toEqual(key);
    expect(ok('tagKeys.list', { query: { parent: 'organizations/123' } })).toEqual({ tagKeys: [key] });
    expect(ok('tagKeys.list', { query: { parent: 'projects/123' } })).toEqual({});
    expect(tenant.context('cloudresourcemanager.tagKeys.get').store.count('tags.keys', 'organizations/123')).toBe(1);
  });

  test('have a purpose that says what it needs', () => {
    const { key, ok } = tagged();
    const purposeData = { network: 'local/default' };
    const name = key({ purpose: 'GCE_FIREWALL', purposeData });
    expect(ok('tagKeys.get', { path: { name } })).toMatchObject({ purpose: 'GCE_FIREWALL', purposeData });
  });

  test.each<[string, JsonObject, string]>([
    ['no parent', { parent: '' }, 'Missing required field: parent'],
    ['a parent of another kind', { parent: 'folders/1' }, 'Invalid value for parent'],
    ['something below a project', { parent: 'projects/p/x' }, 'Invalid value for parent'],
    ['no short name', { shortName: '' }, 'Missing required field: shortName'],
    ['a short name of 257 characters', { shortName: 'x'.repeat(257) }, 'Invalid value for short_name'],
    ['a short name that begins with a dash', { shortName: '-x' }, 'Invalid value for short_name'],
    ['a short name with a slash', { shortName: 'a/b' }, 'Invalid value for short_name'],
    ['a description of 257 characters', { description: 'x'.repeat(257) }, 'Invalid value for description'],
    ['a purpose that there is not', { purpose: 'FUN' }, 'Invalid value for purpose'],
    ['a firewall without a network', { purpose: 'GCE_FIREWALL' }, 'Invalid value for purpose_data'],
    ['data without a purpose', { purposeData: { network: 'x' } }, 'Invalid value for purpose_data'],
    [
      'long data',
      { purpose: 'GCE_FIREWALL', purposeData: { network: 'x'.repeat(1_025) } },
      'Invalid value for purpose_data',
    ],
    ['free-form values', { allowedValuesRegex: '.*' }, 'Invalid value for allowed_values_regex'],
  ])('are refused with %s', (_what, more, message) => {
    const { refused, ok } = tagged();
    const body = { parent: 'projects/local', shortName: 'env', ...more };
    expect(refused('tagKeys.create', { body })).toMatch(/^400 (?:invalid|required): /);
    expect(refused('tagKeys.create', { body })).toContain(message);
    expect(ok('tagKeys.list', { query: { parent: 'projects/local' } })).toEqual({});
  });

  test('take one short name once below each parent', () => {
    const { key, refused } = tagged();
    key({ parent: 'organizations/1' });
    key({ parent: 'projects/1' });
    expect(refused('tagKeys.create', { body: { parent: 'projects/1', shortName: 'env' } })).toBe(
      "409 duplicate: A TagKey with short name 'env' already exists under parent 'projects/1'",
    );
  });

  test('with validateOnly are judged and not made', () => {
    const { ok, refused, key } = tagged();
    const body = { parent: 'projects/local', shortName: 'env' };
    const operation = ok('tagKeys.create', { body, query: { validateOnly: true } });
    expect(operation).toMatchObject({ done: true, response: { '@type': `${TYPES}.TagKey`, shortName: 'env' } });
    expect(operation['response']).not.toHaveProperty('name');
    expect(ok('tagKeys.list', { query: { parent: 'projects/local' } })).toEqual({});
    key();
    expect(refused('tagKeys.create', { body, query: { validateOnly: true } })).toMatch(/^409 duplicate: /);
  });

  test('are not deleted while they have values, and free their short name when they are', () => {
    const { ok, refused, key, value } = tagged();
    const name = key();
    const path = { name };
    const held = value(name);
    const { etag } = ok('tagKeys.get', { path });
    expect(refused('tagKeys.delete', { path })).toBe(
      `400 failedPrecondition: Cannot delete ${name}: it still has tag values. Delete them first.`,
    );
    ok('tagValues.delete', { path: { name: held } });
    expect(refused('tagKeys.delete', { path, query: { etag: 'other' } })).toMatch(/^409 conflict: /);
    expect(ok('tagKeys.delete', { path, query: { validateOnly: true } })).toMatchObject({ done: true });
    expect(ok('tagKeys.delete', { path, query: { etag: text(etag) } })).toMatchObject({
      metadata: { '@type': `${TYPES}.DeleteTagKeyMetadata` },
      response: { '@type': `${TYPES}.TagKey`, name },
    });
    expect(refused('tagKeys.get', { path })).toMatch(/^403 /);
    expect(key()).not.toBe(name);
  });
});

describe('an update', () => {
  test.each<[string, Record<string, string>, JsonObject, string | undefined]>([
    ['with a mask', { updateMask: 'description' }, { description: 'new' }, 'new'],
    ['in snake case and with the etag', { updateMask: 'description,etag' }, { description: 'new' }, 'new'],
    ['with a mask that clears', { updateMask: 'description' }, {}, undefined],
    ['without a mask', {}, { description: 'new', shortName: 'ignored' }, 'new'],
    ['of all', { updateMask: '*' }, { description: 'new', shortName: 'ignored' }, 'new'],
    ['of the etag only', { updateMask: 'etag' }, { description: 'new' }, 'old'],
  ])('%s changes the description and nothing else', (_what, query, body, description) => {
    const { ok, key, tenant } = tagged();
    const name = key({ description: 'old' });
    const before = ok('tagKeys.get', { path: { name } });
    tenant.later(1_000);
    const operation = ok('tagKeys.patch', { path: { name }, query, body });
    const after = ok('tagKeys.get', { path: { name } });
    expect(operation).toMatchObject({ done: true, response: { '@type': `${TYPES}.TagKey`, ...after } });
    expect(after['description']).toBe(description);
    expect(after['shortName']).toBe('env');
    expect(after['updateTime'] === before['updateTime']).toBe(description === 'old');
    expect(after['etag'] === before['etag']).toBe(description === 'old');
  });

  test('by an old etag is refused, and by the present one done', () => {
    const { ok, refused, key, value } = tagged();
    const name = value(key());
    const { etag } = ok('tagValues.get', { path: { name } });
    const patch = (description: string) => ({ path: { name }, body: { description, etag: text(etag) } });
    expect(ok('tagValues.patch', patch('one'))).toMatchObject({ response: { '@type': `${TYPES}.TagValue` } });
    expect(refused('tagValues.patch', patch('two'))).toBe(
      '409 conflict: The etag is not that of the resource: it was changed meanwhile',
    );
    expect(ok('tagValues.get', { path: { name } })['description']).toBe('one');
  });

  test.each([
    ['a mask with the short name', { updateMask: 'shortName' }, { shortName: 'x' }],
    ['a mask with a field that there is not', { updateMask: 'colour' }, {}],
    ['a long description', {}, { description: 'x'.repeat(257) }],
  ])('with %s is refused', (_what, query, body) => {
    const { refused, key } = tagged();
    expect(refused('tagKeys.patch', { path: { name: key() }, query, body })).toMatch(/^400 /);
  });

  test('with validateOnly shows what would be and changes nothing', () => {
    const { ok, key } = tagged();
    const name = key();
    const body = { description: 'new' };
    const operation = ok('tagKeys.patch', { path: { name }, query: { validateOnly: true }, body });
    expect(operation['response']).toMatchObject({ description: 'new' });
    expect(ok('tagKeys.get', { path: { name } })).not.toHaveProperty('description');
  });
});

describe('tag values', () => {
  test('are created below a key and read by name, by namespaced name and in its list', () => {
    const { ok, key } = tagged();
    const parent = key({ parent: 'projects/r2-d2' });
    const operation = ok('tagValues.create', { body: { parent, shortName: 'prod' } });
    const value = ok('tagValues.getNamespaced', { query: { name: 'r2-d2/env/prod' } });
    expect(value).toMatchObject({ parent, shortName: 'prod', namespacedName: 'r2-d2/env/prod' });
    expect(operation).toMatchObject({ done: true, response: { '@type': `${TYPES}.TagValue`, ...value } });
    expect(ok('tagValues.list', { query: { parent } })).toEqual({ tagValues: [value] });
    expect(ok('tagValues.list', { query: { parent: text(value['name']) } })).toEqual({});
  });

  test('take one short name once below each key', () => {
    const { key, value, refused } = tagged();
    const parent = key();
    value(parent);
    value(key({ shortName: 'team' }));
    expect(refused('tagValues.create', { body: { parent, shortName: 'prod' } })).toBe(
      `409 duplicate: A TagValue with short name 'prod' already exists under parent '${parent}'`,
    );
  });

  test.each([
    ['no parent', { parent: '' }, '400 required'],
    ['a parent that is no key', { parent: 'projects/local' }, '400 invalid'],
    ['a short name that is none', { shortName: 'a b' }, '400 invalid'],
  ])('are refused with %s', (_what, more, start) => {
    const { key, refused } = tagged();
    const body = { parent: key(), shortName: 'prod', ...more };
    expect(refused('tagValues.create', { body }).startsWith(start)).toBe(true);
  });

  test('are listed page by page', () => {
    const { key, value, ok } = tagged();
    const parent = key();
    const names = ['a', 'b', 'c'].map((shortName) => value(parent, { shortName })).toSorted();
    const found: unknown[] = [];
    let pageToken = '';
    do {
      const page = ok('tagValues.list', { query: { parent, pageSize: 2, pageToken } });
      found.push(...(page['tagValues'] as JsonObject[]).map(({ name }) => name));
      pageToken = text(page['nextPageToken'] ?? '');
    } while (pageToken !== '');
    expect(found).toEqual(names);
  });
});

describe('K1: what is not the tenant’s and what is not there are refused in the same words', () => {
  const denied = (name: string): string =>
    `403 forbidden: Permission denied on resource '${name}' (or it may not exist).`;

  test.each([
    ['tagKeys.get', { path: { name: 'tagKeys/1' } }, 'tagKeys/1'],
    ['tagKeys.patch', { path: { name: 'tagKeys/1' } }, 'tagKeys/1'],
    ['tagKeys.delete', { path: { name: 'tagKeys/1' } }, 'tagKeys/1'],
    ['tagKeys.getNamespaced', { query: { name: '1/env' } }, '1/env'],
    ['tagValues.get', { path: { name: 'tagValues/1' } }, 'tagValues/1'],
    ['tagValues.patch', { path: { name: 'tagValues/1' } }, 'tagValues/1'],
    ['tagValues.delete', { path: { name: 'tagValues/1' } }, 'tagValues/1'],
    ['tagValues.delete', { path: { name: 'tagValues/x' } }, 'tagValues/x'],
    ['tagValues.getNamespaced', { query: { name: '1/env/prod' } }, '1/env/prod'],
    ['tagValues.getNamespaced', { query: { name: 'env/prod' } }, 'env/prod'],
    ['tagValues.list', { query: { parent: 'tagKeys/1' } }, 'tagKeys/1'],
    ['tagValues.create', { body: { parent: 'tagKeys/1', shortName: 'prod' } }, 'tagKeys/1'],
  ])('%s of %j', (method, sent, name) => {
    expect(tagged().refused(method, sent)).toBe(denied(name));
  });

  test('a key is no value, and a value is no key', () => {
    const { key, value, refused } = tagged();
    const name = key();
    const asValue = name.replace('tagKeys', 'tagValues');
    expect(refused('tagValues.get', { path: { name: asValue } })).toBe(denied(asValue));
    expect(refused('tagValues.get', { path: { name } })).toBe(denied(name));
    const asKey = value(name);
    expect(refused('tagKeys.get', { path: { name: asKey } })).toBe(denied(asKey));
    expect(refused('tagKeys.getNamespaced', { query: { name: `${name}/prod` } })).toBe(denied(`${name}/prod`));
  });
});

test.each([
  ['tagKeys.list', '400 required: Missing required field: parent'],
  ['tagKeys.getNamespaced', '400 required: Missing required field: name'],
  ['tagValues.list', '400 required: Missing required field: parent'],
  ['tagValues.getNamespaced', '400 required: Missing required field: name'],
])('%s needs its parameter', (method, refusal) => {
  expect(tagged().refused(method, {})).toBe(refusal);
});

test('an operation that there was not answers 404, and only the last ones are kept', () => {
  const { ok, refused, key, tenant } = tagged();
  const path = { name: 'operations/none' };
  expect(refused('operations.get', { path })).toBe('404 notFound: Resource not found: operations/none');
  const name = key();
  const first = ok('tagKeys.patch', { path: { name }, body: { description: 'first' } });
  tenant.later(1);
  for (let at = 0; at < MAX_TAG_OPERATIONS - 1; at += 1) ok('tagKeys.patch', { path: { name }, body: {} });
  expect(ok('operations.get', { path: { name: text(first['name']) } })).toEqual(first);
  ok('tagKeys.patch', { path: { name }, body: {} });
  expect(refused('operations.get', { path: { name: text(first['name']) } })).toMatch(/^404 /);
});
