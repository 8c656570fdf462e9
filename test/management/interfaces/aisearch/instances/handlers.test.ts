import { describe, expect, test } from 'vitest';
import { isInstance } from '../../../../../src/management/interfaces/aisearch/instances/rows.ts';
import type { InstanceConfig, InstanceFacts } from '../../../../../src/search/order.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { ACCOUNT, FIELDS, OTHER_ACCOUNT, searching } from '../made.ts';

const CREATE = 'aisearch.instances.create';
const read = (id: string) => ({ path: { id } });

/** The facts that a call tells an instance's object. */
function factsOf(body: JsonObject): InstanceFacts {
  const order = searching().order(CREATE, { body });
  if (order.do !== 'configure') throw new Error(order.do);
  return order.instance;
}

test('a new instance is shown with its settings, and reads the same; a list shows all', () => {
  const { ok } = searching();
  const { result } = ok(CREATE, { body: { id: 'docs' } });
  expect(result).toEqual({
    id: 'docs',
    namespace: 'default',
    created_at: '2026-11-21T00:00:00.000Z',
    modified_at: '2026-11-21T00:00:00.000Z',
    created_by: 'a'.repeat(32),
    modified_by: 'a'.repeat(32),
    ai_gateway_id: null,
    ai_search_model: null,
    cache: false,
    cache_threshold: 'close_enough',
    cache_ttl: 172_800,
    chunk_overlap: 10,
    chunk_size: 256,
    custom_metadata: [],
    embedding_model: null,
    enable: true,
    engine_version: 3,
    fusion_method: 'rrf',
    hybrid_search_enabled: true,
    index_method: { keyword: true, vector: true },
    indexing_options: null,
    last_activity: null,
    max_num_results: 10,
    paused: false,
    public_endpoint_id: null,
    reranking: false,
    reranking_model: null,
    retrieval_options: null,
    rewrite_model: null,
    rewrite_query: false,
    score_threshold: 0.4,
    source: null,
    source_params: null,
    status: 'ready',
    sync_interval: 21_600,
    type: null,
  });
  expect(ok('aisearch.instances.read', read('docs')).result).toEqual(result);
  expect(ok('aisearch.namespaces.instances.read', { path: { name: 'default', id: 'docs' } }).result).toEqual(result);
  const listed = {
    chunk: true,
    metadata: null,
    public_endpoint_params: null,
    summarization: false,
    summarization_model: null,
    system_prompt_ai_search: null,
    system_prompt_index_summarization: null,
    system_prompt_rewrite_query: null,
    token_id: null,
  };
  expect(ok('aisearch.instances.list').result).toEqual([{ ...(result as JsonObject), ...listed }]);
});

test('what is set is shown where it is absent else, and lists show the prompts', () => {
  const { ok } = searching();
  const shown = { metadata: { worker_domain: 'a.example' }, token_id: 'token', public_endpoint_params: {} };
  const set = { ...shown, system_prompt_ai_search: 'Be kind.', summarization: true };
  ok(CREATE, { body: { id: 'docs', ...set } });
  for (const verb of ['read', 'update', 'delete'] as const) {
    const { result } = ok(`aisearch.instances.${verb}`, { ...read('docs'), body: {} });
    expect(result).toMatchObject(shown);
    expect(result).not.toHaveProperty('system_prompt_ai_search');
    if (verb === 'update') expect(ok('aisearch.instances.list').result).toMatchObject([set]);
  }
});

test('its object is told of it under a name that nobody is shown', () => {
  const { order, ok } = searching();
  const told = order(CREATE, { body: { id: 'docs' } });
  expect(told).toEqual({
    do: 'configure',
    clockMs: Date.UTC(2026, 10, 21),
    instance: {
      uid: expect.stringMatching(/^[0-9a-f]{32}$/),
      tenant: 'C00000001',
      account: ACCOUNT,
      namespace: 'default',
      id: 'docs',
      config: {
        syncIntervalS: 21_600,
        chunkTokens: 256,
        overlapTokens: 25,
        tokenizer: 'porter',
        keyword: true,
        vector: true,
        metadata: [],
        isPaused: false,
      },
    },
  });
  const { uid } = factsOf({ id: 'docs' });
  expect(JSON.stringify(ok('aisearch.instances.list'))).not.toContain(uid);
});

