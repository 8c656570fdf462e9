import { defineArtifact, runFirst, planLate } from '../core/artifact.ts';
import { readAgentTexts, readLlms, readLlmsFull, readLlmsLinks, readLlmsPointers } from './facts/llms-files.ts';
import {
  readMarkdownCopies,
  readMarkdownCopy,
  readMarkdownPreference,
  readMarkdownVariant,
} from './facts/markdown-copies.ts';
import { readOwnPlaces } from './facts/own-places.ts';
import { gatherLlms } from './gather/llms.ts';
import { gatherMarkdown, gatherMarkdownCopy, planMarkdownForm, planMarkdownLast } from './gather/markdown-copy.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const llmsTxtArtifacts = {
  markdownCopy: defineArtifact(readMarkdownCopy, ['markdownCopy', 'page', 'control'], {
    markdownCopy: runFirst(gatherMarkdownCopy, { rank: 10 }),
  }),
  llms: defineArtifact(readLlms, ['llms', 'control'], {
    llms: runFirst(gatherLlms, { rank: 14 }),
  }),
  markdown: defineArtifact(readMarkdownVariant, ['markdown', 'page'], {
    markdown: runFirst(gatherMarkdown, { rank: 15 }),
  }),
  markdownPreference: defineArtifact(readMarkdownPreference, ['markdownLast', 'markdown', 'page'], {
    markdownLast: planLate(planMarkdownLast, { rank: 14, atMost: 1 }),
  }),
  markdownCopies: defineArtifact(readMarkdownCopies, ['markdownCopy', 'markdownForm', 'markdown', 'page', 'control'], {
    markdownForm: planLate(planMarkdownForm, { rank: 18, atMost: 1 }),
  }),
  llmsFull: defineArtifact(readLlmsFull, ['llms', 'control']),
  llmsLinks: defineArtifact(readLlmsLinks, ['llms', 'control']),
  agentTexts: defineArtifact(readAgentTexts, ['llms', 'agentDocs', 'control']),
  ownPlaces: defineArtifact(readOwnPlaces, ['page']),
  llmsPointers: defineArtifact(readLlmsPointers, ['robots', 'page']),
};
