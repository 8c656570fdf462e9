import { defineArtifact } from '../core/artifact.ts';
import { readUserAgents } from './facts/ai-agents.ts';
import { readCrawlerFiles, readRobotsFile } from './facts/robots-file.ts';
import { readRsl } from './facts/rsl.ts';
import { readSignatureDirectory } from './facts/signature-directory.ts';
import { readUsagePreferences } from './facts/usage-statements.ts';
import { gatherCrawlerFiles } from './gather/crawler-files.ts';
import { gatherRsl, gatherSignatureDirectory } from './gather/preferences.ts';
import { gatherRobots } from './gather/robots.ts';
import { gatherUserAgents } from './gather/user-agents.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const crawlersArtifacts = {
  robots: defineArtifact({
    parse: readRobotsFile,
    from: ['robots', 'control'],
    gather: {
      robots: { run: gatherRobots, wave: 'first', rank: 5 },
    },
  }),
  userAgents: defineArtifact({
    parse: readUserAgents,
    from: ['userAgents'],
    gather: {
      userAgents: { run: gatherUserAgents, wave: 'first', rank: 7 },
    },
  }),
  rsl: defineArtifact({
    parse: readRsl,
    from: ['rsl', 'robots', 'page', 'control'],
    gather: {
      rsl: { run: gatherRsl, wave: 'late', rank: 16, atMost: 1 },
    },
  }),
  signatureDirectory: defineArtifact({
    parse: readSignatureDirectory,
    from: ['signatureDirectory', 'control'],
    gather: {
      signatureDirectory: { run: gatherSignatureDirectory, wave: 'late', rank: 17, atMost: 1 },
    },
  }),
  crawlerFiles: defineArtifact({
    parse: readCrawlerFiles,
    from: ['crawlerFiles', 'sitemaps', 'page', 'control'],
    gather: {
      crawlerFiles: { run: gatherCrawlerFiles, wave: 'late', rank: 1, atMost: 1 },
    },
  }),
  usagePreferences: defineArtifact({
    parse: readUsagePreferences,
    from: ['robots', 'reportedFiles', 'page', 'control'],
  }),
};
