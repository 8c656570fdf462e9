import { defineArtifact, runLast, runLate } from '../core/artifact.ts';
import { readJsonLd, readTextEvidence } from './facts/derived.ts';
import { MAX_SCRIPT_FILES, readScriptFiles } from './facts/script-files.ts';
import { readSiteSearch } from './facts/site-search.ts';
import { MAX_LANGUAGE_VERSIONS, readLanguageVersions, readNextPage } from './facts/linked-pages.ts';
import { gatherLanguageVersions, gatherNextPage } from './gather/linked-pages.ts';
import { gatherScriptFiles, gatherSiteSearch } from './gather/page.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const pageArtifacts = {
  siteSearch: defineArtifact(readSiteSearch, ['siteSearch', 'page', 'control'], {
    siteSearch: runLate(gatherSiteSearch, { rank: 7, atMost: 1 }),
  }),
  scriptFiles: defineArtifact(readScriptFiles, ['scriptFiles', 'page'], {
    scriptFiles: runLast(gatherScriptFiles, { rank: 10, atMost: MAX_SCRIPT_FILES }),
  }),
  languageVersions: defineArtifact(readLanguageVersions, ['languageVersions', 'page'], {
    languageVersions: runLate(gatherLanguageVersions, { rank: 19, atMost: MAX_LANGUAGE_VERSIONS }),
  }),
  nextPage: defineArtifact(readNextPage, ['nextPage', 'page', 'sample'], {
    nextPage: runLate(gatherNextPage, { rank: 20, atMost: 1 }),
  }),
  jsonLd: defineArtifact(readJsonLd, ['page']),
  textEvidence: defineArtifact(readTextEvidence, ['page']),
};
