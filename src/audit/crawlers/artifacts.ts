import { defineArtifact, runFirst, runLate } from '../core/artifact.ts';
import { readUserAgents } from './facts/ai-agents.ts';
import { readCrawlerFiles, readRobotsFile } from './facts/robots-file.ts';
import { readRsl } from './facts/rsl.ts';
import { readSignatureDirectory } from './facts/signature-directory.ts';
import { readUsagePreferences } from './facts/usage-statements.ts';
import {
  gatherCrawlerFiles,
  gatherRobots,
  gatherRsl,
  gatherSignatureDirectory,
  gatherUserAgents,
} from './gather/crawlers.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const crawlersArtifacts = {
  robots: defineArtifact(readRobotsFile, ['robots', 'control'], {
    robots: runFirst(gatherRobots, { rank: 5 }),
  }),
  userAgents: defineArtifact(readUserAgents, ['userAgents'], {
    userAgents: runFirst(gatherUserAgents, { rank: 7 }),
  }),
  rsl: defineArtifact(readRsl, ['rsl', 'robots', 'page', 'control'], {
    rsl: runLate(gatherRsl, { rank: 16, atMost: 1 }),
  }),
  signatureDirectory: defineArtifact(readSignatureDirectory, ['signatureDirectory', 'control'], {
    signatureDirectory: runLate(gatherSignatureDirectory, { rank: 17, atMost: 1 }),
  }),
  crawlerFiles: defineArtifact(readCrawlerFiles, ['crawlerFiles', 'sitemaps', 'page', 'control'], {
    crawlerFiles: runLate(gatherCrawlerFiles, { rank: 1, atMost: 1 }),
  }),
  usagePreferences: defineArtifact(readUsagePreferences, ['robots', 'reportedFiles', 'page', 'control']),
};
