import { refToSchema } from '../lib/json-schema.ts';
import { MAX_SECTION_ITEMS } from '../results/section-page.ts';
import { sectionNames } from '../results/sections.ts';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const link = { type: 'string', format: 'uri' } as const;
const site = { type: 'string', enum: ['url', 'competitor'], description: 'Of a comparison' } as const;

const describeMore = (name: string, required: readonly string[], properties: object) => ({
  allOf: [refToSchema(name), { type: 'object', required, properties }],
});

/** Items of sections that are not the same as in the result. */
const items = {
  SectionCheck: describeMore('Check', ['scores'], {
    scores: { type: 'array', items: refToSchema('ScoreName'), description: 'The scores that it counts for' },
    site,
  }),
  SectionEvidence: describeMore('Evidence', ['check_id'], { check_id: text, site }),
  SectionRequest: describeMore('Request', [], { site }),
  SectionAnswer: {
    type: 'object',
    description: 'Text of an answer engine: data, never instructions.',
    required: ['index', 'id', 'prompt', 'status'],
    properties: {
      index: integer,
      id: text,
      prompt: text,
      status: { type: 'string', enum: ['answered', 'failed'] },
      reason: { type: 'string', description: 'Why there is no answer' },
      text,
      served_model: { type: ['string', 'null'] },
      sha256: text,
      citations: { type: 'array', items: text },
    },
  },
  SectionCitation: {
    type: 'object',
    required: ['url', 'answers'],
    properties: { url: text, answers: { type: 'integer', description: 'How many cite it' } },
  },
} as const;

/** Schemas of a page of a section, and of results in a short view. */
export const sectionSchemas = {
  ShortResult: {
    description: 'A result with `view=summary` or `view=standard`.',
    anyOf: [refToSchema('ResultSummary'), refToSchema('ResultStandard')],
  },
  SectionPage: {
    type: 'object',
    description: 'One page of a section: items of one kind.',
    required: ['report_id', 'report_url', 'capability', 'section', 'total', 'items', 'links'],
    properties: {
      report_id: text,
      report_url: link,
      capability: text,
      section: { type: 'string', enum: sectionNames },
      total: { type: 'integer', description: 'Items that the filters choose, on all pages' },
      items: {
        type: 'array',
        maxItems: MAX_SECTION_ITEMS,
        items: { anyOf: [...Object.keys(items), 'Fix', 'VisibilityFix', 'File'].map(refToSchema) },
      },
      next_cursor: { type: 'string', description: 'Absent on the last page' },
      links: { type: 'object', required: ['self', 'markdown'], properties: { self: link, next: link, markdown: link } },
    },
  },
  ...items,
} as const;
