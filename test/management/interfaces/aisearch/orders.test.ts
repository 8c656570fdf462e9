import { describe, expect, test } from 'vitest';
import type { Answered } from '../../../../src/management/core/conventions/response-data.ts';
import { answerResult } from '../../../../src/management/interfaces/aisearch/envelope/envelope.ts';
import {
  type SearchPorts,
  executeSearchOrder,
  type SentForm,
} from '../../../../src/management/interfaces/aisearch/orders/execute.ts';
import type { InstanceFacts, SearchOrder, SearchQuery } from '../../../../src/search/order.ts';
import { Refusal, type RefusalData, vendorRefusals } from '../../../../src/lib/refusal.ts';
import type { FoundChunk, SearchCalls } from '../../../../src/search/search-object.ts';

const instance = (id: string): InstanceFacts => ({
  uid: `uid-${id}`,
  tenant: 'C00000001',
  account: 'acme',
  namespace: 'default',
  id,
  config: {
    syncIntervalS: 21_600,
    chunkTokens: 256,
    overlapTokens: 26,
    tokenizer: 'porter',
    keyword: true,
    vector: false,
    metadata: [],
    isPaused: false,
  },
});
const [A, B] = [instance('a'), instance('b')];

const query: SearchQuery = {
  text: 'returns',
  type: 'keyword',
  fusion: 'rrf',
  keywordMode: 'auto',
  threshold: 0,
  maxResults: 3,
  expansion: 0,
  showsText: true,
  boosts: [],
  returnsOnFailure: false,
};

const chunk = (id: string, score: number): FoundChunk => ({
  id,
  type: 'text',
  score,
  text: `text of ${id}`,
  item: { key: `shop/${id}.md`, timestamp: 1_000, metadata: { lang: 'en' } },
  scoring: { keyword_score: score, keyword_rank: 1 },
});

/** Objects of instances by uid; whatever one is not given is not asked. */
const portsOf = (objects: Readonly<Record<string, Partial<SearchCalls>>>): SearchPorts =>
  ({ instance: (uid: string) => objects[uid], pdfReader: () => undefined }) as unknown as SearchPorts; // These orders need no more.

const own = answerResult({ id: 'own' });

/** The body of an answer, or `<status>: <message>` of what it was refused with. */
async function told(order: SearchOrder, objects: Parameters<typeof portsOf>[0], form?: SentForm): Promise<unknown> {
  try {
    const { body } = (await executeSearchOrder(order, { own, form }, portsOf(objects))) as Answered;
    return JSON.parse(body) as unknown;
  } catch (error) {
    if (error instanceof Refusal) return `${error.data.status}: ${error.data.message}`;
    throw error;
  }
}

const finds = (...chunks: readonly FoundChunk[]): Partial<SearchCalls> => ({
  search: async () => ({ ok: true, chunks }),
});
const refuses = (refusal: RefusalData): Partial<SearchCalls> => ({ search: async () => ({ ok: false, refusal }) });
const throws = (error: Error): Partial<SearchCalls> => ({
  search: async () => {
    throw error;
  },
});
const overloaded = Object.assign(new Error('too many'), { overloaded: true });

