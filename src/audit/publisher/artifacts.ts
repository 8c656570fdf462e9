import { defineArtifact, runLate } from '../core/artifact.ts';
import { readAboutPages } from './facts/about-pages.ts';
import { readAuthorPage, readLicence } from './facts/stated-links.ts';
import { gatherAbout, gatherAuthor, gatherLicence } from './gather/publisher.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const publisherArtifacts = {
  aboutPages: defineArtifact(readAboutPages, ['about', 'page', 'control'], {
    about: runLate(gatherAbout, { rank: 2, atMost: 2 }),
  }),
  authorPage: defineArtifact(readAuthorPage, ['author', 'sample', 'page', 'control'], {
    author: runLate(gatherAuthor, { rank: 5, atMost: 1 }),
  }),
  licence: defineArtifact(readLicence, ['licence', 'page', 'control'], {
    licence: runLate(gatherLicence, { rank: 6, atMost: 1 }),
  }),
};
