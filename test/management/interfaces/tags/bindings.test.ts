import { describe, expect, test } from 'vitest';
import { MAX_BINDINGS } from '../../../../src/management/interfaces/tags/rows.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { RESOURCE, tagged, text, TYPES } from './tagged.ts';

const ENCODED = '%2F%2Fcloudresourcemanager.googleapis.com%2Fprojects%2Flocal';

describe('tag bindings', () => {
  test('bind a value by name or by namespaced name, and are listed by their resource', () => {
    const { ok, key, value } = tagged();
    const [env, team] = [value(key()), value(key({ shortName: 'team' }), { shortName: 'core' })];
    const operation = ok('tagBindings.create', { body: { parent: RESOURCE, tagValue: env } });
    const binding = {
      name: `tagBindings/${ENCODED}/${env}`,
      parent: RESOURCE,
      tagValue: env,
      tagValueNamespacedName: 'local/env/prod',
    };
    expect(operation).toMatchObject({
      metadata: { '@type': `${TYPES}.CreateTagBindingMetadata` },
      done: true,
      response: { '@type': `${TYPES}.TagBinding`, ...binding },
    });
    ok('tagBindings.create', { body: { parent: RESOURCE, tagValueNamespacedName: 'local/team/core' } });
    const listed = ok('tagBindings.list', { query: { parent: RESOURCE } })['tagBindings'] as JsonObject[];
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(binding);
    expect(listed.map(({ tagValue }) => tagValue)).toContain(team);
    expect(ok('tagBindings.list', { query: { parent: `${RESOURCE}2` } })).toEqual({});
  });

  test('are deleted by the name of the value or of its key', () => {
    const { ok, key, value, bind } = tagged();
    const parent = key();
    const held = value(parent);
    for (const end of [held, parent]) {
      bind(held);
      expect(ok('tagBindings.delete', { path: { name: `tagBindings/${ENCODED}/${end}` } })).toMatchObject({
        metadata: { '@type': `${TYPES}.DeleteTagBindingMetadata` },
        done: true,
        response: { '@type': 'type.googleapis.com/google.protobuf.Empty' },
      });
      expect(ok('tagBindings.list', { query: { parent: RESOURCE } })).toEqual({});
    }
  });

  test('with validateOnly are judged and not made', () => {
    const { ok, key, value } = tagged();
    const body = { parent: RESOURCE, tagValue: value(key()) };
    expect(ok('tagBindings.create', { body, query: { validateOnly: true } })).toMatchObject({ done: true });
    expect(ok('tagBindings.list', { query: { parent: RESOURCE } })).toEqual({});
  });

  test('give a resource one value of a key', () => {
    const { key, value, bind, refused } = tagged();
    const parent = key();
    const [prod, dev] = [value(parent), value(parent, { shortName: 'dev' })];
    bind(prod);
    expect(refused('tagBindings.create', { body: { parent: RESOURCE, tagValue: prod } })).toBe(
      `409 duplicate: Resource already exists: tagBindings/${ENCODED}/${prod}`,
    );
    expect(refused('tagBindings.create', { body: { parent: RESOURCE, tagValue: dev } })).toMatch(
      /^400 failedPrecondition: A binding already exists /,
    );
    bind(dev, `${RESOURCE}2`);
  });

  test('K9: a resource has 50 at most', () => {
    const { key, value, bind, refused } = tagged();
    for (let at = 0; at < MAX_BINDINGS; at += 1) bind(value(key({ shortName: `key-${at}` })));
    const tagValue = value(key());
    expect(refused('tagBindings.create', { body: { parent: RESOURCE, tagValue } })).toBe(
      '429 quotaExceeded: A resource has at most 50 tags',
    );
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no parent', { parent: '' }, /^400 required: /],
    ['a parent that is no full name', { parent: 'projects/local' }, /^400 invalid: /],
    ['a parent of no service of the vendor', { parent: '//evil.test/projects/local' }, /^400 invalid: /],
    ['a parent that stands in nothing', { parent: '//storage.googleapis.com/bucket' }, /^400 invalid: /],
    ['a parent of 1,025 bytes', { parent: `${RESOURCE}/${'x'.repeat(1_024)}` }, /^400 invalid: /],
    ['no value', { tagValue: '' }, /^400 invalid: /],
    ['two values', { tagValueNamespacedName: 'local/env/prod' }, /^400 invalid: /],
    ['a value that is not there', { tagValue: 'tagValues/1' }, /^403 forbidden: /],
    ['a name that is not there', { tagValue: '', tagValueNamespacedName: 'local/env/x' }, /^403 forbidden: /],
  ])('are refused with %s', (_what, more, refusal) => {
    const { key, value, refused, ok } = tagged();
    const body = { parent: RESOURCE, tagValue: value(key()), ...more };
    expect(refused('tagBindings.create', { body })).toMatch(refusal);
    expect(ok('tagBindings.list', { query: { parent: RESOURCE } })).toEqual({});
  });

  test.each([
    ['no encoded resource', 'tagBindings/x/tagValues/1', /^400 invalid: /],
    ['an encoding that is none', 'tagBindings/%2F%2/tagValues/1', /^400 invalid: /],
    ['a value that is not there', `tagBindings/${ENCODED}/tagValues/1`, /^403 forbidden: /],
  ])('are not deleted by a name with %s', (_what, name, refusal) => {
    expect(tagged().refused('tagBindings.delete', { path: { name } })).toMatch(refusal);
  });

  test('that are not there answer 404, also where another value of the key is bound', () => {
    const { key, value, bind, refused, ok } = tagged();
    const parent = key();
    const [prod, dev] = [value(parent), value(parent, { shortName: 'dev' })];
    bind(prod);
    const name = `tagBindings/${ENCODED}/${dev}`;
    expect(refused('tagBindings.delete', { path: { name } })).toBe(`404 notFound: Resource not found: ${name}`);
    expect(ok('tagBindings.list', { query: { parent: RESOURCE } })['tagBindings']).toHaveLength(1);
  });
});