describe('what is set reaches the index', () => {
  test.each<[JsonObject, Partial<InstanceConfig>]>([
    [
      { chunk_size: 64, chunk_overlap: 0 },
      { chunkTokens: 64, overlapTokens: 0 },
    ],
    [
      { chunk_size: 2_048, chunk_overlap: 30 },
      { chunkTokens: 2_048, overlapTokens: 614 },
    ],
    [
      { chunk_size: null, chunk_overlap: null },
      { chunkTokens: 256, overlapTokens: 25 },
    ],
    [{ indexing_options: { keyword_tokenizer: 'trigram' } }, { tokenizer: 'trigram' }],
    [{ index_method: { keyword: true, vector: false } }, { keyword: true, vector: false }],
    [{ hybrid_search_enabled: false }, { keyword: false, vector: true }],
    [
      { paused: true, sync_interval: 900 },
      { isPaused: true, syncIntervalS: 900 },
    ],
    [
      { custom_metadata: [{ field_name: 'Category', data_type: 'text' }] },
      { metadata: [{ name: 'category', type: 'text' }] },
    ],
  ])('%j', (settings, config) => {
    expect(factsOf({ id: 'docs', ...settings }).config).toMatchObject(config);
  });
});

describe('where items come from', () => {
  const WEB = {
    url: 'https://example.com/docs',
    discover: false,
    sitemaps: [],
    include: [],
    exclude: [],
    depth: 3,
    maxPages: 500,
  };
  const crawler = (web_crawler: JsonObject) => ({ source: 'https://example.com/docs', source_params: { web_crawler } });

  test.each<[JsonObject, JsonObject | undefined]>([
    [{}, undefined],
    [{ source: ' ', type: null }, undefined],
    [{ source: 'https://example.com/docs#top' }, WEB],
    [{ source: 'example.com/docs', type: 'web-crawler' }, WEB],
    [
      {
        source: 'https://example.com/docs',
        source_params: { include_items: ['/docs/**'], exclude_items: ['/docs/old/*'] },
      },
      { ...WEB, include: ['/docs/**'], exclude: ['/docs/old/*'] },
    ],
    [
      crawler({ parse_type: 'discover', discover_options: { depth: 10, limit: 100_000 } }),
      { ...WEB, discover: true, depth: 10 },
    ],
    [crawler({ parse_type: 'discover', discover_options: { source: 'sitemaps', limit: 7 } }), { ...WEB, maxPages: 7 }],
    [
      crawler({ parse_type: 'discover', discover_options: { source: 'links' } }),
      { ...WEB, discover: true, linksOnly: true },
    ],
    [crawler({ parse_type: 'discover', discover_options: { source: 'all' } }), { ...WEB, discover: true }],
    [crawler({ parse_type: 'sitemap', discover_options: { source: 'links' } }), WEB],
    [crawler({ discover_options: { limit: 501 } }), WEB],
    [
      crawler({ parse_options: { specific_sitemaps: ['https://example.com/s.xml'] } }),
      { ...WEB, sitemaps: ['https://example.com/s.xml'] },
    ],
  ])('%j', (settings, source) => {
    expect(factsOf({ id: 'docs', ...settings }).config.source).toEqual(source);
  });

  test('headers of a crawl may be credentials: they are judged, and neither kept nor shown', () => {
    const { ok, tenant } = searching();
    const headers = { Authorization: 'Bearer very-secret' };
    ok(CREATE, { body: { id: 'docs', ...crawler({ parse_options: { include_headers: headers } }) } });
    const everything = [
      tenant.searches,
      ok('aisearch.instances.read', read('docs')),
      tenant.sql.exec('SELECT * FROM resource').toArray(),
    ];
    expect(JSON.stringify(everything)).not.toContain('very-secret');
  });

  test.each<[JsonObject, string]>([
    [{ type: 'r2', source: 'my-bucket' }, 'type r2 is not served'],
    [{ type: 'r2' }, 'type r2 is not served'],
    [{ source: 'my-bucket' }, 'type r2 is not served'],
    [{ type: 'web-crawler' }, 'type_and_source_are_required_for_non_managed_instances'],
    [{ source: 'https://user:pass@example.com/' }, 'invalid_url_location'],
    [{ source: 'ftp://example.com/', type: 'web-crawler' }, 'invalid_url_location'],
    [{ source: 'http://', type: 'web-crawler' }, 'invalid_url_location'],
    [{ type: 'ftp', source: 'x' }, 'type: '],
    [{ source: 1 }, 'source: '],
    [{ source_params: { include_items: Array.from({ length: 11 }, () => '/x') } }, 'source_params.include_items: '],
    [crawler({ discover_options: { depth: 11 } }), 'source_params.web_crawler.discover_options.depth: '],
    [crawler({ discover_options: { include_external_links: true } }), 'source_params.web_crawler.discover_options.'],
    [crawler({ parse_options: { include_headers: { 'a b': 'x' } } }), 'source_params.web_crawler.parse_options.'],
    [crawler({ parse_options: { include_headers: { a: 'x\r\ny' } } }), 'source_params.web_crawler.parse_options.'],
    ...[';', '`', '$', '{', '}', '\\'].map((char): [JsonObject, string] => [
      crawler({ parse_options: { content_selector: [{ path: '**', selector: `main${char}p` }] } }),
      'source_params.web_crawler.parse_options.content_selector.0.selector: without ',
    ]),
    [
      crawler({ parse_type: 'discover', parse_options: { specific_sitemaps: ['https://example.com/s.xml'] } }),
      'specific_sitemaps_only_valid_when_parse_type_is_sitemap',
    ],
  ])('%j is refused', (settings, why) => {
    expect(searching().refused(CREATE, { body: { id: 'docs', ...settings } })).toContain(`400 invalid: ${why}`);
  });
});

