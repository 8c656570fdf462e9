import { defineArtifact, runFirst, planLast, planLate } from '../core/artifact.ts';
import { readUserAgents } from './facts/ai-agents.ts';
import { readEdge } from './facts/edge.ts';
import { readEdgeFiles } from './facts/edge-files.ts';
import { ADS_AGENTS } from './facts/edge-plan.ts';
import { readCrawlerFiles, readRobotsFile } from './facts/robots-file.ts';
import { readRsl } from './facts/rsl.ts';
import { readSignatureDirectory } from './facts/signature-directory.ts';
import { readUsagePreferences } from './facts/usage-statements.ts';
import {
  planCrawlerFiles,
  gatherRobots,
  planRsl,
  planSignatureDirectory,
  gatherUserAgents,
} from './gather/crawlers.ts';
import { gatherEdge, planEdgeAds, planEdgeRest, MAX_EDGE_REST } from './gather/edge.ts';

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
    edgeAds: planLate(planEdgeAds, { rank: 0, atMost: ADS_AGENTS.length }),
    edgeRest: planLast(planEdgeRest, { rank: 8, atMost: MAX_EDGE_REST, takesRest: true }),
  }),
  edgeFiles: defineArtifact(readEdgeFiles, ['page', 'control', 'robots', 'sitemaps', 'crawlerFiles']),
  rsl: defineArtifact(readRsl, ['rsl', 'robots', 'page', 'control'], {
    rsl: planLate(planRsl, { rank: 16, atMost: 1 }),
  }),
  signatureDirectory: defineArtifact(readSignatureDirectory, ['signatureDirectory', 'control'], {
    signatureDirectory: planLate(planSignatureDirectory, { rank: 17, atMost: 1 }),
  }),
  crawlerFiles: defineArtifact(readCrawlerFiles, ['crawlerFiles', 'sitemaps', 'page', 'control'], {
    crawlerFiles: planLate(planCrawlerFiles, { rank: 1, atMost: 1 }),
  }),
  usagePreferences: defineArtifact(readUsagePreferences, ['robots', 'reportedFiles', 'page', 'control']),
};
