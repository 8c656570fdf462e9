import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { tokenFor } from '../../../support/workers/control-tokens.ts';
import { type Envelope, searchRefusal, searchResult } from '../../../support/management/search-envelope.ts';
import { call, json } from '../world.ts';

const ACCOUNT = '/client/v4/accounts/acme';
const FAMILIES = [
  ['flat', `${ACCOUNT}/ai-search/instances`],
  ['namespaced', `${ACCOUNT}/ai-search/namespaces/default/instances`],
] as const;
const [[, FLAT]] = FAMILIES;
const RETURNS = '# Returns\n\nGoods may be sent back within thirty days.\n';
const HOURS = '# Hours\n\nThe shop opens at nine.\n';

// The Worker knows tenants and accounts from one test to the next, their registry does not.
beforeEach(async () => {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  for (const tenant of ['C00000001', 'C0000000x']) await registry.tenant(tenant, 'sandbox');
  await registry.claim('C00000001', 'accounts/acme');
});

const searchObjects = async (): Promise<number> => (await listDurableObjectIds(env.SEARCH_INSTANCE)).length;

/** Sends a file as the vendor's client does. */
function upload(
  path: string,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
) {
  const form = new FormData();
  form.set('file', new File([content], name));
  for (const [field, value] of Object.entries({ wait_for_completion: 'true', ...fields })) form.set(field, value);
  const sent = new Request('http://form.example', { method: 'POST', body: form });
  return sent.arrayBuffer().then((bytes) =>
    call(path, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    }),
  );
}

type Item = { id: string; key: string; status: string; chunks_count: number };
type Searched = { chunks: { text: string; score: number; item: { key: string }; instance_id?: string }[] };

const create = (id: string, body: object = {}, base: string = FLAT): Promise<{ id: string }> =>
  searchResult(call(base, { method: 'POST', body: { id, ...body } }));

