import { refToSchema } from '../lib/json-schema.ts';
import { describeProblemResponses } from '../problems/codes.ts';
import { sectionNames } from '../results/sections.ts';

const SECTION_REFUSALS = new Set(['unknown_section', 'invalid_filter', 'invalid_cursor']);

const describeFilter = (name: string, description: string, schema: Readonly<Record<string, unknown>>) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', ...schema },
});

/** @param reportId the parameter of the path; `readRefusals`: codes of every read of a report */
export const buildSectionDescription = (reportId: object, readRefusals: ReadonlySet<string>) => ({
  operationId: 'read_report_section',
  tags: ['reports'],
  summary: 'One section of a stored result, page by page, as JSON or Markdown',
  description:
    'A page has at most 50 items and 40 KB; a larger item is a page of its own. A report never changes, so each page has an ETag. With `.md` after the name the page is Markdown.',
  security: [],
  parameters: [
    reportId,
    {
      name: 'section',
      in: 'path',
      required: true,
      description: 'The summary of a result lists those that it has',
      schema: { type: 'string', enum: sectionNames },
    },
    describeFilter('status', 'Only items of this status, such as `fail` or `failed`', { maxLength: 20 }),
    describeFilter('score', 'Only checks, evidence and fixes of this score', { enum: ['aeo', 'geo', 'agent', 'mcp'] }),
    describeFilter('id', 'Only the item of this id: a check, fix, path of a file or id of a prompt', {
      maxLength: 200,
    }),
    describeFilter('cursor', '`next_cursor` of the page before', { maxLength: 200 }),
  ],
  responses: {
    200: {
      description: 'One page',
      headers: {
        ETag: { description: 'Strong; for If-None-Match', schema: { type: 'string' } },
        Link: { description: 'The next page: `rel="next"`, and the report as a page', schema: { type: 'string' } },
      },
      content: {
        'application/json': { schema: refToSchema('SectionPage') },
        'text/markdown': { schema: { type: 'string' } },
      },
    },
    304: { description: 'The page is the one that If-None-Match names' },
    ...describeProblemResponses(({ code }) => readRefusals.has(code) || SECTION_REFUSALS.has(code)),
  },
});
