import { describeProblemResponses } from '../problems/codes.ts';

export const reportId = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
};

const text = { schema: { type: 'string' } };
/** The media types of a report, and the endings under which each has an address of its own. */
const FORMS = {
  'application/json': { schema: { type: 'object' } },
  'text/html': text,
  'text/markdown': text,
  'application/sarif+json': { schema: { type: 'object' } },
} as const;
const READ_REFUSALS = new Set(['report_not_found', 'report_expired', 'rate_limited', 'ledger_unavailable']);

const reportOperation = (operationId: string, summary: string, content: Readonly<Record<string, unknown>>) => ({
  operationId,
  summary,
  security: [],
  parameters: [reportId],
  responses: {
    200: { description: 'The result without its payment', content },
    ...describeProblemResponses(
      ({ code }) => READ_REFUSALS.has(code) || (code === 'not_acceptable' && operationId !== 'report'),
    ),
  },
});

const describeForm = (name: string, type: keyof typeof FORMS) =>
  reportOperation(`report${name}`, `A stored result as ${name}`, { [type]: FORMS[type] });

/** A stored result, by its id: in the form that `Accept` prefers, and in each form. */
export const reportPaths = {
  '/reports/{id}': {
    get: reportOperation(
      'reportAsAccepted',
      'A stored result, for 30 days, by its unguessable id, in the form that Accept prefers; JSON where it accepts anything',
      FORMS,
    ),
  },
  '/reports/{id}.json': {
    get: reportOperation('report', 'A stored result, for 30 days, by its unguessable id', {
      'application/json': FORMS['application/json'],
    }),
  },
  '/reports/{id}.html': { get: describeForm('Html', 'text/html') },
  '/reports/{id}.md': { get: describeForm('Markdown', 'text/markdown') },
  '/reports/{id}.sarif': { get: describeForm('Sarif', 'application/sarif+json') },
};

const host = {
  name: 'host',
  in: 'path',
  required: true,
  description: 'Host name of the audited site, with its port unless that is 443: a site read by http has :80',
  schema: { type: 'string' },
};

const answer = {
  description: 'How it stands now',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['report_id', 'published'],
        properties: {
          report_id: { type: 'string' },
          published: { type: 'boolean' },
          host: { type: 'string' },
          badge: { type: 'string', format: 'uri' },
          history: { type: 'string', format: 'uri' },
        },
      },
    },
  },
};

const describePostedBody = (more: Readonly<Record<string, unknown>>) => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['publish_token'],
        properties: {
          publish_token: { type: 'string', description: 'From the answer to the purchase of the report' },
          ...more,
        },
      },
    },
  },
});

const PUBLISH_REFUSALS = new Set([
  'publish_refused',
  'report_not_found',
  'report_expired',
  'rate_limited',
  'foreign_origin',
]);

const publishOperation = {
  operationId: 'publish',
  summary: 'Makes a whole bought report public, fixes and files included',
  description:
    'Badge and history of its host show its scores, the history links to the report, and search engines may find it.',
  security: [],
  parameters: [reportId],
  requestBody: describePostedBody({}),
  responses: {
    200: answer,
    ...describeProblemResponses(({ code }) => PUBLISH_REFUSALS.has(code) || code === 'not_publishable'),
  },
};

const unpublishOperation = {
  operationId: 'unpublish',
  summary: 'Takes a published report back from badge and history',
  description: 'Search engines are told again to keep it out. Who has its address can still read it until it expires.',
  security: [],
  parameters: [reportId],
  requestBody: describePostedBody({
    host: { type: 'string', description: 'Host of the report, where the report itself can no longer be read' },
  }),
  responses: { 200: answer, ...describeProblemResponses(({ code }) => PUBLISH_REFUSALS.has(code)) },
};

const describeChoice = (name: string, values: readonly string[]) => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'string', enum: values },
});

const badgeOperation = {
  operationId: 'badge',
  summary: 'The newest published scores of a host as an image; one constant image where nothing is published',
  security: [],
  parameters: [
    host,
    describeChoice('score', ['aeo', 'geo', 'agent', 'mcp']),
    describeChoice('theme', ['light', 'dark']),
  ],
  responses: {
    200: { description: 'The badge', content: { 'image/svg+xml': { schema: { type: 'string' } } } },
    304: { description: 'The badge did not change' },
  },
};

const reportChoice = (name: string, description: string) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
});

const historyOperation = {
  operationId: 'history',
  summary: 'Published reports of a host, newest first, and what changed between two of them, by check id',
  security: [],
  parameters: [
    host,
    reportChoice('from', 'The earlier report of the comparison; the one before `to` when absent'),
    reportChoice('to', 'The later report of the comparison; the newest when absent'),
  ],
  responses: {
    200: {
      description: 'The history',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['host', 'url', 'entries', 'changes'],
            properties: {
              host: { type: 'string' },
              url: { type: 'string', format: 'uri' },
              entries: {
                type: 'array',
                items: { type: 'object', required: ['report_id', 'at', 'scores', 'statuses'] },
              },
              changes: { type: ['object', 'null'] },
            },
          },
        },
      },
    },
    ...describeProblemResponses(({ code }) => code === 'history_not_found' || code === 'rate_limited'),
  },
};

/** Publishing of reports, and what shows published ones. */
export const publishPaths = {
  '/reports/{id}/publish': { post: publishOperation },
  '/reports/{id}/unpublish': { post: unpublishOperation },
  '/badge/{host}.svg': { get: badgeOperation },
  '/history/{host}.json': { get: historyOperation },
} as const;
