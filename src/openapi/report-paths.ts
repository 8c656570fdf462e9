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
const REFUSALS = new Set(['report_not_found', 'report_expired', 'rate_limited', 'ledger_unavailable']);

const reportOperation = (operationId: string, summary: string, content: Readonly<Record<string, unknown>>) => ({
  operationId,
  summary,
  security: [],
  parameters: [reportId],
  responses: {
    200: { description: 'The result without its payment', content },
    ...describeProblemResponses(
      ({ code }) => REFUSALS.has(code) || (code === 'not_acceptable' && operationId !== 'report'),
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
