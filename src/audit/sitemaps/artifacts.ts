import { defineArtifact, runFirst, runLate } from '../core/artifact.ts';
import { readSiteFeed } from './facts/feed.ts';
import { readSitemapsArtifact } from './facts/sitemap.ts';
import { gatherFeed, gatherSitemaps } from './gather/sitemaps.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const sitemapsArtifacts = {
  sitemaps: defineArtifact(readSitemapsArtifact, ['sitemaps', 'control'], {
    sitemaps: runFirst(gatherSitemaps, { rank: 6 }),
  }),
  siteFeed: defineArtifact(readSiteFeed, ['feed', 'page', 'control'], {
    feed: runLate(gatherFeed, { rank: 3, atMost: 1 }),
  }),
};