describe('what cannot be set is refused with its name, and nothing is made', () => {
  test.each<[JsonObject, string]>([
    [{ id: '' }, 'id'],
    [{ id: 'Docs' }, 'id'],
    [{ id: 'a/b' }, 'id'],
    [{ id: 'x'.repeat(65) }, 'id'],
    [{ id: null }, 'id'],
    [{ chunk_size: 63 }, 'chunk_size'],
    [{ chunk_size: 2_049 }, 'chunk_size'],
    [{ chunk_size: 100.5 }, 'chunk_size'],
    [{ chunk_size: '256' }, 'chunk_size'],
    [{ chunk_overlap: 31 }, 'chunk_overlap'],
    [{ max_num_results: 51 }, 'max_num_results'],
    [{ max_num_results: 0 }, 'max_num_results'],
    [{ score_threshold: 1.1 }, 'score_threshold'],
    [{ cache_ttl: 601 }, 'cache_ttl'],
    [{ sync_interval: 60 }, 'sync_interval'],
    [{ fusion_method: 'sum' }, 'fusion_method'],
    [{ index_method: { keyword: false, vector: false } }, 'index_method'],
    [{ index_method: { keyword: true } }, 'index_method.vector'],
    [{ indexing_options: { keyword_tokenizer: 'ngram' } }, 'indexing_options.keyword_tokenizer'],
    [{ custom_metadata: [{ field_name: 'Folder', data_type: 'text' }] }, 'custom_metadata.0.field_name'],
    [{ custom_metadata: [{ field_name: '$or', data_type: 'text' }] }, 'custom_metadata.0.field_name'],
    [{ custom_metadata: [{ field_name: 'a', data_type: 'date' }] }, 'custom_metadata.0.data_type'],
    [
      { custom_metadata: Array.from({ length: 6 }, (_, n) => ({ field_name: `f${n}`, data_type: 'text' })) },
      'custom_metadata',
    ],
    [{ custom_metadata: [FIELDS[0], FIELDS[0]] }, 'custom_metadata'],
    [{ retrieval_options: { boost_by: [{ field: 'author' }] } }, 'boost_by'],
    [{ retrieval_options: { keyword_match_mode: 'any' } }, 'retrieval_options.keyword_match_mode'],
    [{ system_prompt_ai_search: 'x'.repeat(10_001) }, 'system_prompt_ai_search'],
    [{ public_endpoint_params: { secret: 'x' } }, 'public_endpoint_params'],
    [{ colour: 'red' }, 'Unrecognized key: "colour"'],
    [{ colour: null }, 'Unrecognized key: "colour"'],
  ])('%j', (settings, name) => {
    const { refused, ok, tenant } = searching();
    expect(refused(CREATE, { body: { id: 'docs', ...settings } })).toMatch(`400 invalid: ${name}`);
    expect(ok('aisearch.instances.list')).toMatchObject({ result: [] });
    expect(tenant.searches).toEqual([]);
  });
});

