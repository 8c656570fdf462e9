import { resultViews } from '../results/view.ts';

/** In which view a result is read, and which of its members: of every answer that is one. */
export const readingParameters = {
  View: {
    name: 'view',
    in: 'query',
    description:
      'Size of the result: `summary` (at most 8 KB), `standard` (what needs a fix, with evidence; at most 60 KB) or `full`. `full` when absent.',
    schema: { type: 'string', enum: resultViews },
  },
  Fields: {
    name: 'fields',
    in: 'query',
    description: 'Members to answer with, such as `scores/aeo/score,summary(text)`; at most 100 paths, each 10 deep',
    schema: { type: 'string', maxLength: 20_000 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`return=minimal` is the summary and `return=representation` the full view, where `view` is absent (RFC 7240)',
    schema: { type: 'string', maxLength: 200 },
  },
} as const;

export const readingParameterRefs = Object.keys(readingParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** Of every answer that is a result. */
export const readingHeaders = {
  Link: { description: 'The report as a page: `rel="alternate"`', schema: { type: 'string' } },
  PreferenceApplied: { description: 'The preference of `Prefer` that was followed', schema: { type: 'string' } },
} as const;

export const readingHeaderRefs = {
  Link: { $ref: '#/components/headers/Link' },
  'Preference-Applied': { $ref: '#/components/headers/PreferenceApplied' },
} as const;
