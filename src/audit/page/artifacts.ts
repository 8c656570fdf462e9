import { defineArtifact } from '../core/artifact.ts';
import { readJsonLd, readTextEvidence } from './facts/derived.ts';
import { MAX_SCRIPT_FILES, readScriptFiles } from './facts/script-files.ts';
import { readSiteSearch } from './facts/site-search.ts';
import { gatherScriptFiles, gatherSiteSearch } from './gather/page.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const pageArtifacts = {
  siteSearch: defineArtifact({
    parse: readSiteSearch,
    from: ['siteSearch', 'page', 'control'],
    gather: {
      siteSearch: { run: gatherSiteSearch, wave: 'late', rank: 7, atMost: 1 },
    },
  }),
  scriptFiles: defineArtifact({
    parse: readScriptFiles,
    from: ['scriptFiles', 'page'],
    gather: {
      scriptFiles: { run: gatherScriptFiles, wave: 'last', rank: 8, atMost: MAX_SCRIPT_FILES },
    },
  }),
  jsonLd: defineArtifact({
    parse: readJsonLd,
    from: ['page'],
  }),
  textEvidence: defineArtifact({
    parse: readTextEvidence,
    from: ['page'],
  }),
};
