import { defineArtifact } from '../core/artifact.ts';
import { readAboutPages } from './facts/about-pages.ts';
import { readAuthorPage } from './facts/author.ts';
import { readLicence } from './facts/licence.ts';
import { gatherAbout } from './gather/about.ts';
import { gatherAuthor, gatherLicence } from './gather/publisher.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const publisherArtifacts = {
  aboutPages: defineArtifact({
    parse: readAboutPages,
    from: ['about', 'page', 'control'],
    gather: {
      about: { run: gatherAbout, wave: 'late', rank: 2, atMost: 2 },
    },
  }),
  authorPage: defineArtifact({
    parse: readAuthorPage,
    from: ['author', 'page', 'control'],
    gather: {
      author: { run: gatherAuthor, wave: 'late', rank: 5, atMost: 1 },
    },
  }),
  licence: defineArtifact({
    parse: readLicence,
    from: ['licence', 'page', 'control'],
    gather: {
      licence: { run: gatherLicence, wave: 'late', rank: 6, atMost: 1 },
    },
  }),
};
