import { resultViews } from '../results/view.ts';

/** In which view a result is read, and which of its members: of every answer that is one. */
export const readingParameters = [
  {
    name: 'view',
    in: 'query',
    required: false,
    description:
      'Size of the result: `summary` (at most 8 KB), `standard` (what needs a fix, with evidence; at most 60 KB) or `full`. `full` when absent.',
    schema: { type: 'string', enum: resultViews },
  },
  {
    name: 'fields',
    in: 'query',
    required: false,
    description: 'Members to answer with, such as `scores/aeo/score,summary(text)`; at most 100 paths, each 10 deep',
    schema: { type: 'string', maxLength: 20_000 },
  },
  {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`return=minimal` is the summary and `return=representation` the full view, where `view` is absent (RFC 7240)',
    schema: { type: 'string' },
  },
] as const;

/** Of every answer that is a result. */
export const readingHeaders = {
  Link: { description: 'The report as a page: `rel="alternate"`', schema: { type: 'string' } },
  'Preference-Applied': { description: 'The preference of `Prefer` that was followed', schema: { type: 'string' } },
} as const;
