import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { FIELDS, searching } from '../made.ts';

const DOCS = { id: 'docs', custom_metadata: [...FIELDS] };
const path = { id: 'docs' };
const item = { id: 'docs', item_id: 'item-1' };
const job = { id: 'docs', job_id: 'job-1' };
/** As long as the address of a page may be. */
const PAGE = `https://example.com/${'x'.repeat(2_028)}`;
const INDEX = { next_action: 'INDEX' };
/** By the clock of the tenant, a sandbox. */
const NOW_MS = Date.UTC(2026, 10, 21);

type Row = [verb: string, sent: Parameters<ReturnType<typeof searching>['ok']>[1], order: JsonObject];

const rows: readonly Row[] = [
  ['stats', { path }, { do: 'stats' }],
  ['items.list', { path }, { do: 'items.list', page: 1, perPage: 20, sortBy: 'status' }],
  [
    'items.list',
    {
      path,
      query: {
        page: '2',
        per_page: '5',
        item_id: 'i',
        key: 'a.md',
        search: 'a',
        sort_by: 'modified_at',
        source: 'builtin',
        status: 'completed',
        metadata_filter: '{"folder":"reports/"}',
      },
    },
    {
      do: 'items.list',
      page: 2,
      perPage: 5,
      itemId: 'i',
      key: 'a.md',
      search: 'a',
      sortBy: 'modified_at',
      source: 'builtin',
      status: 'completed',
      filter: { match: 'all', conditions: [{ field: 'folder', type: 'text', op: 'eq', value: 'reports/' }] },
    },
  ],
  ['items.createOrUpdate', { path, body: { ...INDEX, key: 'a.md' } }, { do: 'items.index', key: 'a.md', waits: false }],
  [
    'items.createOrUpdate',
    { path, body: { ...INDEX, key: 'a.md', wait_for_completion: true } },
    { do: 'items.index', key: 'a.md', waits: true },
  ],
  ['items.createOrUpdate', { path, body: { ...INDEX, key: PAGE } }, { do: 'items.index', key: PAGE, waits: false }],
  [
    'items.list',
    { path, query: { key: PAGE } },
    { do: 'items.list', page: 1, perPage: 20, sortBy: 'status', key: PAGE },
  ],
  ['items.sync', { path: item, body: INDEX }, { do: 'items.index', itemId: 'item-1', waits: false }],
  ['items.get', { path: item }, { do: 'items.get', itemId: 'item-1' }],
  ['items.delete', { path: item }, { do: 'items.delete', itemId: 'item-1' }],
  ['items.download', { path: item }, { do: 'items.download', itemId: 'item-1' }],
  ['items.chunks', { path: item }, { do: 'items.chunks', itemId: 'item-1', limit: 20, offset: 0 }],
  [
    'items.chunks',
    { path: item, query: { limit: '500', offset: '3' } },
    { do: 'items.chunks', itemId: 'item-1', limit: 100, offset: 3 },
  ],
  ['items.logs', { path: item }, { do: 'items.logs', itemId: 'item-1', limit: 50, cursor: '' }],
  [
    'items.logs',
    { path: item, query: { limit: '1', cursor: 'c' } },
    { do: 'items.logs', itemId: 'item-1', limit: 1, cursor: 'c' },
  ],
  ['jobs.create', { path, body: {} }, { do: 'jobs.create', clockMs: NOW_MS }],
  [
    'jobs.create',
    { path, body: { description: 'By hand' } },
    { do: 'jobs.create', clockMs: NOW_MS, description: 'By hand' },
  ],
  ['jobs.list', { path, query: { page: '3' } }, { do: 'jobs.list', page: 3, perPage: 20 }],
  ['jobs.get', { path: job }, { do: 'jobs.get', jobId: 'job-1' }],
  ['jobs.update', { path: job, body: { action: 'cancel' } }, { do: 'jobs.cancel', jobId: 'job-1' }],
  ['jobs.logs', { path: job, query: { per_page: '500' } }, { do: 'jobs.logs', jobId: 'job-1', page: 1, perPage: 500 }],
];

