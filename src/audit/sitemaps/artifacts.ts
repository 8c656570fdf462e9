import { defineArtifact } from '../core/artifact.ts';
import { readSiteFeed } from './facts/site-feed.ts';
import { readSitemapsArtifact } from './facts/sitemap-files.ts';
import { gatherFeed } from './gather/feed.ts';
import { gatherSitemaps } from './gather/sitemaps.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const sitemapsArtifacts = {
  sitemaps: defineArtifact({
    parse: readSitemapsArtifact,
    from: ['sitemaps', 'control'],
    gather: {
      sitemaps: { run: gatherSitemaps, wave: 'first', rank: 6 },
    },
  }),
  siteFeed: defineArtifact({
    parse: readSiteFeed,
    from: ['feed', 'page', 'control'],
    gather: {
      feed: { run: gatherFeed, wave: 'late', rank: 3, atMost: 1 },
    },
  }),
};