describe.each(FAMILIES)('the %s paths', (_family, base) => {
  test('make an instance, take a file, find it, hand it back and let it go', async () => {
    const other = FAMILIES.find(([, path]) => path !== base)?.[1] ?? '';
    await create('docs', {}, base);
    expect(await searchResult(call(`${other}/docs`))).toMatchObject({ id: 'docs', namespace: 'default' });
    const item = await searchResult<Item>(upload(`${base}/docs/items`, 'returns.md', RETURNS));
    expect(item).toMatchObject({ key: 'returns.md', status: 'completed', chunks_count: 1 });
    await upload(`${base}/docs/items`, 'hours.md', HOURS);

    const body = { query: 'send goods back' };
    const { chunks } = await searchResult<Searched>(call(`${base}/docs/search`, { method: 'POST', body }));
    expect(chunks.map((chunk) => chunk.item.key)).toEqual(['returns.md']);
    expect(chunks[0]?.text).toContain('thirty days');
    expect(chunks[0]).not.toHaveProperty('instance_id');

    const raw = await call(`${base}/docs/items/${item.id}/download`);
    expect([raw.status, await raw.text()]).toEqual([200, RETURNS]);
    expect(raw.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(raw.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''returns.md");
    expect(raw.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(raw.headers.get('x-content-type-options')).toBe('nosniff');

    expect(await searchResult(call(`${base}/docs/items/${item.id}`, { method: 'DELETE' }))).toMatchObject({
      key: 'returns.md',
    });
    expect(await searchRefusal(call(`${base}/docs/items/${item.id}`))).toMatch(/^404 7041: /);
    await searchResult(call(`${base}/docs`, { method: 'DELETE' }));
    expect(await searchRefusal(call(`${base}/docs`))).toBe('404 7002: ai_search_not_found');
    expect(await searchRefusal(call(`${base}/docs/search`, { method: 'POST', body }))).toBe(
      '404 7002: ai_search_not_found',
    );
  });

  test('list page by page until one is empty, as the vendor’s client asks', async () => {
    await create('docs', {}, base);
    for (const name of ['a.md', 'b.md', 'c.md']) await upload(`${base}/docs/items`, name, HOURS);
    const pages: unknown[] = [];
    for (const page of [1, 2, 3]) {
      const answer = await json<Envelope<Item[]>>(call(`${base}/docs/items?page=${page}&per_page=2`));
      pages.push([answer.result.length, answer.result_info]);
    }
    expect(pages).toEqual([
      [2, { page: 1, per_page: 2, count: 2, total_count: 3 }],
      [1, { page: 2, per_page: 2, count: 1, total_count: 3 }],
      [0, { page: 3, per_page: 2, count: 0, total_count: 3 }],
    ]);
  });
});

test('HEAD is GET without a body', async () => {
  await create('docs');
  const answer = await call(`${FLAT}/docs`, { method: 'HEAD' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test('instances of a namespace are searched together', async () => {
  for (const id of ['one', 'two']) {
    await create(id);
    await upload(`${FLAT}/${id}/items`, `${id}.md`, RETURNS);
  }
  const body = { query: 'thirty days', ai_search_options: { instance_ids: ['one', 'two'] } };
  const path = `${ACCOUNT}/ai-search/namespaces/default/search`;
  const { chunks } = await searchResult<Searched>(call(path, { method: 'POST', body }));
  expect(chunks.map(({ instance_id, item }) => `${instance_id} ${item.key}`).toSorted()).toEqual([
    'one one.md',
    'two two.md',
  ]);
});

test('the older path finds the same, as a page of files', async () => {
  await create('docs');
  await upload(`${FLAT}/docs/items`, 'shop/returns.md', RETURNS);
  const path = `${ACCOUNT}/autorag/rags/docs/search`;
  expect(await searchResult(call(path, { method: 'POST', body: { query: 'thirty days' } }))).toMatchObject({
    object: 'vector_store.search_results.page',
    search_query: 'thirty days',
    data: [{ filename: 'shop/returns.md', attributes: { folder: 'shop/' }, content: [{ type: 'text' }] }],
    has_more: false,
    next_page: null,
  });
});

test('without an answer engine a chat answers 503, and searching goes on', async () => {
  await create('docs');
  await upload(`${FLAT}/docs/items`, 'returns.md', RETURNS);
  const body = { messages: [{ role: 'user', content: 'thirty days' }] };
  expect(await searchRefusal(call(`${FLAT}/docs/chat/completions`, { method: 'POST', body }))).toMatch(/^503 7012: /);
  const { chunks } = await searchResult<Searched>(call(`${FLAT}/docs/search`, { method: 'POST', body }));
  expect(chunks).toHaveLength(1);
});

describe('what is refused changes nothing', () => {
  test.each([
    ['of a type that is not indexed', 'a.exe', new Uint8Array([0x4d, 0x5a, 0]), {}, /^400 7060: /],
    ['that is no UTF-8', 'a.md', new Uint8Array([0xff, 0xfe, 0xfd]), {}, /^400 7001: /],
    ['without text', 'a.md', ' \n ', {}, '400 7001: The file has no text'],
    ['that is a broken PDF', 'a.pdf', '%PDF-1.7 broken', {}, '400 7001: The file is broken or encrypted'],
    ['with a name of 129 characters', 'n'.repeat(129), HOURS, {}, '400 7072: filename_exceeds_maximum_length'],
    ['with metadata of a reserved name', 'a.md', HOURS, { metadata: '{"folder":"x"}' }, /^400 7001: metadata: /],
    ['with metadata of a list', 'a.md', HOURS, { metadata: '{"a":[1]}' }, '400 7056: invalid_metadata_format'],
  ] as const)('a file %s', async (_what, name, content, fields, said) => {
    await create('docs');
    const told = await searchRefusal(upload(`${FLAT}/docs/items`, name, content, fields));
    if (typeof said === 'string') expect(told).toBe(said);
    else expect(told).toMatch(said);
    expect(await searchResult(call(`${FLAT}/docs/items`))).toEqual([]);
  });

  test('K1: the name of another tenant’s instance is that of none, and makes no object', async () => {
    await create('docs');
    const token = tokenFor({ tenant: 'C0000000x' });
    const theirs = '/client/v4/accounts/other/ai-search/instances';
    const before = await searchObjects();
    for (const id of ['docs', 'none']) {
      expect(await searchRefusal(call(`${theirs}/${id}`, { token }))).toBe('404 7002: ai_search_not_found');
      const search = { method: 'POST', body: { query: 'a' }, token };
      expect(await searchRefusal(call(`${theirs}/${id}/search`, search))).toBe('404 7002: ai_search_not_found');
    }
    expect(await searchRefusal(call(`${FLAT}/docs`, { token }))).toBe('403 9109: The caller does not have permission');
    expect(await searchObjects()).toBe(before);
  });

  test('K9: an id over 1,024 bytes, and an upload to an instance that is not there', async () => {
    await create('docs');
    const before = await searchObjects();
    expect(await searchRefusal(call(`${FLAT}/${'x'.repeat(1_025)}`))).toBe('400 7001: Invalid Input: id');
    expect(await searchRefusal(upload(`${FLAT}/none/items`, 'a.md', HOURS))).toBe('404 7002: ai_search_not_found');
    expect(await searchObjects()).toBe(before);
  });

  test('an id that is taken', async () => {
    await create('docs');
    const again = call(FLAT, { method: 'POST', body: { id: 'docs' } });
    expect(await searchRefusal(again)).toBe('400 7022: ai_search_with_this_name_already_exist');
  });
});

describe('K9: an emulator that replaces the data of a tenant', () => {
  const TENANT = '/v1/tenants/C00000001';
  const control = (verb: string, body: object): Promise<Response> =>
    call(`${TENANT}:${verb}`, { method: 'POST', body });
  const rowsIn = async (): Promise<number[]> => {
    const counts: number[] = [];
    for (const id of await listDurableObjectIds(env.SEARCH_INSTANCE))
      counts.push(
        await runInDurableObject(
          env.SEARCH_INSTANCE.get(id),
          (_object, { storage }) =>
            storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'item'").toArray().length,
        ),
      );
    return counts;
  };

  test.each([
    ['reset', {}],
    ['restore', { name: 'before' }],
  ])('by %s empties the objects of the instances that are gone', async (verb, body) => {
    expect((await control('snapshot', { name: 'before' })).status).toBe(200);
    await create('docs');
    await upload(`${FLAT}/docs/items`, 'returns.md', RETURNS);
    const before = (await rowsIn()).reduce((sum, count) => sum + count, 0);
    expect(before).toBeGreaterThan(0);
    const answer = await control(verb, body);
    expect([answer.status, Object.keys(await json<object>(answer))]).toEqual([
      200,
      expect.not.arrayContaining(['gone']),
    ]);
    expect((await rowsIn()).reduce((sum, count) => sum + count, 0)).toBe(before - 1);
  });
});