test.each(rows)('%s of %j is handed to the instance, on both paths', (verb, sent, order) => {
  const { order: orderOf } = searching(DOCS);
  const whole = { ...order, instance: expect.objectContaining({ id: 'docs', namespace: 'default' }) };
  expect(orderOf(`aisearch.instances.${verb}`, sent)).toEqual(whole);
  const named = { ...sent, path: { ...sent?.path, name: 'default' } };
  expect(orderOf(`aisearch.namespaces.instances.${verb}`, named)).toEqual(whole);
});

test.each<[string, NonNullable<Row[1]>, string]>([
  ['items.list', { path, query: { page: '0' } }, 'page: '],
  ['items.list', { path, query: { sort_by: 'key' } }, 'sort_by: '],
  ['items.list', { path, query: { status: 'done' } }, 'status: '],
  ['items.list', { path, query: { metadata_filter: '{' } }, 'invalid_metadata_filter: '],
  ['items.list', { path, query: { metadata_filter: '[]' } }, 'invalid_metadata_filter: '],
  ['items.list', { path, query: { metadata_filter: '{"author":"x"}' } }, 'invalid_metadata_filter: '],
  ['items.list', { path, query: { metadata_filter: ' '.repeat(8_193) } }, 'metadata_filter: '],
  ['items.list', { path, query: { key: ['a', 'b'] } }, 'key: '],
  ['items.createOrUpdate', { path, body: { key: 'a.md' } }, 'next_action: '],
  ['items.createOrUpdate', { path, body: { ...INDEX } }, 'key: '],
  ['items.list', { path, query: { key: `${PAGE}x` } }, 'key: '],
  ['items.createOrUpdate', { path, body: { ...INDEX, key: `${PAGE}x` } }, 'filename_exceeds_maximum_length'],
  ['items.createOrUpdate', { path, body: { ...INDEX, key: 'a\nb' } }, 'key: '],
  ['items.createOrUpdate', { path, body: { ...INDEX, key: ' ' } }, 'key: '],
  ['items.createOrUpdate', { path, body: { ...INDEX, key: '\ud800' } }, 'key: '],
  ['items.sync', { path: item, body: { next_action: 'DELETE' } }, 'next_action: '],
  ['items.sync', { path: item, body: { ...INDEX, key: 'a.md' } }, 'Unrecognized key'],
  ['items.chunks', { path: item, query: { limit: '0' } }, 'limit: '],
  ['items.chunks', { path: item, query: { offset: '-1' } }, 'offset: '],
  ['items.logs', { path: item, query: { cursor: 'x'.repeat(1_025) } }, 'cursor: '],
  ['jobs.create', { path, body: { description: 'x'.repeat(257) } }, 'description: '],
  ['jobs.update', { path: job, body: { action: 'pause' } }, 'action: '],
  ['jobs.update', { path: job, body: {} }, 'action: '],
])('%s of %j is refused, and nothing is handed on', (verb, sent, why) => {
  const { refused, tenant } = searching(DOCS);
  tenant.searches.length = 0;
  expect(refused(`aisearch.instances.${verb}`, sent)).toContain(`400 invalid: ${why}`);
  expect(tenant.searches).toEqual([]);
});

