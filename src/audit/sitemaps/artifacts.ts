import { defineArtifact, runFirst, planLate } from '../core/artifact.ts';
import { readSiteFeed } from './facts/feed.ts';
import { readProductFeed } from './facts/product-feed.ts';
import { readSitemapsArtifact } from './facts/sitemap.ts';
import { planFeed, planProductFeed, gatherSitemaps } from './gather/sitemaps.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const sitemapsArtifacts = {
  sitemaps: defineArtifact(readSitemapsArtifact, ['sitemaps', 'control'], {
    sitemaps: runFirst(gatherSitemaps, { rank: 6 }),
  }),
  productFeed: defineArtifact(readProductFeed, ['productFeed', 'page'], {
    productFeed: planLate(planProductFeed, { rank: 21, atMost: 1 }),
  }),
  siteFeed: defineArtifact(readSiteFeed, ['feed', 'page', 'control'], {
    feed: planLate(planFeed, { rank: 3, atMost: 1 }),
  }),
};
