import { describe, expect, test } from 'vitest';
import type { SearchQuery } from '../../../../../src/search/order.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { FIELDS, OTHER_ACCOUNT, searching } from '../made.ts';

const DEFAULTS = {
  text: 'tea',
  type: 'hybrid',
  fusion: 'rrf',
  keywordMode: 'auto',
  threshold: 0.4,
  maxResults: 10,
  expansion: 0,
  showsText: true,
  boosts: [],
  returnsOnFailure: true,
};
const DOCS = { id: 'docs', custom_metadata: [...FIELDS] };
const SEARCH = 'aisearch.instances.search';
const CHAT = 'aisearch.instances.chatCompletions';
const path = { id: 'docs' };
const user = (content: string): JsonObject => ({ role: 'user', content });

function queryOf(body: JsonObject, instance: JsonObject = DOCS): SearchQuery {
  const order = searching(instance).order(SEARCH, { path, body });
  if (order.do !== 'search') throw new Error(order.do);
  return order.query;
}

describe('a search', () => {
  test('is handed to its instance with what is asked', () => {
    const { order } = searching(DOCS);
    const asked = { do: 'search', form: 'instance', instances: [{ id: 'docs' }], query: DEFAULTS };
    expect(order(SEARCH, { path, body: { query: ' tea ' } })).toMatchObject(asked);
    const named = { path: { name: 'default', id: 'docs' }, body: { query: 'tea' } };
    expect(order('aisearch.namespaces.instances.search', named)).toMatchObject(asked);
    expect(order(SEARCH, { path, body: { query: 'tea' } })).not.toHaveProperty('query.filter');
  });

  test.each([true, false, null])('says stream: %j, and is the same', (stream) => {
    const { order } = searching(DOCS);
    const asked = { do: 'search', query: DEFAULTS };
    expect(order(SEARCH, { path, body: { query: 'tea', stream } })).toMatchObject(asked);
    expect(order('autorag.rags.search', { path, body: { query: 'tea', stream } })).toMatchObject(asked);
    const together = { query: 'tea', stream, ai_search_options: { instance_ids: ['docs'] } };
    expect(order('aisearch.namespaces.search', { path: { name: 'default' }, body: together })).toMatchObject(asked);
  });

  test.each<[string, readonly JsonObject[], string]>([
    ['the last message of the user', [user('milk'), user('tea'), { role: 'assistant', content: 'sugar' }], 'tea'],
    [
      'its parts of text',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'green' },
            { type: 'text', text: 'tea' },
          ],
        },
      ],
      'green\ntea',
    ],
    [
      'without members of other kinds',
      [
        { role: 'assistant', content: null, tool_calls: [] },
        { ...user('tea'), name: 'x' },
      ],
      'tea',
    ],
    ['its first 4,000 characters', [user('x'.repeat(5_000))], 'x'.repeat(4_000)],
  ])('by messages is for %s', (_name, messages, text) => {
    expect(queryOf({ messages: [...messages] }).text).toBe(text);
  });

  test.each<[JsonObject, Partial<SearchQuery>]>([
    [{}, {}],
    [
      { match_threshold: 0, max_num_results: 50, context_expansion: 3 },
      { threshold: 0, maxResults: 50, expansion: 3 },
    ],
    [
      { fusion_method: 'max', keyword_match_mode: 'or' },
      { fusion: 'max', keywordMode: 'or' },
    ],
    [
      { return_on_failure: false, retrieval_type: 'keyword' },
      { returnsOnFailure: false, type: 'keyword' },
    ],
    [{ retrieval_type: 'vector' }, { type: 'vector' }],
    [{ metadata_only: true }, { showsText: false }],
    [{ metadata_only: false }, {}],
    [
      { filters: { category: 'tea', version: { $gte: 2 } } },
      {
        filter: {
          match: 'all',
          conditions: [
            { field: 'category', type: 'text', op: 'eq', value: 'tea' },
            { field: 'version', type: 'number', op: 'gte', value: 2 },
          ],
        },
      },
    ],
    [
      { boost_by: [{ field: 'timestamp' }, { field: 'category' }, { field: 'version', direction: 'desc' }] },
      {
        boosts: [
          { field: 'timestamp', type: 'datetime', direction: 'asc' },
          { field: 'category', type: 'text', direction: 'exists' },
          { field: 'version', type: 'number', direction: 'desc' },
        ],
      },
    ],
  ])('takes retrieval options %j', (retrieval, expected) => {
    expect(queryOf({ query: 'tea', ai_search_options: { retrieval } })).toEqual({ ...DEFAULTS, ...expected });
  });

  test('takes from its instance what it does not say itself', () => {
    const settings = {
      fusion_method: 'max',
      max_num_results: 7,
      score_threshold: 0.1,
      index_method: { keyword: true, vector: false },
      retrieval_options: { keyword_match_mode: 'and', boost_by: [{ field: 'published', direction: 'desc' }] },
    };
    const own = {
      ...DEFAULTS,
      type: 'keyword',
      fusion: 'max',
      maxResults: 7,
      threshold: 0.1,
      keywordMode: 'and',
      boosts: [{ field: 'published', type: 'datetime', direction: 'desc' }],
    };
    expect(queryOf({ query: 'tea' }, { ...DOCS, ...settings })).toEqual(own);
    const retrieval = { keyword_match_mode: 'or', boost_by: [], max_num_results: 8 };
    expect(queryOf({ query: 'tea', ai_search_options: { retrieval } }, { ...DOCS, ...settings })).toEqual({
      ...own,
      keywordMode: 'or',
      boosts: [],
      maxResults: 8,
    });
  });

  test('takes null for what is not there', () => {
    const options = {
      cache: null,
      custom_metadata: null,
      query_rewrite: { enabled: null, model: null },
      retrieval: { filters: null, max_num_results: null, boost_by: null, match_threshold: null },
    };
    expect(queryOf({ query: 'tea', messages: null, ai_search_options: options })).toEqual(DEFAULTS);
    expect(queryOf({ query: 'tea', ai_search_options: null })).toEqual(DEFAULTS);
  });

  test('takes options that have no effect here', () => {
    const options = {
      cache: { enabled: true, cache_threshold: 'close_enough' },
      query_rewrite: { enabled: true, model: 'm', rewrite_prompt: 'p' },
      reranking: { enabled: true, match_threshold: 0.5, model: 'm' },
      custom_metadata: { team: 'a', run: 1 },
    };
    expect(queryOf({ query: 'tea', ai_search_options: options })).toEqual(DEFAULTS);
  });

  test('of an instance of vectors alone is one by vectors', () => {
    expect(queryOf({ query: 'tea' }, { id: 'docs', hybrid_search_enabled: false }).type).toBe('vector');
  });
});

