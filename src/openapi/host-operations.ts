import { HOSTS_PATH } from '../authorization/oauth/resources.ts';
import { BASE_SCOPE } from '../authorization/oauth/scopes.ts';
import { buildJsonSchema } from '../capabilities/capability.ts';
import { linkSchema } from '../lib/json-schema.ts';
import { MAX_HOST_CHARS } from '../ownership/proof.ts';
import { apiProblems } from '../problems/codes.ts';
import { describeProblems } from '../problems/problem.ts';
import { countsBody } from '../traffic/edge/counts-body.ts';
import { type ApiOperation, defineOperation } from './operation.ts';

/** Where clients of hosts learn about tokens for them (RFC 9728). */
export const HOSTS_METADATA_PATH = `/.well-known/oauth-protected-resource${HOSTS_PATH}` as const;

const text = { type: 'string' } as const;
const object = { type: 'object' } as const;

const hostName = { type: 'string', maxLength: MAX_HOST_CHARS } as const;
const day = { type: 'string', maxLength: 10 } as const;

export const hostParameters = {
  OwnHost: { name: 'host', in: 'path', required: true, description: 'A host of the account', schema: hostName },
} as const;
const HOST = { $ref: '#/components/parameters/OwnHost' };

/** The token of the counts of one host. */
export const countsTokenScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'The token of the counts of one host, `sht_…`.',
} as const;

export const hostSchemas = {
  OwnHost: {
    ...object,
    required: ['host', 'state', 'proof'],
    properties: {
      host: text,
      state: { type: 'string', enum: ['waiting', 'proven', 'ended'] },
      proof: { ...object, description: 'One of these is enough: a TXT record, or a line of a file' },
      counts_token_since: { type: ['string', 'null'] },
      look: { ...object, description: 'What was seen, and where' },
    },
  },
  Counts: buildJsonSchema(countsBody, 'input'),
  CrawlerReport: {
    ...object,
    description: 'Cells of people with fewer than 5 requests are left out.',
  },
} as const;

const REFUSALS: ReadonlySet<string> = new Set([
  'token_required',
  'insufficient_scope',
  'host_not_claimed',
  'host_not_proven',
  'counts_token_wrong',
  'limit_reached',
  'rate_limited',
  'invalid_json',
  'invalid_body',
  'invalid_range',
  'body_too_large',
  'unsupported_media_type',
  'not_configured',
  'internal_error',
]);
/** What any of these operations refuses: one response, because the document is read whole. */
const refusals = describeProblems(
  Object.entries(apiProblems).flatMap(([code, row]) => (REFUSALS.has(code) ? [{ ...row, code }] : [])),
  () => 'default',
);

const OWNER = [{ oauth: [BASE_SCOPE] }];

type HostDescription = {
  id: string;
  summary: string;
  description: string;
  parameters?: readonly object[];
  body?: object;
  security?: readonly object[];
  status?: number;
  schema?: object;
};

const describeContent = (schema: object) => ({ 'application/json': { schema } });

const describe = (row: HostDescription) => ({
  operationId: row.id,
  tags: ['hosts'],
  summary: row.summary,
  description: row.description,
  security: row.security ?? OWNER,
  ...(row.parameters === undefined ? {} : { parameters: row.parameters }),
  ...(row.body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': row.body } } }),
  responses: {
    [row.status ?? 200]: {
      description: row.summary,
      ...(row.schema === undefined ? {} : { content: describeContent(row.schema) }),
    },
    ...refusals,
  },
});

const defineRow = <const Route extends string>(
  method: ApiOperation['method'],
  path: string,
  route: Route,
  row: HostDescription,
) =>
  defineOperation({
    method,
    path: `${HOSTS_PATH}${path}`,
    route: `${HOSTS_PATH}${route}` as const,
    description: describe(row),
  });

const ONE = { parameters: [HOST], schema: linkSchema('OwnHost') };
const exampleCounts = {
  batch_id: '5f0c2a7e9b1d',
  minute: '2026-11-28T15:04:00Z',
  rows: [{ agent: 'GPTBot', verification: 'verified', status: 200, path: '/docs', n: 3, bytes: 40_000 }],
};
const describeDay = (name: string, which: string) => ({
  name,
  in: 'query',
  description: `The ${which} day, \`2026-11-28\`: at most 92 days, the last 28 when absent`,
  schema: day,
});

/** Hosts of an account, and counts of who came to them. */
export const hostOperations = {
  claim: defineRow('POST', '', '', {
    id: 'claim_host',
    summary: 'A host that is to be proven',
    description: 'The answer says what to put into DNS or a file. A repeat changes nothing.',
    body: {
      schema: { ...object, required: ['host'], properties: { host: hostName } },
      example: { host: 'www.example.com' },
    },
    status: 201,
    schema: linkSchema('OwnHost'),
  }),
  list: defineRow('GET', '', '', {
    id: 'list_hosts',
    summary: 'The hosts of the account',
    description: 'At most 100.',
    schema: { ...object, required: ['hosts'], properties: { hosts: { type: 'array', items: linkSchema('OwnHost') } } },
  }),
  read: defineRow('GET', '/{host}', '/:host', {
    id: 'get_host',
    summary: 'One host',
    description: 'With what proves it.',
    ...ONE,
  }),
  look: defineRow('POST', '/{host}/look', '/:host/look', {
    id: 'look_for_proof',
    summary: 'The host after a look for its proof',
    description: 'Once a minute. A proof is looked for again every 30 days.',
    ...ONE,
  }),
  drop: defineRow('DELETE', '/{host}', '/:host', {
    id: 'drop_host',
    summary: 'Drops a host with its counts',
    description: 'Its token ends at once.',
    parameters: [HOST],
    status: 204,
  }),
  token: defineRow('POST', '/{host}/token', '/:host/token', {
    id: 'issue_counts_token',
    summary: 'A new token for counts; the one before it ends',
    description: 'Only while the host is proven.',
    parameters: [HOST],
    schema: {
      ...object,
      required: ['host', 'token', 'send_to'],
      properties: { host: text, token: text, send_to: text },
    },
  }),
  counts: defineRow('POST', '/{host}/counts', '/:host/counts', {
    id: 'send_counts',
    summary: 'Takes the requests of one minute, as counts',
    description: 'A repeat under the same `batch_id` counts once. Addresses and User-Agents are refused.',
    parameters: [HOST],
    body: { schema: linkSchema('Counts'), example: exampleCounts },
    security: [{ counts: [] }],
    status: 202,
    schema: { ...object, properties: { counted: { type: 'boolean' }, rows: { type: 'integer' } } },
  }),
  crawlers: defineRow('GET', '/{host}/crawlers', '/:host/crawlers', {
    id: 'read_crawlers',
    summary: 'Who came, by class and agent',
    description: 'From counts that the Worker of the host sent.',
    parameters: [HOST, describeDay('from', 'first'), describeDay('to', 'last')],
    schema: linkSchema('CrawlerReport'),
  }),
} as const;