test('settings without effect are taken and shown', () => {
  const sent = {
    ai_gateway_id: 'gateway',
    cache: true,
    cache_ttl: 600,
    embedding_model: '@cf/baai/bge-m3',
    metadata: { created_from_aisearch_wizard: true },
    public_endpoint_params: { enabled: true, mcp: { disabled: true }, custom_domains: null },
    reranking: true,
    rewrite_query: true,
    token_id: '182bd5e5-6e1a-4fe4-a799-aa6d9a6ab26e',
  };
  expect(searching().ok(CREATE, { body: { id: 'docs', ...sent } }).result).toMatchObject(sent);
});

test('an id is taken once in a namespace, and free in another and in another account', () => {
  const { ok, refused, tenant } = searching({ id: 'docs' });
  expect(refused(CREATE, { body: { id: 'docs' } })).toBe('400 invalid: ai_search_with_this_name_already_exist');
  ok('aisearch.namespaces.create', { body: { name: 'team' } });
  ok('aisearch.namespaces.instances.create', { path: { name: 'team' }, body: { id: 'docs' } });
  tenant.ok(CREATE, { path: { account_id: OTHER_ACCOUNT }, body: { id: 'docs' } });
  expect(new Set(tenant.searches.map((order) => ('instance' in order ? order.instance.uid : ''))).size).toBe(3);
});

test('K9: a tenant has ten instances at most, in all its accounts', () => {
  const { refused, ok, tenant } = searching(...Array.from({ length: 9 }, (_, n) => ({ id: `i${n}` })));
  tenant.ok(CREATE, { path: { account_id: OTHER_ACCOUNT }, body: { id: 'tenth' } });
  expect(refused(CREATE, { body: { id: 'eleventh' } })).toBe('403 limitExceeded: max_instances_reached');
  ok('aisearch.instances.delete', read('i0'));
  ok(CREATE, { body: { id: 'eleventh' } });
});