const part = (type: string, member: JsonObject): JsonObject => ({
  messages: [{ role: 'user', content: [{ type, ...member }] }],
});
const retrieval = (sent: JsonObject): JsonObject => ({ query: 'tea', ai_search_options: { retrieval: sent } });

describe('a search is refused, and nothing is handed on', () => {
  test.each<[JsonObject, string]>([
    [{}, 'missing_user_query'],
    [{ query: '  ' }, 'missing_user_query'],
    [{ query: 'tea', messages: [user('tea')] }, 'give query or messages, not both'],
    [{ query: 1 }, 'query: '],
    [{ query: 'x'.repeat(4_001) }, 'query: '],
    [{ messages: [] }, 'messages: '],
    [{ messages: 'tea' }, 'messages: '],
    [{ messages: [user(' ')] }, 'missing_user_query'],
    [{ messages: [{ role: 'system', content: 'tea' }] }, 'missing_user_query'],
    [{ messages: [{ role: 'robot', content: 'tea' }] }, 'messages.0.role: '],
    [{ messages: [{ role: 'user' }] }, 'messages.0.content: '],
    [{ messages: [user('x'.repeat(50_001))] }, 'messages.0.content: '],
    [{ messages: Array.from({ length: 101 }, () => user('tea')) }, 'messages: '],
    [{ messages: Array.from({ length: 5 }, () => user('x'.repeat(50_000))) }, 'messages: '],
    [part('image_url', { image_url: { url: 'https://example.com/a.png' } }), 'messages.0.content'],
    [part('file', { file: { filename: 'a' } }), 'messages.0.content'],
    [{ query: 'tea', stream: 'yes' }, 'stream: '],
    [{ query: 'tea', filters: {} }, 'Unrecognized key: "filters"'],
    [{ query: 'tea', ai_search_options: { instance_ids: ['docs'] } }, 'ai_search_options: Unrecognized key'],
    [{ query: 'tea', ai_search_options: { cache: { ttl: 1 } } }, 'ai_search_options.cache: '],
    [
      { query: 'tea', ai_search_options: { custom_metadata: { a: 1, b: 2, c: 3 } } },
      'ai_search_options.custom_metadata',
    ],
    [{ query: 'tea', ai_search_options: { custom_metadata: { task: 'x' } } }, 'ai_search_options.custom_metadata'],
    [{ query: 'tea', ai_search_options: { custom_metadata: { 'cf.x': 'x' } } }, 'ai_search_options.custom_metadata'],
    [{ query: 'tea', ai_search_options: { custom_metadata: { a: {} } } }, 'ai_search_options.custom_metadata'],
    [retrieval({ max_num_results: 51 }), 'ai_search_options.retrieval.max_num_results: '],
    [retrieval({ match_threshold: -1 }), 'ai_search_options.retrieval.match_threshold: '],
    [retrieval({ context_expansion: 4 }), 'ai_search_options.retrieval.context_expansion: '],
    [retrieval({ retrieval_type: 'fuzzy' }), 'ai_search_options.retrieval.retrieval_type: '],
    [retrieval({ filters: { author: 'x' } }), 'invalid_metadata_filter: '],
    [retrieval({ filters: { version: { $regex: 'x' } } }), 'invalid_metadata_filter: '],
    [retrieval({ filters: { type: 'eq', key: 'folder', value: 'x' } }), 'invalid_metadata_filter: '],
    [retrieval({ boost_by: [{ field: 'author' }] }), 'boost_by: '],
    [retrieval({ boost_by: [{ field: 'category', direction: 'asc' }] }), 'boost_by: '],
    [
      retrieval({ boost_by: ['timestamp', 'category', 'version', 'public'].map((field) => ({ field })) }),
      'ai_search_options.retrieval.boost_by: ',
    ],
    [
      retrieval({ boost_by: [{ field: 'version' }, { field: 'Version', direction: 'desc' }] }),
      'ai_search_options.retrieval.boost_by: a field is there twice',
    ],
    [retrieval({ metadata_only: 'yes' }), 'ai_search_options.retrieval.metadata_only: '],
    [retrieval({ colour: 'red' }), 'ai_search_options.retrieval: Unrecognized key'],
  ])('%j', (body, why) => {
    const { refused, tenant } = searching(DOCS);
    tenant.searches.length = 0;
    expect(refused(SEARCH, { path, body })).toContain(`400 invalid: ${why}`);
    expect(tenant.searches).toEqual([]);
  });

  test.each<[JsonObject, string]>([
    [{ index_method: { keyword: true, vector: false } }, 'vector'],
    [{ index_method: { keyword: false, vector: true } }, 'keyword'],
    [{ index_method: { keyword: false, vector: true } }, 'hybrid'],
  ])('an instance with %j has no %s retrieval', (settings, retrieval_type) => {
    const { refused } = searching({ id: 'docs', ...settings });
    expect(refused(SEARCH, { path, body: retrieval({ retrieval_type }) })).toBe('400 invalid: invalid_retrieval_type');
  });
});

