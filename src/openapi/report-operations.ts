import { describeProblemResponses } from '../problems/codes.ts';
import { defineOperation } from './operation.ts';
import { readingHeaders, readingParameters } from './reading-parameters.ts';
import { buildSectionDescription } from './section-description.ts';

const reportId = {
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
  'application/zip': { schema: { type: 'string', format: 'binary' } },
} as const;
const READ_REFUSALS = new Set(['report_not_found', 'report_expired', 'rate_limited', 'ledger_unavailable']);

const READING_REFUSALS = new Set(['invalid_view', 'invalid_fields']);

const reportOperation = (operationId: string, summary: string, content: Readonly<Record<string, unknown>>) => ({
  operationId,
  summary,
  security: [],
  parameters: [reportId, ...('application/json' in content ? readingParameters : [])],
  responses: {
    200: {
      description: 'The result without its payment',
      ...('application/json' in content ? { headers: readingHeaders } : {}),
      content,
    },
    ...describeProblemResponses(
      ({ code }) =>
        READ_REFUSALS.has(code) ||
        (code === 'not_acceptable' && operationId !== 'report') ||
        ('application/json' in content && READING_REFUSALS.has(code)),
    ),
  },
});

const describeForm = (name: string, type: keyof typeof FORMS) =>
  reportOperation(`report${name}`, `A stored result as ${name}`, { [type]: FORMS[type] });

const REPORT_ROUTE = '/reports/:id{[0-9a-f]{32}}';
/** One route for all forms: it refuses an ending that is no form. */
const FORM_ROUTE = '/reports/:file{[0-9a-f]{32}\\.[a-z]{2,5}}';

const defineForm = (ending: string, description: Readonly<Record<string, unknown>>) =>
  defineOperation({ method: 'GET', path: `/reports/{id}.${ending}`, route: FORM_ROUTE, description });

/** A stored result, by its id: in the form that `Accept` prefers, and in each form; and what it was made from. */
export const reportOperations = {
  asAccepted: defineOperation({
    method: 'GET',
    path: '/reports/{id}',
    route: REPORT_ROUTE,
    description: reportOperation(
      'reportAsAccepted',
      'A stored result, for 30 days, by its unguessable id, in the form that Accept prefers; JSON where it accepts anything',
      FORMS,
    ),
  }),
  json: defineForm(
    'json',
    reportOperation('report', 'A stored result, for 30 days, by its unguessable id', {
      'application/json': FORMS['application/json'],
    }),
  ),
  html: defineForm('html', describeForm('Html', 'text/html')),
  md: defineForm('md', describeForm('Markdown', 'text/markdown')),
  sarif: defineForm('sarif', describeForm('Sarif', 'application/sarif+json')),
  zip: defineForm(
    'zip',
    reportOperation('reportZip', 'The files of a stored result as a ZIP file, for capabilities that make files', {
      'application/zip': FORMS['application/zip'],
    }),
  ),
  pdf: defineForm('pdf', {
    operationId: 'reportPdf',
    summary: 'A stored result as a PDF of at most four pages; of every detail with `print=full`',
    security: [],
    parameters: [
      reportId,
      {
        name: 'print',
        in: 'query',
        required: false,
        description: '`full` opens every detail: 100 pages and more',
        schema: { type: 'string', enum: ['full'] },
      },
    ],
    responses: {
      200: { description: 'The PDF', content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } },
      ...describeProblemResponses(
        ({ code }) => READ_REFUSALS.has(code) || code === 'not_acceptable' || code === 'pdf_unavailable',
      ),
    },
  }),
  section: defineOperation({
    method: 'GET',
    path: '/reports/{id}/sections/{section}',
    route: `${REPORT_ROUTE}/sections/:section`,
    description: buildSectionDescription(reportId, READ_REFUSALS),
  }),
  snapshot: defineOperation({
    method: 'GET',
    path: '/reports/{id}/snapshot',
    route: `${REPORT_ROUTE}/snapshot`,
    description: {
      operationId: 'snapshot',
      summary: 'Everything a stored result was made from: `sightline replay` makes the same result from it, offline',
      security: [],
      parameters: [reportId],
      responses: {
        200: {
          description: 'The recorded requests and answers, secrets of the site left out; to be saved as a file',
          content: {
            'application/json': { schema: { type: 'object', required: ['version', 'capability', 'snapshots'] } },
          },
        },
        ...describeProblemResponses(({ code }) =>
          ['report_not_found', 'report_expired', 'rate_limited'].includes(code),
        ),
      },
    },
  }),
  run: defineOperation({
    method: 'GET',
    path: '/runs/{id}.json',
    route: '/runs/:file{[0-9a-f]{32}\\.json}',
    description: {
      operationId: 'run',
      summary: 'The answers that a paid measurement was made from, for 30 days, by the unguessable id of its run',
      security: [],
      parameters: [reportId],
      responses: {
        200: {
          description:
            'Prompts answered: text, served model, SHA-256; `sightline replay` makes the same result from it',
          content: { 'application/json': { schema: { type: 'object', required: ['version', 'capability', 'run'] } } },
        },
        ...describeProblemResponses((row) => row.code === 'run_not_found' || row.code === 'rate_limited'),
      },
    },
  }),
};

const host = {
  name: 'host',
  in: 'path',
  required: true,
  description: 'Host name of the audited site, with its port unless that is 443: a site read by http has :80',
  schema: { type: 'string' },
};

const answer = {
  description: 'The state after the call',
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

const publishDescription = {
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

const unpublishDescription = {
  operationId: 'unpublish',
  summary: 'Takes a published report back from badge and history',
  description:
    'Search engines are asked again to leave it out. Anyone who has its address can still read it until it expires.',
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

const badgeDescription = {
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

const historyDescription = {
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
