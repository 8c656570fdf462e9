import { describeProblemResponses } from '../problems/codes.ts';
import { linkSchema } from '../lib/json-schema.ts';
import { defineOperation } from './operation.ts';
import { REPORT_ROUTE, reportIdRef } from './report-operations.ts';

const host = {
  name: 'host',
  in: 'path',
  required: true,
  description: 'Host name of the audited site, with its port unless that is 443: a site read by http has :80',
  schema: { type: 'string', maxLength: 300 },
};

const answer = {
  description: 'The state after the call',
  content: { 'application/json': { schema: linkSchema('Publication') } },
};

const describePostedBody = (schema: string, example: Readonly<Record<string, unknown>>) => ({
  required: true,
  content: { 'application/json': { schema: linkSchema(schema), example } },
});
const EXAMPLE_TOKEN = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const PUBLISH_REFUSALS = new Set([
  'publish_refused',
  'report_not_found',
  'report_expired',
  'rate_limited',
  'foreign_origin',
  'internal_error',
]);

const publishDescription = {
  operationId: 'publish_report',
  tags: ['publishing'],
  summary: 'Makes a whole bought report public, fixes and files included',
  description:
    'Badge and history of its host show its scores, the history links to the report, and search engines may find it.',
  security: [],
  parameters: [reportIdRef],
  requestBody: describePostedBody('PublishBody', { publish_token: EXAMPLE_TOKEN }),
  responses: {
    200: answer,
    ...describeProblemResponses(({ code }) => PUBLISH_REFUSALS.has(code) || code === 'not_publishable'),
  },
};

const unpublishDescription = {
  operationId: 'unpublish_report',
  tags: ['publishing'],
  summary: 'Takes a published report back from badge and history',
  description:
    'Search engines are asked again to leave it out. Anyone who has its address can still read it until it expires.',
  security: [],
  parameters: [reportIdRef],
  requestBody: describePostedBody('UnpublishBody', { publish_token: EXAMPLE_TOKEN, host: 'example.com' }),
  responses: { 200: answer, ...describeProblemResponses(({ code }) => PUBLISH_REFUSALS.has(code)) },
};

const describeChoice = (name: string, description: string, values: readonly string[]) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', enum: values },
});

const badgeDescription = {
  operationId: 'get_badge',
  tags: ['publishing'],
  summary: 'The newest published scores of a host as an image',
  description: 'One constant image where nothing is published, so that no page that shows it breaks.',
  security: [],
  parameters: [
    host,
    describeChoice('score', 'Only this score; all of them when absent', ['aeo', 'geo', 'agent', 'mcp']),
    describeChoice('theme', 'Colours of the page around it; light when absent', ['light', 'dark']),
  ],
  responses: {
    200: { description: 'The badge', content: { 'image/svg+xml': { schema: { type: 'string' } } } },
    304: { description: 'The badge did not change' },
  },
};

const reportChoice = (name: string, description: string) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
});

const historyDescription = {
  operationId: 'read_history',
  tags: ['publishing'],
  summary: 'Published reports of a host, newest first',
  description: 'And what changed between two of them, by check id: the two newest unless the query names others.',
  security: [],
  parameters: [
    host,
    reportChoice('from', 'The earlier report of the comparison; the one before `to` when absent'),
    reportChoice('to', 'The later report of the comparison; the newest when absent'),
    {
      name: 'cursor',
      in: 'query',
      description: '`next_cursor` of the page before. `changes` is the same on every page',
      schema: { type: 'string', maxLength: 200 },
    },
  ],
  responses: {
    200: {
      description: 'The history',
      content: { 'application/json': { schema: linkSchema('History') } },
    },
    ...describeProblemResponses(({ code }) =>
      ['history_not_found', 'rate_limited', 'invalid_cursor', 'internal_error'].includes(code),
    ),
  },
};

/** Publishing of reports, and what shows published ones. */
export const publishOperations = {
  publish: defineOperation({
    method: 'POST',
    path: '/reports/{id}/publish',
    route: `${REPORT_ROUTE}/publish`,
    description: publishDescription,
  }),
  unpublish: defineOperation({
    method: 'POST',
    path: '/reports/{id}/unpublish',
    route: `${REPORT_ROUTE}/unpublish`,
    description: unpublishDescription,
  }),
  badge: defineOperation({
    method: 'GET',
    path: '/badge/{host}.svg',
    route: '/badge/:file{.+\\.svg}',
    description: badgeDescription,
  }),
  /** The same route shows the page of a history, without the ending. */
  history: defineOperation({
    method: 'GET',
    path: '/history/{host}.json',
    route: '/history/:host{[^/]+}',
    description: historyDescription,
  }),
};