describe('a chat', () => {
  const messages = [{ role: 'system', content: 'Be short.' }, user('tea')];

  test('is handed on with its messages', () => {
    const { order } = searching(DOCS);
    expect(order(CHAT, { path, body: { messages, stream: true, model: 'm', temperature: 0 } })).toEqual({
      do: 'chat',
      form: 'instance',
      instances: [expect.objectContaining({ id: 'docs' })],
      query: DEFAULTS,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'tea' },
      ],
      stream: true,
      model: 'm',
    });
  });

  test('has the texts also where metadata_only is asked for: it is answered from them', () => {
    const body = { messages, ai_search_options: { retrieval: { metadata_only: true } } };
    expect(searching(DOCS).order(CHAT, { path, body })).toHaveProperty('query.showsText', true);
  });

  test.each<[JsonObject[string], object]>([
    [{ include_usage: true }, { showsUsage: true }],
    [{ include_usage: false }, {}],
    [null, {}],
  ])('with stream_options %j is handed on with %j', (stream_options, told) => {
    const order = searching(DOCS).order(CHAT, { path, body: { messages, stream: true, stream_options } });
    expect('showsUsage' in order ? { showsUsage: order.showsUsage } : {}).toEqual(told);
  });

  test('has model and instructions of its instance', () => {
    const { order } = searching({ ...DOCS, ai_search_model: 'own', system_prompt_ai_search: 'Be kind.' });
    const own = { stream: false, model: 'own', instructions: 'Be kind.' };
    expect(order(CHAT, { path, body: { messages, model: '' } })).toMatchObject(own);
    expect(order(CHAT, { path, body: { messages, stream: null } })).toMatchObject(own);
  });

  test.each<[JsonObject, string]>([
    [{}, 'messages: '],
    [{ query: 'tea' }, 'messages: '],
    [{ query: 'tea', messages }, 'query: give messages, not query'],
    [{ messages: [messages[0] ?? {}] }, 'missing_user_query'],
    [{ messages, stream: 'yes' }, 'stream: '],
    [{ messages, model: 'x'.repeat(257) }, 'model: '],
    [{ messages, ai_search_options: [] }, 'ai_search_options: '],
  ])('of %j is refused', (body, why) => {
    expect(searching(DOCS).refused(CHAT, { path, body })).toContain(`400 invalid: ${why}`);
  });
});

