import { defineArtifact, planLast, planLate } from '../core/artifact.ts';
import { readJsonLd, readTextEvidence } from './facts/derived.ts';
import { MAX_SCRIPT_FILES, readScriptFiles } from './facts/script-files.ts';
import { readSiteSearch } from './facts/site-search.ts';
import { MAX_LANGUAGE_VERSIONS, readLanguageVersions, readNextPage } from './facts/linked-pages.ts';
import { planLanguageVersions, planNextPage } from './gather/linked-pages.ts';
import { planScriptFiles, planSiteSearch } from './gather/page.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const pageArtifacts = {
  siteSearch: defineArtifact(readSiteSearch, ['siteSearch', 'page', 'control'], {
    siteSearch: planLate(planSiteSearch, { rank: 7, atMost: 1 }),
  }),
  scriptFiles: defineArtifact(readScriptFiles, ['scriptFiles', 'page'], {
    scriptFiles: planLast(planScriptFiles, { rank: 10, atMost: MAX_SCRIPT_FILES }),
  }),
  languageVersions: defineArtifact(readLanguageVersions, ['languageVersions', 'page'], {
    languageVersions: planLate(planLanguageVersions, { rank: 19, atMost: MAX_LANGUAGE_VERSIONS }),
  }),
  nextPage: defineArtifact(readNextPage, ['nextPage', 'page', 'sample'], {
    nextPage: planLate(planNextPage, { rank: 20, atMost: 1 }),
  }),
  jsonLd: defineArtifact(readJsonLd, ['page']),
  textEvidence: defineArtifact(readTextEvidence, ['page']),
};
