import { defineArtifact, planLate } from '../core/artifact.ts';
import { readCitations } from './facts/cited-sources.ts';
import { planCitations } from './gather/citations.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const textArtifacts = {
  citations: defineArtifact(readCitations, ['citations', 'page'], {
    citations: planLate(planCitations, { rank: 4, atMost: 5 }),
  }),
};