describe('several instances of a namespace', () => {
  const named = { path: { name: 'default' } };
  const asked = (instance_ids: JsonObject[string], more: JsonObject = {}) => ({
    ...named,
    body: { messages: [user('tea')], ai_search_options: { instance_ids, ...more } },
  });

  test('are asked together, each once', () => {
    const { order } = searching(DOCS, { id: 'blog', score_threshold: 0.9 });
    const told = { form: 'namespace', instances: [{ id: 'blog' }, { id: 'docs' }], query: { threshold: 0.9 } };
    const sent = asked(['blog', 'docs', 'blog'], { retrieval: { filters: { category: 'x' } } });
    expect(order('aisearch.namespaces.search', sent)).toMatchObject({ do: 'search', ...told });
    expect(order('aisearch.namespaces.chatCompletions', sent)).toMatchObject({ do: 'chat', ...told, stream: false });
  });

  test.each<[JsonObject[string], string]>([
    [[], '400 invalid: invalid ai_search_options.instance_ids'],
    ['docs', '400 invalid: invalid ai_search_options.instance_ids'],
    [null, '400 invalid: invalid ai_search_options.instance_ids'],
    [[1], '400 invalid: invalid ai_search_options.instance_ids'],
    [['A/B'], '400 invalid: invalid ai_search_options.instance_ids'],
    [Array.from({ length: 11 }, () => 'docs'), '400 invalid: too_many_multi_search_instances'],
    [['docs', 'none'], '404 notFound: ai_search_not_found'],
  ])('with the ids %j are refused', (ids, why) => {
    const { refused } = searching(DOCS);
    for (const verb of ['search', 'chatCompletions'])
      expect(refused(`aisearch.namespaces.${verb}`, asked(ids))).toBe(why);
  });

  test('must be named', () => {
    const { refused } = searching(DOCS);
    const why = '400 invalid: invalid ai_search_options.instance_ids';
    expect(refused('aisearch.namespaces.search', { ...named, body: { query: 'tea' } })).toBe(why);
  });

  test('of another namespace, or a namespace that is not there, are not found', () => {
    const { ok, refused } = searching(DOCS);
    ok('aisearch.namespaces.create', { body: { name: 'team' } });
    const { body } = asked(['docs']);
    expect(refused('aisearch.namespaces.search', { path: { name: 'team' }, body })).toContain('ai_search_not_found');
    expect(refused('aisearch.namespaces.search', { path: { name: 'none' }, body })).toContain('namespace_not_found');
  });
});