describe('tagValues.delete', () => {
  const method = 'tagValues.delete';

  test('deletes a value that is bound to nothing: a finished operation with the value as it was', () => {
    const { ok, refused, key, value } = tagged();
    const name = value(key());
    const before = ok('tagValues.get', { path: { name } });
    const operation = ok(method, { path: { name } });
    expect(operation).toEqual({
      name: operation['name'],
      metadata: { '@type': `${TYPES}.DeleteTagValueMetadata` },
      done: true,
      response: { '@type': `${TYPES}.TagValue`, ...before },
    });
    expect(refused('tagValues.get', { path: { name } })).toMatch(/^403 /);
    expect(refused(method, { path: { name } })).toMatch(/^403 /);
    expect(ok('operations.get', { path: { name: text(operation['name']) } })).toEqual(operation);
  });

  test('with validateOnly answers an operation and deletes nothing', () => {
    const { ok, key, value } = tagged();
    const name = value(key());
    const operation = ok(method, { path: { name }, query: { validateOnly: true } });
    expect(operation).toMatchObject({ done: true, response: { '@type': `${TYPES}.TagValue`, name } });
    expect(ok('tagValues.get', { path: { name } })).toMatchObject({ name });
  });

  test.each([{}, { validateOnly: true }])('of a bound value is refused until it is unbound: %j', (query) => {
    const { ok, refused, key, value, bind } = tagged();
    const name = value(key());
    const binding = text(bind(name)['name']);
    bind(name, `${RESOURCE}2`);
    const refusal = `400 failedPrecondition: Cannot delete ${name}: it is still bound to resources. Delete its tag bindings first.`;
    expect(refused(method, { path: { name }, query })).toBe(refusal);
    ok('tagBindings.delete', { path: { name: binding } });
    expect(refused(method, { path: { name }, query })).toBe(refusal);
    ok('tagBindings.delete', { path: { name: binding.replace('local', 'local2') } });
    expect(ok(method, { path: { name }, query })).toMatchObject({ done: true });
  });

  test('by another etag is refused, and by the present one done', () => {
    const { ok, refused, key, value } = tagged();
    const name = value(key());
    const { etag } = ok('tagValues.get', { path: { name } });
    ok('tagValues.patch', { path: { name }, body: { description: 'changed' } });
    const { etag: present } = ok('tagValues.get', { path: { name } });
    for (const query of [{ etag: text(etag) }, { etag: 'x' }, { etag: text(etag), validateOnly: true }])
      expect(refused(method, { path: { name }, query })).toBe(
        '409 conflict: The etag is not that of the resource: it was changed meanwhile',
      );
    expect(ok(method, { path: { name }, query: { etag: text(present) } })).toMatchObject({ done: true });
  });
});