describe('an update', () => {
  const before = { id: 'docs', source: 'https://example.com', chunk_size: 512, custom_metadata: [...FIELDS] };

  test('keeps what is not sent, and null goes back to the default', () => {
    const { ok, order, tenant } = searching(before);
    tenant.later(1_000);
    const told = order('aisearch.instances.update', { path: { id: 'docs' }, body: { max_num_results: 5 } });
    expect(told).toMatchObject({ do: 'configure', instance: { config: { chunkTokens: 512 } } });
    expect(ok('aisearch.instances.read', read('docs')).result).toMatchObject({
      chunk_size: 512,
      max_num_results: 5,
      custom_metadata: FIELDS,
      created_at: '2026-11-21T00:00:00.000Z',
      modified_at: '2026-11-21T00:00:01.000Z',
    });
    const cleared = ok('aisearch.namespaces.instances.update', {
      path: { name: 'default', id: 'docs' },
      body: { chunk_size: null, custom_metadata: null },
    });
    expect(cleared.result).toMatchObject({ chunk_size: 256, max_num_results: 5, custom_metadata: [] });
  });

  test('keeps the name of the object', () => {
    const { order } = searching();
    const made = order(CREATE, { body: { id: 'docs' } });
    const changed = order('aisearch.instances.update', { path: { id: 'docs' }, body: { paused: true } });
    expect('instance' in changed && 'instance' in made && changed.instance.uid === made.instance.uid).toBe(true);
  });

  test.each<[JsonObject, string]>([
    [{ source: 'https://example.org' }, 'source: cannot be changed after the instance is made'],
    [{ source: null }, 'source: cannot be changed after the instance is made'],
    [{ type: 'r2' }, 'type: cannot be changed after the instance is made'],
    [{ id: 'other' }, 'id: '],
    [{ namespace: 'other' }, 'namespace: cannot be changed after the instance is made'],
    [{ hybrid_search_enabled: false, index_method: { keyword: true, vector: true } }, 'hybrid_search_enabled: '],
    [{ hybrid_search_enabled: true, index_method: { keyword: true, vector: false } }, 'hybrid_search_enabled: '],
    [{ chunk_size: 1 }, 'chunk_size: '],
    [{ custom_metadata: [], retrieval_options: { boost_by: [{ field: 'version' }] } }, 'boost_by: '],
  ])('of %j is refused, and changes nothing', (body, why) => {
    const { refused, ok, tenant } = searching(before);
    const was = ok('aisearch.instances.read', read('docs'));
    expect(refused('aisearch.instances.update', { path: { id: 'docs' }, body })).toContain(`400 invalid: ${why}`);
    expect(ok('aisearch.instances.read', read('docs'))).toEqual(was);
    expect(tenant.searches).toHaveLength(1);
  });

  test.each<[JsonObject]>([
    [{}],
    [{ index_method: { keyword: true, vector: false } }],
    [{ hybrid_search_enabled: false }],
  ])('with all that a read shows changes what is changed in it: %j', (settings) => {
    const { ok } = searching({ ...before, ...settings });
    const shown = { ...(ok('aisearch.instances.read', read('docs')).result as JsonObject) };
    const put = ok('aisearch.instances.update', { path: { id: 'docs' }, body: { ...shown, max_num_results: 5 } });
    expect(put.result).toEqual({ ...shown, max_num_results: 5 });
  });

  test.each<[JsonObject, JsonObject, JsonObject]>([
    [
      { index_method: { keyword: true, vector: false } },
      { hybrid_search_enabled: true },
      { keyword: true, vector: true },
    ],
    [
      { index_method: { keyword: true, vector: true } },
      { hybrid_search_enabled: false },
      { keyword: false, vector: true },
    ],
    [
      { hybrid_search_enabled: false },
      { index_method: { keyword: true, vector: true } },
      { keyword: true, vector: true },
    ],
  ])('of %j by %j makes it the latter: the switch and the methods are one setting', (was, body, index_method) => {
    const { ok } = searching({ id: 'docs', ...was });
    expect(ok('aisearch.instances.update', { path: { id: 'docs' }, body }).result).toMatchObject({ index_method });
  });

  test('null inside of a setting is as if it were not there', () => {
    const { ok } = searching(before);
    const body = { indexing_options: { keyword_tokenizer: 'trigram', use_ocr: null }, source_params: { prefix: null } };
    expect(ok('aisearch.instances.update', { path: { id: 'docs' }, body }).result).toMatchObject({
      indexing_options: { keyword_tokenizer: 'trigram' },
    });
  });

  test('may repeat where it stands and where items come from', () => {
    const { ok } = searching(before);
    const body = { namespace: 'default', source: 'https://example.com', type: 'web-crawler' };
    expect(ok('aisearch.instances.update', { path: { id: 'docs' }, body }).result).toMatchObject(body);
  });
});

test('a deleted instance is shown once more, its object is dropped, and it is not found any more', () => {
  const { order, ok, refused, tenant } = searching({ id: 'docs' });
  const [made] = tenant.searches;
  const uid = made !== undefined && 'instance' in made ? made.instance.uid : '';
  expect(isInstance(tenant.engine.store, uid)).toBe(true);
  expect(isInstance(tenant.engine.store, '0'.repeat(32))).toBe(false);
  expect(order('aisearch.instances.delete', read('docs'))).toMatchObject({ do: 'drop', instances: [{ uid }] });
  expect(isInstance(tenant.engine.store, uid)).toBe(false);
  expect(refused('aisearch.instances.read', read('docs'))).toBe('404 notFound: ai_search_not_found');
  ok(CREATE, { body: { id: 'docs' } });
  expect(isInstance(tenant.engine.store, uid)).toBe(false);
});