describe('instances with indexes of different kinds', () => {
  const WORDS = { id: 'words', index_method: { keyword: true, vector: false } };
  const VECTORS = { id: 'vectors', index_method: { keyword: false, vector: true } };
  const MIXED = [DOCS, WORDS, VECTORS];
  const body = (ids: readonly string[], retrieval_type?: string): JsonObject => ({
    messages: [user('tea')],
    ai_search_options: {
      instance_ids: [...ids],
      ...(retrieval_type !== undefined && { retrieval: { retrieval_type } }),
    },
  });

  test.each([
    [['docs', 'words', 'vectors'], 'hybrid'],
    [['words', 'vectors'], 'hybrid'],
    [['words'], 'keyword'],
    [['vectors'], 'vector'],
  ])('%j are searched and asked together, where the call names no type: %s', (ids, type) => {
    const { order } = searching(...MIXED);
    for (const method of ['aisearch.namespaces.search', 'aisearch.namespaces.chatCompletions'])
      expect(order(method, { path: { name: 'default' }, body: body(ids) })).toHaveProperty('query.type', type);
  });

  test.each([
    [['docs', 'vectors'], 'hybrid'],
    [['docs', 'vectors'], 'keyword'],
    [['docs', 'words'], 'vector'],
  ])('%j have no %s retrieval together that a call names itself', (ids, type) => {
    const { refused } = searching(...MIXED);
    for (const method of ['aisearch.namespaces.search', 'aisearch.namespaces.chatCompletions'])
      expect(refused(method, { path: { name: 'default' }, body: body(ids, type) })).toBe(
        '400 invalid: invalid_retrieval_type',
      );
  });
});

describe('the older routes', () => {
  test('search with their own words for everything', () => {
    const { order } = searching(DOCS);
    const body = {
      query: 'tea',
      max_num_results: 3,
      ranking_options: { score_threshold: 0.2 },
      rewrite_query: true,
      reranking: { enabled: true, model: 'm' },
      filters: { type: 'eq', key: 'category', value: 'x' },
    };
    expect(order('autorag.rags.search', { path, body })).toMatchObject({
      do: 'search',
      form: 'legacy',
      instances: [{ id: 'docs' }],
      query: {
        ...DEFAULTS,
        maxResults: 3,
        threshold: 0.2,
        filter: { match: 'all', conditions: [{ field: 'category', type: 'text', op: 'eq', value: 'x' }] },
      },
    });
  });

  test('take null for what is not there', () => {
    const { order } = searching(DOCS);
    const absent = { filters: null, max_num_results: null, reranking: null, rewrite_query: null };
    const body = { query: 'tea', ...absent, ranking_options: { ranker: null, score_threshold: null } };
    for (const method of ['autorag.rags.search', 'autorag.rags.aiSearch'])
      expect(order(method, { path, body })).toMatchObject({ query: DEFAULTS });
  });

  test('chat by one question, with the instructions of the call or else of the instance', () => {
    const { order } = searching({ ...DOCS, system_prompt_ai_search: 'Be kind.' });
    const chat = { do: 'chat', form: 'legacy', messages: [{ role: 'user', content: 'tea' }], query: DEFAULTS };
    expect(order('autorag.rags.aiSearch', { path, body: { query: 'tea' } })).toMatchObject({
      ...chat,
      instructions: 'Be kind.',
      stream: false,
      model: '',
    });
    const body = { query: 'tea', system_prompt: 'Be short.', stream: true, model: 'm' };
    expect(order('autorag.rags.aiSearch', { path, body })).toMatchObject({
      ...chat,
      instructions: 'Be short.',
      stream: true,
      model: 'm',
    });
  });

  test.each<[JsonObject, string]>([
    [{}, 'query: '],
    [{ query: ' ' }, 'missing_user_query'],
    [{ messages: [user('tea')] }, 'query: '],
    [{ query: 'tea', ai_search_options: {} }, 'Unrecognized key'],
    [{ query: 'tea', filters: { category: 'x' } }, 'invalid_metadata_filter: '],
    [{ query: 'tea', filters: { type: 'and', filters: [{ type: 'and', filters: [] }] } }, 'invalid_metadata_filter: '],
    [{ query: 'tea', max_num_results: 51 }, 'max_num_results: '],
    [{ query: 'tea', ranking_options: { score_threshold: 2 } }, 'ranking_options.score_threshold: '],
  ])('refuse %j', (body, why) => {
    const { refused } = searching(DOCS);
    for (const method of ['autorag.rags.search', 'autorag.rags.aiSearch'])
      expect(refused(method, { path, body })).toContain(`400 invalid: ${why}`);
  });

  test('K1: know no instance of another account', () => {
    const { tenant } = searching(DOCS);
    const foreign = { path: { account_id: OTHER_ACCOUNT, id: 'docs' }, body: { query: 'tea' } };
    for (const method of ['autorag.rags.search', 'autorag.rags.aiSearch', SEARCH])
      expect(tenant.refused(method, foreign)).toBe('404 notFound: ai_search_not_found');
  });
});
