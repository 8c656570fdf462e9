import { defineArtifact } from '../core/artifact.ts';
import { readAgentTexts, readLlms, readLlmsFull, readLlmsPointers } from './facts/llms-files.ts';
import { readLlmsLinks } from './facts/llms-links.ts';
import { readMarkdownCopies } from './facts/markdown-copies.ts';
import { readMarkdownCopy } from './facts/markdown-copy.ts';
import { readMarkdownPreference, readMarkdownVariant } from './facts/markdown-variant.ts';
import { gatherLlms } from './gather/llms.ts';
import { gatherMarkdown, gatherMarkdownCopy, gatherMarkdownForm, gatherMarkdownLast } from './gather/markdown-copy.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const llmsTxtArtifacts = {
  markdownCopy: defineArtifact({
    parse: readMarkdownCopy,
    from: ['markdownCopy', 'page', 'control'],
    gather: {
      markdownCopy: { run: gatherMarkdownCopy, wave: 'first', rank: 10 },
    },
  }),
  llms: defineArtifact({
    parse: readLlms,
    from: ['llms', 'control'],
    gather: {
      llms: { run: gatherLlms, wave: 'first', rank: 14 },
    },
  }),
  markdown: defineArtifact({
    parse: readMarkdownVariant,
    from: ['markdown', 'page'],
    gather: {
      markdown: { run: gatherMarkdown, wave: 'first', rank: 15 },
    },
  }),
  markdownPreference: defineArtifact({
    parse: readMarkdownPreference,
    from: ['markdownLast', 'markdown', 'page'],
    gather: {
      markdownLast: { run: gatherMarkdownLast, wave: 'late', rank: 14, atMost: 1 },
    },
  }),
  markdownCopies: defineArtifact({
    parse: readMarkdownCopies,
    from: ['markdownCopy', 'markdownForm', 'markdown', 'page', 'control'],
    gather: {
      markdownForm: { run: gatherMarkdownForm, wave: 'late', rank: 18, atMost: 1 },
    },
  }),
  llmsFull: defineArtifact({
    parse: readLlmsFull,
    from: ['llms', 'control'],
  }),
  llmsLinks: defineArtifact({
    parse: readLlmsLinks,
    from: ['llms', 'control'],
  }),
  agentTexts: defineArtifact({
    parse: readAgentTexts,
    from: ['llms', 'agentDocs', 'control'],
  }),
  llmsPointers: defineArtifact({
    parse: readLlmsPointers,
    from: ['robots', 'page'],
  }),
};
