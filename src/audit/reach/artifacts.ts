import { defineArtifact } from '../core/artifact.ts';
import { MAX_AUDIT_PAGES } from '../core/limits.ts';
import { gatherMorePages, gatherSample } from '../core/sample.ts';
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
} from './facts/site-files.ts';
import { readStartTimings } from './facts/start-timings.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const reachArtifacts = {
  page: defineArtifact({
    parse: readPageFacts,
    from: ['page'],
    gather: {
      page: { run: gatherPage, wave: 'first', rank: 1 },
    },
  }),
  control: defineArtifact({
    parse: readControlAnswer,
    from: ['control'],
    gather: {
      control: { run: gatherControl, wave: 'first', rank: 2 },
    },
  }),
  schemes: defineArtifact({
    parse: readSchemes,
    from: ['schemes'],
    gather: {
      schemes: { run: gatherSchemes, wave: 'first', rank: 3 },
    },
  }),
  canonical: defineArtifact({
    parse: readCanonical,
    from: ['page', 'canonical'],
    gather: {
      canonical: { run: gatherCanonical, wave: 'first', rank: 4 },
    },
  }),
  sample: defineArtifact({
    parse: readSample,
    from: ['sample', 'morePages', 'page'],
    gather: {
      sample: { run: gatherSample, wave: 'first', rank: 8 },
    },
  }),
  faqPage: defineArtifact({
    parse: readFaqPage,
    from: ['faq', 'page'],
    gather: {
      faq: { run: gatherFaq, wave: 'first', rank: 9 },
    },
  }),
  samplePages: defineArtifact({
    parse: readSamplePages,
    from: ['sample', 'morePages', 'page'],
    gather: {
      morePages: { run: gatherMorePages, wave: 'last', rank: 7, atMost: MAX_AUDIT_PAGES },
    },
  }),
  start: defineArtifact({
    parse: readStart,
    from: ['page'],
  }),
  startPage: defineArtifact({
    parse: readStartPageArtifact,
    from: ['page'],
  }),
  startTimings: defineArtifact({
    parse: readStartTimings,
    from: ['page', 'userAgents'],
  }),
};
