import { defineArtifact, runLast, runLate } from '../core/artifact.ts';
import { readJsonLd, readTextEvidence } from './facts/derived.ts';
import { MAX_SCRIPT_FILES, readScriptFiles } from './facts/script-files.ts';
import { readSiteSearch } from './facts/site-search.ts';
import { gatherScriptFiles, gatherSiteSearch } from './gather/page.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const pageArtifacts = {
  siteSearch: defineArtifact(readSiteSearch, ['siteSearch', 'page', 'control'], {
    siteSearch: runLate(gatherSiteSearch, { rank: 7, atMost: 1 }),
  }),
  scriptFiles: defineArtifact(readScriptFiles, ['scriptFiles', 'page'], {
    scriptFiles: runLast(gatherScriptFiles, { rank: 10, atMost: MAX_SCRIPT_FILES }),
  }),
  jsonLd: defineArtifact(readJsonLd, ['page']),
  textEvidence: defineArtifact(readTextEvidence, ['page']),
};
