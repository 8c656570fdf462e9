import { defineArtifact, planLast, runFirst } from '../core/artifact.ts';
import { MAX_AUDIT_PAGES } from '../core/limits.ts';
import { gatherSample, MORE_AT_ONCE, planMorePages } from '../core/sample.ts';
import { gatherCanonical, gatherControl, gatherFaq, gatherPage, gatherSchemes } from '../page/gather/page.ts';
import {
  readCanonical,
  readControlAnswer,
  readFaqPage,
  readPageFacts,
  readSample,
  readSamplePages,
  readSchemes,
  readStart,
  readStartPageArtifact,
  readStartTimings,
} from './facts/site-files.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const reachArtifacts = {
  page: defineArtifact(readPageFacts, ['page'], {
    page: runFirst(gatherPage, { rank: 1 }),
  }),
  control: defineArtifact(readControlAnswer, ['control'], {
    control: runFirst(gatherControl, { rank: 2 }),
  }),
  schemes: defineArtifact(readSchemes, ['schemes'], {
    schemes: runFirst(gatherSchemes, { rank: 3 }),
  }),
  canonical: defineArtifact(readCanonical, ['page', 'canonical'], {
    canonical: runFirst(gatherCanonical, { rank: 4 }),
  }),
  sample: defineArtifact(readSample, ['sample', 'morePages', 'page'], {
    sample: runFirst(gatherSample, { rank: 8 }),
  }),
  faqPage: defineArtifact(readFaqPage, ['faq', 'page'], {
    faq: runFirst(gatherFaq, { rank: 9 }),
  }),
  samplePages: defineArtifact(readSamplePages, ['sample', 'morePages', 'page'], {
    morePages: planLast(planMorePages, { rank: 9, atMost: MAX_AUDIT_PAGES, atOnce: MORE_AT_ONCE }),
  }),
  start: defineArtifact(readStart, ['page']),
  startPage: defineArtifact(readStartPageArtifact, ['page']),
  startTimings: defineArtifact(readStartTimings, ['page', 'userAgents']),
};
