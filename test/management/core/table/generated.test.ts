import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generate } from '../../../../scripts/generate-management.ts';
import { type SchemaField, requireMethod, methods } from '../../../../src/management/core/table/method-row.ts';
import { overlay } from '../../../../src/management/core/table/overlay-data.ts';
import { getSchemas } from '../../../../src/management/core/table/schemas.ts';

const committed = (name: string): string =>
  readFileSync(new URL(`../../../../src/management/core/table/${name}.generated.json`, import.meta.url), 'utf8');

test('the committed table is what the npm packages and the overlay make (npm run management)', () => {
  const made = generate();
  expect(made.methods).toBe(committed('methods'));
  expect(made.schemas).toBe(committed('schemas'));
});

const seedRows: readonly (readonly [name: string, count: number])[] = [
  ['directory', 114],
  ['reseller', 17],
  ['logging', 197],
  ['tracing', 7],
  ['quota', 42],
  ['tags', 1],
  ['mediation', 7],
  ['aisearch', 4],
  ['conventions', 1],
];
test.each(seedRows)('the seed documents name %s with %i rows', (name, count) => {
  expect(methods.filter((row) => row.inSeed && row.interface === name)).toHaveLength(count);
});

test('every row is whole: one of five verbs, its path parameters, schemas that are there, scopes with full addresses', () => {
  const lacking = methods.filter((row) => {
    const names = [...row.path.matchAll(/\{\+?([\w.]+)/g)].map(([, name]) => name).toSorted();
    const inPath = Object.keys(row.parameters).filter((name) => row.parameters[name]?.in === 'path');
    const schemas = getSchemas(row.interface, row.version);
    const named = [row.request, row.response].filter((name) => name !== undefined);
    return (
      !['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(row.httpMethod) ||
      names.join() !== inPath.toSorted().join() ||
      named.some((name) => !Object.hasOwn(schemas, name)) ||
      (row.scopes.length === 0 && row.interface !== 'conventions') ||
      row.scopes.some((scope) => !scope.startsWith('https://www.googleapis.com/auth/') && scope !== 'ai-search')
    );
  });
  expect(lacking.map(({ id }) => id)).toEqual([]);
});

test('every schema that a field names is there, and every method that a field is required by is a row', () => {
  const ids = new Set(methods.map(({ id }) => id));
  const places = [...new Set(methods.map((row) => `${row.interface}/${row.version}`))];
  const wrong = places.flatMap((place) => {
    const [name = '', version = ''] = place.split('/');
    const schemas = getSchemas(name, version);
    const refs = (field: SchemaField): string[] =>
      [field.ref ?? []].flat().concat(...[field.items, field.values].flatMap((inner) => (inner ? refs(inner) : [])));
    return Object.entries(schemas).flatMap(([schema, fields]) =>
      Object.entries(fields).flatMap(([field, row]) => [
        ...refs(row).flatMap((ref) => (Object.hasOwn(schemas, ref) ? [] : [`${schema}.${field}: ${ref}`])),
        ...(row.requiredBy ?? []).flatMap((id) => (ids.has(id) ? [] : [`${schema}.${field}: ${id}`])),
      ]),
    );
  });
  expect(wrong).toEqual([]);
});

test('the table knows what the package does not tell: limits, enums, formats, read-only and required fields', () => {
  expect(requireMethod('directory.users.list').parameters).toMatchObject({
    maxResults: { in: 'query', type: 'integer', format: 'int32', minimum: 1, maximum: 500, default: '100' },
    sortOrder: { enum: ['ASCENDING', 'DESCENDING'] },
  });
  const { User, Role, BuildingCoordinates } = getSchemas('directory', 'v1');
  expect(User?.['creationTime']).toEqual({ type: 'string', format: 'date-time', readOnly: true });
  expect(User?.['emails']).toEqual({ type: 'any' });
  expect(User?.['primaryEmail']).toEqual({ type: 'string', requiredBy: ['directory.users.insert'] });
  expect(Role?.['roleId']).toEqual({ type: 'string', format: 'int64' });
  expect(BuildingCoordinates?.['latitude']).toEqual({ type: 'number', format: 'double' });
});

test('texts that say true or false are marked: the two methods, and the second path of one, that list deleted users', () => {
  const marked = methods.flatMap(({ id, parameters }) =>
    Object.keys(parameters).flatMap((name) => (parameters[name]?.means === 'boolean' ? [`${id} ${name}`] : [])),
  );
  expect(marked).toEqual(['list', 'watch', 'watchSwapped'].map((method) => `directory.users.${method} showDeleted`));
});

test('PUT keeps what is not sent where the vendor says so, and nowhere else', () => {
  const patching = methods.filter((row) => row.put === 'patch').map(({ id }) => id);
  expect(patching).toEqual([
    ...['chromeosdevices', 'customers', 'groups', 'members', 'orgunits', 'resources.calendars', 'users'].map(
      (resource) => `directory.${resource}.update`,
    ),
    'groupsSettings.groups.update',
  ]);
  const reasons = Object.values(overlay)
    .flatMap((each) => Object.entries(each.methods ?? {}))
    .flatMap(([id, { putKeeps }]) => (putKeeps === undefined ? [] : [[id, Object.values(putKeeps).join('')] as const]));
  expect(reasons.map(([id]) => id).toSorted()).toEqual(patching);
  expect(reasons.filter(([, reason]) => reason.length < 20)).toEqual([]);
});

test('Drive shows four fields of a file unless asked, and its about, comments and replies nothing', () => {
  const rows = methods.filter((row) => row.fields !== undefined);
  expect(Object.fromEntries(rows.map(({ id, fields }) => [id, fields]))).toEqual({
    'drive.about.get': { required: true },
    'drive.comments.create': { required: true },
    'drive.comments.get': { required: true },
    'drive.comments.list': { required: true },
    'drive.files.create': { default: 'kind,id,name,mimeType' },
    'drive.files.get': { default: 'kind,id,name,mimeType' },
    'drive.files.list': { default: 'kind,nextPageToken,incompleteSearch,files(kind,id,name,mimeType)' },
    'drive.replies.create': { required: true },
    'drive.replies.get': { required: true },
    'drive.replies.list': { required: true },
  });
});

test('the content of a file of storage may be asked for, and of nothing else', () => {
  expect(methods.filter((row) => row.media === true).map(({ id }) => id)).toEqual(['storage.objects.get']);
});

test('the second path of watch is the first in all but its path', () => {
  const { id, path, ...swapped } = requireMethod('directory.users.watchSwapped');
  expect([id, path]).toEqual(['directory.users.watchSwapped', '/admin/directory/users/v1/watch']);
  expect(requireMethod('directory.users.watch')).toMatchObject(swapped);
});

test('an id that no row has is a bug of ours', () => {
  expect(() => requireMethod('directory.users.rename')).toThrow('No method directory.users.rename');
});

test('the seed documents name no interface that is not counted', () => {
  const counted = seedRows.reduce((all, [, count]) => all + count, 0);
  expect(methods.filter((row) => row.inSeed)).toHaveLength(counted);
});
