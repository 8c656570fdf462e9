import { defineArtifact, runLate } from '../core/artifact.ts';
import { readCitations } from './facts/cited-sources.ts';
import { gatherCitations } from './gather/citations.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const textArtifacts = {
  citations: defineArtifact(readCitations, ['citations', 'page'], {
    citations: runLate(gatherCitations, { rank: 4, atMost: 5 }),
  }),
};
