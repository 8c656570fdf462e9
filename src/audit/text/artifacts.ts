import { defineArtifact } from '../core/artifact.ts';
import { readCitations } from './facts/citations.ts';
import { gatherCitations } from './gather/citations.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const textArtifacts = {
  citations: defineArtifact({
    parse: readCitations,
    from: ['citations', 'page'],
    gather: {
      citations: { run: gatherCitations, wave: 'late', rank: 4, atMost: 5 },
    },
  }),
};
