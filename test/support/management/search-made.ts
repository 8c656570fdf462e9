import type { CrawlSource, InstanceConfig, InstanceFacts, SearchQuery } from '../../../src/search/order.ts';

/** An instance for uploads, as its object is told of it. */
export const instanceFacts = (config: Partial<InstanceConfig> = {}, uid = 'ab'.repeat(16)): InstanceFacts => ({
  uid,
  tenant: 'C0000001',
  account: 'a1',
  namespace: 'default',
  id: 'docs',
  config: {
    syncIntervalS: 21_600,
    chunkTokens: 256,
    overlapTokens: 20,
    tokenizer: 'porter',
    keyword: true,
    vector: false,
    metadata: [],
    isPaused: false,
    ...config,
  },
});

/** A website that is crawled by its links. */
export const crawlSource = (url: string, changes: Partial<CrawlSource> = {}): CrawlSource => ({
  url,
  discover: true,
  sitemaps: [],
  include: [],
  exclude: [],
  depth: 3,
  maxPages: 50,
  ...changes,
});

/** A question by words, as an instance without settings of its own asks it. */
export const searchQuery = (text: string, changes: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  type: 'keyword',
  fusion: 'rrf',
  keywordMode: 'auto',
  threshold: 0.4,
  maxResults: 10,
  expansion: 0,
  showsText: true,
  boosts: [],
  returnsOnFailure: true,
  ...changes,
});