describe('a search', () => {
  test('of one instance is told in the shape of its vendor', async () => {
    const order: SearchOrder = { do: 'search', instances: [A], query, form: 'instance' };
    expect(await told(order, { 'uid-a': finds(chunk('1', 0.9)) })).toEqual({
      success: true,
      errors: [],
      messages: [],
      result: {
        search_query: 'returns',
        query_kind: 'text',
        chunks: [
          {
            id: '1',
            type: 'text',
            score: 0.9,
            text: 'text of 1',
            item: { key: 'shop/1.md', timestamp: 1_000, metadata: { lang: 'en' } },
            scoring_details: { keyword_score: 0.9, keyword_rank: 1 },
          },
        ],
      },
    });
  });

  test('of several is merged by score and cut, each chunk with the id of its instance', async () => {
    const order: SearchOrder = { do: 'search', instances: [A, B], query, form: 'namespace' };
    const objects = {
      'uid-a': finds(chunk('1', 0.9), chunk('2', 0.2)),
      'uid-b': finds(chunk('3', 0.5), chunk('4', 0.3)),
    };
    const { result } = (await told(order, objects)) as { result: { chunks: { id: string; instance_id: string }[] } };
    expect(result.chunks.map(({ id, instance_id }) => `${instance_id} ${id}`)).toEqual(['a 1', 'b 3', 'b 4']);
    expect(result).not.toHaveProperty('errors');
  });

  test('of the older interface is a page of files', async () => {
    const order: SearchOrder = { do: 'search', instances: [A], query, form: 'legacy' };
    expect(await told(order, { 'uid-a': finds(chunk('1', 0.9)) })).toMatchObject({
      success: true,
      result: {
        object: 'vector_store.search_results.page',
        search_query: 'returns',
        data: [
          {
            file_id: '1',
            filename: 'shop/1.md',
            score: 0.9,
            attributes: { folder: 'shop/', timestamp: 1_000, lang: 'en' },
            content: [{ id: '1', type: 'text', text: 'text of 1' }],
          },
        ],
        has_more: false,
        next_page: null,
      },
    });
  });

  const [several, parts] = [
    { do: 'search', instances: [A, B], query, form: 'namespace' },
    { do: 'search', instances: [A, B], query: { ...query, returnsOnFailure: true }, form: 'namespace' },
  ] as const satisfies SearchOrder[];
  const missing = vendorRefusals.missing('Instance not found').data;

  test('of several fails with the first that fails, unless parts of an answer are asked for', async () => {
    const objects = { 'uid-a': refuses(missing), 'uid-b': finds(chunk('1', 0.9)) };
    expect(await told(several, objects)).toBe('404: Instance not found');
    expect(await told(parts, objects)).toMatchObject({
      result: { chunks: [{ id: '1' }], errors: [{ instance_id: 'a', message: 'Instance not found' }] },
    });
  });

  test('fails where all instances fail, also if parts are asked for', async () => {
    expect(await told(parts, { 'uid-a': refuses(missing), 'uid-b': refuses(missing) })).toBe('404: Instance not found');
  });

  test('takes a platform that fails for a failure of that instance, and a bug for a bug', async () => {
    const objects = { 'uid-a': throws(overloaded), 'uid-b': finds() };
    expect(await told(several, objects)).toBe('503: Backend Error');
    expect(await told(parts, objects)).toMatchObject({ result: { chunks: [], errors: [{ instance_id: 'a' }] } });
    await expect(told(parts, { ...objects, 'uid-a': throws(new Error('a bug')) })).rejects.toThrow('a bug');
  });

  test('of a namespace without instances finds nothing', async () => {
    const order: SearchOrder = { do: 'search', instances: [], query, form: 'namespace' };
    expect(await told(order, {})).toMatchObject({ result: { search_query: 'returns', chunks: [] } });
  });
});

describe('a change that stands already', () => {
  /** An object that fails so often, and what it heard. */
  function failing(times: number): { heard: string[]; object: Partial<SearchCalls> } {
    const heard: string[] = [];
    const hear = async (what: string): Promise<void> => {
      heard.push(what);
      if (heard.length <= times) throw new Error('gone');
    };
    const object: Partial<SearchCalls> = {
      configure: ({ id }) => hear(`configure ${id}`),
      drop: () => hear('drop'),
    };
    return { heard, object };
  }
  const configure: SearchOrder = { do: 'configure', instance: A };
  const drop: SearchOrder = { do: 'drop', instances: [A, B] };

  test('is answered by the tenant, and told twice where the first time fails', async () => {
    const [first, second] = [failing(1), failing(0)];
    const objects = { 'uid-a': first.object, 'uid-b': second.object };
    expect(await told(configure, objects)).toMatchObject({ success: true, result: { id: 'own' } });
    expect(await told(drop, objects)).toMatchObject({ success: true, result: { id: 'own' } });
    expect([first.heard, second.heard]).toEqual([['configure a', 'configure a', 'drop'], ['drop']]);
  });

  test('is not told three times', async () => {
    const { heard, object } = failing(2);
    await expect(told({ ...drop, instances: [A] }, { 'uid-a': object })).rejects.toThrow('gone');
    expect(heard).toEqual(['drop', 'drop']);
  });
});

