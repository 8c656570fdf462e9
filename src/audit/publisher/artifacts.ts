import { defineArtifact, planLate } from '../core/artifact.ts';
import { readAboutPages } from './facts/about-pages.ts';
import { readAuthorPage, readLicence } from './facts/stated-links.ts';
import { planAbout, planAuthor, planLicence } from './gather/publisher.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const publisherArtifacts = {
  aboutPages: defineArtifact(readAboutPages, ['about', 'page', 'control'], {
    about: planLate(planAbout, { rank: 2, atMost: 2 }),
  }),
  authorPage: defineArtifact(readAuthorPage, ['author', 'sample', 'page', 'control'], {
    author: planLate(planAuthor, { rank: 5, atMost: 1 }),
  }),
  licence: defineArtifact(readLicence, ['licence', 'page', 'control'], {
    licence: planLate(planLicence, { rank: 6, atMost: 1 }),
  }),
};