describe('an upload', () => {
  const UPLOAD = 'aisearch.instances.items.upload';

  const notFilterable = (field: string) => ({ code: 'custom_metadata_field_not_filterable', field });
  test.each<[JsonObject, JsonObject]>([
    [{}, { metadata: {}, warnings: [], waits: false }],
    [
      { wait_for_completion: 'true', metadata: '' },
      { metadata: {}, waits: true },
    ],
    [
      { wait_for_completion: false, metadata: '{"Category":"x"}' },
      { metadata: { category: 'x' }, waits: false },
    ],
    [
      { metadata: { category: 'x'.repeat(501), version: '2.5', public: 'Yes', published: '2025-01-01' } },
      {
        metadata: { category: 'x'.repeat(500), version: 2.5, public: true, published: '2025-01-01T00:00:00.000Z' },
        waits: false,
      },
    ],
    [
      { metadata: { public: 0, Author: 'me', rank: 1 } },
      {
        metadata: { public: false, author: 'me', rank: 1 },
        warnings: [notFilterable('author'), notFilterable('rank')],
        waits: false,
      },
    ],
    [{ metadata: { author: null } }, { metadata: {}, warnings: [notFilterable('author')] }],
  ])('with %j is handed on', (sent, expected) => {
    const { order } = searching(DOCS);
    expect(order(UPLOAD, { path, body: { key: 'docs/a.md', ...sent } })).toEqual({
      do: 'upload',
      key: 'docs/a.md',
      instance: expect.objectContaining({ id: 'docs' }),
      warnings: [],
      waits: false,
      ...expected,
    });
  });

  test.each<[unknown, number]>([
    ['100', 100],
    ['-3.14', -3.14],
    ['+2', 2],
    ['1e3', 1_000],
    ['.5', 0.5],
    [' 5 ', 5],
    [7.25, 7.25],
  ])('of the number %j keeps %s', (version, expected) => {
    const order = searching(DOCS).order(UPLOAD, { path, body: { key: 'a.md', metadata: JSON.stringify({ version }) } });
    expect(order).toMatchObject({ metadata: { version: expected }, warnings: [] });
  });

  test.each<[string, string, unknown]>([
    ['category', 'text', 5],
    ['category', 'text', null],
    ['category', 'text', ['x']],
    ['version', 'number', 'notanumber'],
    ['version', 'number', '5 or so'],
    ['version', 'number', '0x10'],
    ['version', 'number', '1e999'],
    ['version', 'number', ''],
    ['version', 'number', true],
    ['public', 'boolean', 'maybe'],
    ['published', 'datetime', 'yesterday'],
    ['published', 'datetime', { year: 2_025 }],
  ])('whose %s is no %s but %j is taken without it, and warns', (field, type, value) => {
    const metadata = JSON.stringify({ [field.toUpperCase()]: value, author: 'me' });
    expect(searching(DOCS).order(UPLOAD, { path, body: { key: 'a.md', metadata } })).toMatchObject({
      metadata: { author: 'me' },
      warnings: [{ code: 'custom_metadata_value_not_indexed', expected_type: type, field }, notFilterable('author')],
    });
  });

  test.each<[JsonObject, string]>([
    [{ key: '' }, 'key: '],
    [{ key: 'x'.repeat(129) }, 'filename_exceeds_maximum_length'],
    [{ metadata: '{' }, 'invalid_metadata_format'],
    [{ metadata: '[]' }, 'invalid_metadata_format'],
    [{ metadata: 7 }, 'invalid_metadata_format'],
    [{ metadata: { author: { name: 'x' } } }, 'invalid_metadata_format'],
    [{ metadata: '{"__proto__":"x"}' }, 'invalid_metadata_format'],
    [{ metadata: { Folder: 'x' } }, 'metadata: filename, folder and timestamp are reserved'],
    [{ metadata: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 } }, 'metadata: at most 5 fields'],
    [{ wait_for_completion: 'yes' }, 'wait_for_completion: '],
    [{ file: 'x' }, 'Unrecognized key'],
  ])('with %j is refused', (sent, why) => {
    const { refused } = searching(DOCS);
    expect(refused(UPLOAD, { path, body: { key: 'a.md', ...sent } })).toContain(`400 invalid: ${why}`);
  });

  test('to a paused instance is refused', () => {
    const { refused } = searching({ id: 'docs', paused: true });
    expect(refused(UPLOAD, { path, body: { key: 'a.md' } })).toBe('400 invalid: ai_search_is_paused');
  });
});