describe('K1: what is not there, or another account has, is not found', () => {
  const verbs = ['read', 'update', 'delete', 'stats', 'jobs.list', 'items.list', 'items.upload', 'items.get'];
  test.each(verbs)('%s', (verb) => {
    const { refused, tenant } = searching({ id: 'docs' });
    const path = { account_id: OTHER_ACCOUNT, id: 'docs' };
    const body = verb === 'items.upload' ? { key: 'a.md' } : {};
    expect(tenant.refused(`aisearch.instances.${verb}`, { path, body })).toBe('404 notFound: ai_search_not_found');
    expect(refused(`aisearch.instances.${verb}`, { path: { id: 'other' }, body })).toBe(
      '404 notFound: ai_search_not_found',
    );
    expect(refused(`aisearch.namespaces.instances.${verb}`, { path: { name: 'none', id: 'docs' }, body })).toBe(
      '404 notFound: namespace_not_found',
    );
  });
});

describe('lists', () => {
  const ids = ({ result }: JsonObject) =>
    Array.isArray(result) ? result.map((each) => (each as JsonObject)['id']) : [];
  const made = () => {
    const { tenant, ok, refused } = searching();
    for (const id of ['one', 'two', 'three']) {
      ok(CREATE, { body: { id } });
      tenant.later(1_000);
    }
    ok('aisearch.namespaces.create', { body: { name: 'team' } });
    ok('aisearch.namespaces.instances.create', { path: { name: 'team' }, body: { id: 'theirs' } });
    tenant.ok(CREATE, { path: { account_id: OTHER_ACCOUNT }, body: { id: 'of-another-account' } });
    return { ok, refused };
  };

  test.each<[Record<string, string>, readonly string[]]>([
    [{}, ['theirs', 'three', 'two', 'one']],
    [{ order_by: 'created_at', order_by_direction: 'asc' }, ['one', 'two', 'three', 'theirs']],
    [{ search: 'TW' }, ['two']],
    [{ namespace: 'team' }, ['theirs']],
    [{ namespace: 'default' }, ['three', 'two', 'one']],
    [{ namespace: 'none' }, []],
    [{ hostname: 'docs.example.com' }, []],
    [{ page: '2', per_page: '2' }, ['two', 'one']],
    [{ page: '3', per_page: '2' }, []],
    [{ page: '1', per_page: '100000' }, ['theirs', 'three', 'two', 'one']],
    [{ page: '1', per_page: '0' }, []],
  ])('%j', (query, expected) => {
    expect(ids(made().ok('aisearch.instances.list', { query }))).toEqual(expected);
  });

  test('say which page they are, and a page beyond the end is empty', () => {
    const { ok } = made();
    expect(ok('aisearch.instances.list', { query: { page: '2', per_page: '3' } })['result_info']).toEqual({
      page: 2,
      per_page: 3,
      count: 1,
      total_count: 4,
    });
    expect(ok('aisearch.instances.list', { query: { page: '9' } })).toEqual({
      result: [],
      result_info: { page: 9, per_page: 20, count: 0, total_count: 4 },
    });
    expect(ok('aisearch.instances.list', { query: { per_page: '0' } })).toEqual({
      result: [],
      result_info: { page: 1, per_page: 0, count: 0, total_count: 4 },
    });
  });

  test('of a namespace show what is in it, and nothing for another', () => {
    const { ok, refused } = made();
    expect(refused('aisearch.namespaces.instances.list', { path: { name: 'none' } })).toBe(
      '404 notFound: namespace_not_found',
    );
    const path = { name: 'team' };
    expect(ids(ok('aisearch.namespaces.instances.list', { path }))).toEqual(['theirs']);
    expect(ids(ok('aisearch.namespaces.instances.list', { path, query: { namespace: 'default' } }))).toEqual([]);
  });

  test.each<[Record<string, string>, string]>([
    [{ page: '0' }, '400 invalid: page'],
    [{ page: '-1' }, '400 invalid: page: an integer from 1'],
    [{ page: 'x' }, '400 invalid: page'],
    [{ per_page: '-1' }, '400 invalid: per_page'],
    [{ order_by: 'id' }, '400 invalid: order_by'],
    [{ order_by_direction: 'up' }, '400 invalid: order_by_direction'],
  ])('%j is refused', (query, why) => {
    expect(made().refused('aisearch.instances.list', { query })).toContain(why);
  });
});