describe('what an instance answers alone', () => {
  test('is its result, with the page that it is', async () => {
    const info = { page: 3, per_page: 20, count: 0, total_count: 40 };
    const object: Partial<SearchCalls> = { ask: async () => ({ ok: true, result: [], info }) };
    const order: SearchOrder = { do: 'jobs.list', instance: A, page: 3, perPage: 20 };
    expect(await told(order, { 'uid-a': object })).toEqual({
      success: true,
      errors: [],
      messages: [],
      result: [],
      result_info: info,
    });
  });

  test.each([
    [[]],
    [
      [
        { code: 'custom_metadata_field_not_filterable', field: 'extra' },
        { code: 'custom_metadata_value_not_indexed', expected_type: 'number', field: 'version' },
      ],
    ],
  ] as const)('of an upload says what of its metadata no filter knows: %j', async (warnings) => {
    const file = { key: 'a.txt', type: 'text/plain', bytes: new TextEncoder().encode('text') };
    const object: Partial<SearchCalls> = { upload: async () => ({ ok: true, result: { id: 'i' } }) };
    const order: SearchOrder = { do: 'upload', instance: A, key: 'a.txt', metadata: {}, warnings, waits: false };
    expect(await told(order, { 'uid-a': object }, { file, body: {} })).toMatchObject({ success: true });
    const { result } = (await told(order, { 'uid-a': object }, { file, body: {} })) as { result: unknown };
    expect(result).toEqual(warnings.length === 0 ? { id: 'i' } : { id: 'i', warnings });
  });

  test('may be a refusal', async () => {
    const refusal = vendorRefusals.missing('Item not found').data;
    const object: Partial<SearchCalls> = {
      ask: async () => ({ ok: false, refusal }),
      download: async () => ({ ok: false, refusal }),
    };
    for (const order of [
      { do: 'items.get', instance: A, itemId: 'i' },
      { do: 'items.download', instance: A, itemId: 'i' },
    ] as const)
      expect(await told(order, { 'uid-a': object })).toBe('404: Item not found');
  });
});

describe('a download', () => {
  const download = async (type: string, key: string): Promise<unknown> => {
    const object: Partial<SearchCalls> = {
      download: async () => ({ ok: true, type, key, bytes: new Uint8Array([1]) }),
    };
    const order: SearchOrder = { do: 'items.download', instance: A, itemId: 'i' };
    const { headers, body } = await executeSearchOrder(order, { own, form: undefined }, portsOf({ 'uid-a': object }));
    expect(body).toEqual([new Uint8Array([1])]);
    return headers;
  };

  test.each([
    ['text/markdown', 'docs/a b.md', 'text/markdown; charset=utf-8', 'a%20b.md'],
    ['application/pdf', 'a.pdf', 'application/pdf', 'a.pdf'],
    ['text/html', 'https://a.example/', 'application/octet-stream', 'item'],
    ['text/plain; charset=iso-8859-1', 'a.txt', 'text/plain; charset=iso-8859-1', 'a.txt'],
    ['text/html; charset=iso-8859-1', 'a.html', 'application/octet-stream', 'a.html'],
    ['image/svg+xml', 'x";y=\r\nSet-Cookie: a', 'application/octet-stream', 'x%22%3By%3D%0D%0ASet-Cookie%3A%20a'],
    ['text/plain\r\nx: y', "l'été(1)*!.txt", 'application/octet-stream', 'l%27%C3%A9t%C3%A9%281%29%2A%21.txt'],
    ['text/plain', `\ud800${'n'.repeat(200)}`, 'text/plain; charset=utf-8', `%EF%BF%BD${'n'.repeat(127)}`],
  ])('of %j named %j is saved and never shown', async (type, key, told_, name) => {
    expect(await download(type, key)).toEqual({
      'content-type': told_,
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      vary: 'Authorization',
    });
  });
});
