import type { MethodRow, Parameter } from '../../src/management/core/table/method-row.ts';

const inPath: Parameter = { in: 'path', type: 'string', required: true };
const text: Parameter = { in: 'query', type: 'string' };
const number: Parameter = { in: 'query', type: 'integer' };
const PAGE = { page: number, per_page: number };

/** Any method of AI Search takes this scope of ours: at the vendor it is a permission of an API token. */
const SCOPES = ['ai-search'];
const ACCOUNT = '/client/v4/accounts/{account_id}';
const FLAT = `${ACCOUNT}/ai-search/instances`;
const NAMESPACES = `${ACCOUNT}/ai-search/namespaces`;

type Rest = readonly [
  name: string,
  httpMethod: MethodRow['httpMethod'],
  path: string,
  query?: Readonly<Record<string, Parameter>>,
];

/** What both families of paths have, below `/instances`. */
const INSTANCES: readonly Rest[] = [
  ['create', 'POST', ''],
  [
    'list',
    'GET',
    '',
    { ...PAGE, search: text, namespace: text, hostname: text, order_by: text, order_by_direction: text },
  ],
  ['read', 'GET', '/{id}'],
  ['update', 'PUT', '/{id}'],
  ['delete', 'DELETE', '/{id}'],
  ['stats', 'GET', '/{id}/stats'],
  ['search', 'POST', '/{id}/search'],
  ['chatCompletions', 'POST', '/{id}/chat/completions'],
  ['jobs.create', 'POST', '/{id}/jobs'],
  ['jobs.list', 'GET', '/{id}/jobs', PAGE],
  ['jobs.get', 'GET', '/{id}/jobs/{job_id}'],
  ['jobs.update', 'PATCH', '/{id}/jobs/{job_id}'],
  ['jobs.logs', 'GET', '/{id}/jobs/{job_id}/logs', PAGE],
  [
    'items.list',
    'GET',
    '/{id}/items',
    {
      ...PAGE,
      item_id: text,
      key: text,
      metadata_filter: text,
      search: text,
      sort_by: text,
      source: text,
      status: text,
    },
  ],
  ['items.upload', 'POST', '/{id}/items'],
  ['items.createOrUpdate', 'PUT', '/{id}/items'],
  ['items.get', 'GET', '/{id}/items/{item_id}'],
  ['items.sync', 'PATCH', '/{id}/items/{item_id}'],
  ['items.delete', 'DELETE', '/{id}/items/{item_id}'],
  ['items.chunks', 'GET', '/{id}/items/{item_id}/chunks', { limit: number, offset: number }],
  ['items.download', 'GET', '/{id}/items/{item_id}/download'],
  ['items.logs', 'GET', '/{id}/items/{item_id}/logs', { limit: number, cursor: text }],
];

const NAMESPACE: readonly Rest[] = [
  ['create', 'POST', ''],
  ['list', 'GET', '', { ...PAGE, search: text }],
  ['read', 'GET', '/{name}'],
  ['update', 'PUT', '/{name}'],
  ['delete', 'DELETE', '/{name}'],
  ['search', 'POST', '/{name}/search'],
  ['chatCompletions', 'POST', '/{name}/chat/completions'],
];

const TOKENS: readonly Rest[] = [
  ['create', 'POST', ''],
  ['list', 'GET', '', { ...PAGE, search: text }],
  ['read', 'GET', '/{id}'],
  ['update', 'PUT', '/{id}'],
  ['delete', 'DELETE', '/{id}'],
];

/** The seed shows these four; all else is of the npm package `cloudflare` 7.3.0, with the flat paths of items beside. */
const IN_SEED = new Set([
  'aisearch.instances.chatCompletions',
  'aisearch.instances.search',
  'autorag.rags.aiSearch',
  'autorag.rags.search',
]);

const rowsOf = (prefix: string, base: string, version: string, rest: readonly Rest[]): MethodRow[] =>
  rest.map(([name, httpMethod, path, query = {}]) => {
    const names = [...`${base}${path}`.matchAll(/\{(\w+)\}/g)].map(([, one = '']): [string, Parameter] => [
      one,
      inPath,
    ]);
    const id = `${prefix}.${name}`;
    return {
      id,
      interface: 'aisearch',
      version,
      httpMethod,
      path: `${base}${path}`,
      parameters: { ...Object.fromEntries(names), ...query },
      scopes: SCOPES,
      inSeed: IN_SEED.has(id),
    };
  });

/** The rows of Cloudflare AI Search. It has no discovery document, and its bodies no schema of the table: zod judges them. */
export const aiSearch: readonly MethodRow[] = [
  ...rowsOf('aisearch.instances', FLAT, 'new', INSTANCES),
  ...rowsOf('aisearch.namespaces', NAMESPACES, 'new', NAMESPACE),
  ...rowsOf('aisearch.namespaces.instances', `${NAMESPACES}/{name}/instances`, 'new', INSTANCES),
  ...rowsOf('aisearch.tokens', `${ACCOUNT}/ai-search/tokens`, 'new', TOKENS),
  ...rowsOf('autorag.rags', `${ACCOUNT}/autorag/rags`, 'legacy', [
    ['aiSearch', 'POST', '/{id}/ai-search'],
    ['search', 'POST', '/{id}/search'],
  ]),
];
