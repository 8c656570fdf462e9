import { describeProblemResponses } from '../problems/codes.ts';
import { sectionNames } from '../results/sections.ts';

const SECTION_REFUSALS = new Set(['unknown_section', 'invalid_filter', 'invalid_cursor']);

const describeFilter = (name: string, description: string, schema: Readonly<Record<string, unknown>>) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

/** One page of a section. */
const sectionPageSchema = {
  type: 'object',
  required: ['report_id', 'report_url', 'capability', 'section', 'total', 'items', 'links'],
  properties: {
    report_id: { type: 'string' },
    report_url: { type: 'string', format: 'uri' },
    capability: { type: 'string' },
    section: { type: 'string', enum: sectionNames },
    total: { type: 'integer', description: 'Items that the filters choose, on all pages' },
    items: { type: 'array', maxItems: 50, items: { type: 'object' } },
    next_cursor: { type: 'string', description: 'Absent on the last page' },
    links: {
      type: 'object',
      required: ['self', 'markdown'],
      properties: {
        self: { type: 'string', format: 'uri' },
        next: { type: 'string', format: 'uri' },
        markdown: { type: 'string', format: 'uri' },
      },
    },
  },
} as const;

/** @param reportId the parameter of the path; `readRefusals`: codes of every read of a report */
export const buildSectionDescription = (reportId: object, readRefusals: ReadonlySet<string>) => ({
  operationId: 'reportSection',
  summary: 'One section of a stored result, page by page, as JSON or Markdown',
  description:
    'A page has at most 50 items and 40 KB; a larger item is a page of its own. A report never changes, so each page has an ETag. With `.md` after the name the page is Markdown.',
  security: [],
  parameters: [
    reportId,
    { name: 'section', in: 'path', required: true, schema: { type: 'string', enum: sectionNames } },
    describeFilter('status', 'Only items of this status, such as `fail` or `failed`', {}),
    describeFilter('score', 'Only checks, evidence and fixes of this score', { enum: ['aeo', 'geo', 'agent', 'mcp'] }),
    describeFilter('id', 'Only the item of this id: a check, fix, path of a file or id of a prompt', {
      maxLength: 200,
    }),
    describeFilter('cursor', '`next_cursor` of the page before', {}),
  ],
  responses: {
    200: {
      description: 'One page',
      headers: {
        ETag: { description: 'Strong; for If-None-Match', schema: { type: 'string' } },
        Link: { description: 'The next page: `rel="next"`, and the report as a page', schema: { type: 'string' } },
      },
      content: { 'application/json': { schema: sectionPageSchema }, 'text/markdown': { schema: { type: 'string' } } },
    },
    304: { description: 'The page is the one that If-None-Match names' },
    ...describeProblemResponses(({ code }) => readRefusals.has(code) || SECTION_REFUSALS.has(code)),
  },
});
