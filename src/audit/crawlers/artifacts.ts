import { defineArtifact, runFirst, runLast, runLate } from '../core/artifact.ts';
import { readUserAgents } from './facts/ai-agents.ts';
import { readEdge } from './facts/edge.ts';
import { readEdgeFiles } from './facts/edge-files.ts';
import { ADS_AGENTS } from './facts/edge-plan.ts';
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
import { gatherEdge, gatherEdgeAds, gatherEdgeRest, MAX_EDGE_REST } from './gather/edge.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const crawlersArtifacts = {
  robots: defineArtifact(readRobotsFile, ['robots', 'control'], {
    robots: runFirst(gatherRobots, { rank: 5 }),
  }),
  userAgents: defineArtifact(readUserAgents, ['userAgents'], {
    userAgents: runFirst(gatherUserAgents, { rank: 7 }),
  }),
  /** As `edge`, for a check that a cheap capability reports as well: it makes none of the requests of `edge`. */
  agentAnswers: defineArtifact(readEdge, ['userAgents', 'robots', 'control']),
  edge: defineArtifact(readEdge, ['userAgents', 'robots', 'page', 'control', 'sample', 'edge', 'edgeRest', 'edgeAds'], {
    edge: runFirst(gatherEdge, { rank: 19 }),
    edgeAds: runLate(gatherEdgeAds, { rank: 0, atMost: ADS_AGENTS.length }),
    edgeRest: runLast(gatherEdgeRest, { rank: 8, atMost: MAX_EDGE_REST }),
  }),
  edgeFiles: defineArtifact(readEdgeFiles, ['page', 'control', 'robots', 'sitemaps', 'crawlerFiles']),
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
