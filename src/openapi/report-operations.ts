import { describeProblemResponses } from '../problems/codes.ts';
import { linkSchema } from '../lib/json-schema.ts';
import { describeViews } from './components.ts';
import { linkExample } from './examples.ts';
import { defineOperation } from './operation.ts';
import { readingHeaderRefs, readingParameterRefs } from './reading-parameters.ts';
import { buildSectionDescription } from './section-operation.ts';

const reportId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `report_id` of the purchase',
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  example: '0123456789abcdef0123456789abcdef',
} as const;

/** Parameters that several operations share. */
export const reportParameters = {
  ReportId: reportId,
  RunId: { ...reportId, description: 'The `run_id` of the measurement' },
} as const;

export const reportIdRef = { $ref: '#/components/parameters/ReportId' } as const;

const text = { schema: { type: 'string' } };
/** The media types of a report, and the endings under which each has an address of its own. */
const FORMS = {
  'application/json': { schema: describeViews(linkSchema('StoredReport')), examples: linkExample('full_audit') },
  'text/html': text,
  'text/markdown': text,
  'application/sarif+json': { schema: linkSchema('SarifLog') },
  'application/zip': { schema: { type: 'string', format: 'binary' } },
} as const;
const READ_REFUSALS = new Set([
  'report_not_found',
  'report_expired',
  'rate_limited',
  'ledger_unavailable',
  'internal_error',
]);

const STORED = 'Stored for 30 days, for all who have its id.';

const READING_REFUSALS = new Set(['invalid_view', 'invalid_fields']);

const reportOperation = (operationId: string, summary: string, content: Readonly<Record<string, unknown>>) => ({
  operationId,
  tags: ['reports'],
  summary,
  description: STORED,
  security: [],
  parameters: [reportIdRef, ...('application/json' in content ? readingParameterRefs : [])],
  responses: {
    200: {
      description: 'The result without its payment',
      ...('application/json' in content ? { headers: readingHeaderRefs } : {}),
      content,
    },
    ...describeProblemResponses(
      ({ code }) =>
        READ_REFUSALS.has(code) ||
        (code === 'not_acceptable' && operationId !== 'read_report_json') ||
        ('application/json' in content && READING_REFUSALS.has(code)),
    ),
  },
});

const describeForm = (name: string, type: keyof typeof FORMS) =>
  reportOperation(`read_report_${name.toLowerCase()}`, `A stored result as ${name}`, { [type]: FORMS[type] });

export const REPORT_ROUTE = '/reports/:id{[0-9a-f]{32}}';
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
      'read_report',
      'A stored result in the form that Accept prefers; JSON where it accepts anything',
      FORMS,
    ),
  }),
  json: defineForm(
    'json',
    reportOperation('read_report_json', 'A stored result as JSON', {
      'application/json': FORMS['application/json'],
    }),
  ),
  html: defineForm('html', describeForm('HTML', 'text/html')),
  md: defineForm('md', describeForm('Markdown', 'text/markdown')),
  sarif: defineForm('sarif', describeForm('SARIF', 'application/sarif+json')),
  zip: defineForm(
    'zip',
    reportOperation('read_report_zip', 'The files of a stored result as a ZIP file, where the capability makes files', {
      'application/zip': FORMS['application/zip'],
    }),
  ),
  pdf: defineForm('pdf', {
    operationId: 'read_report_pdf',
    tags: ['reports'],
    summary: 'A stored result as a PDF of at most four pages; of every detail with `print=full`',
    description: `${STORED} In the language that \`Accept-Language\` prefers: English or German.`,
    security: [],
    parameters: [
      reportIdRef,
      {
        name: 'print',
        in: 'query',
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
    description: buildSectionDescription(reportIdRef, READ_REFUSALS),
  }),
  snapshot: defineOperation({
    method: 'GET',
    path: '/reports/{id}/snapshot',
    route: `${REPORT_ROUTE}/snapshot`,
    description: {
      operationId: 'read_report_snapshot',
      tags: ['reports'],
      summary: 'Everything a stored result was made from',
      description: '`sightline replay` makes the same result from it, offline.',
      security: [],
      parameters: [reportIdRef],
      responses: {
        200: {
          description: 'The recorded requests and answers, secrets of the site left out; to be saved as a file',
          content: {
            'application/json': { schema: linkSchema('Recording') },
          },
        },
        ...describeProblemResponses(({ code }) =>
          ['report_not_found', 'report_expired', 'rate_limited', 'internal_error'].includes(code),
        ),
      },
    },
  }),
  run: defineOperation({
    method: 'GET',
    path: '/runs/{id}.json',
    route: '/runs/:file{[0-9a-f]{32}\\.json}',
    description: {
      operationId: 'read_run',
      tags: ['reports'],
      summary: 'The answers that a paid measurement was made from',
      description:
        'Stored for 30 days under the unguessable id of the run. `sightline replay` measures again from it, offline.',
      security: [],
      parameters: [{ $ref: '#/components/parameters/RunId' }],
      responses: {
        200: {
          description:
            'Prompts answered: text, served model, SHA-256; `sightline replay` makes the same result from it',
          content: { 'application/json': { schema: linkSchema('RunRecording') } },
        },
        ...describeProblemResponses(({ code }) => ['run_not_found', 'rate_limited', 'internal_error'].includes(code)),
      },
    },
  }),
};
