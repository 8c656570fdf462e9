import { rememberPerObject } from '../../lib/memo.ts';
import { readSamplePages } from '../reach/facts/site-files.ts';
import { normaliseComparableUrl } from '../reach/facts/urls.ts';
import { computeAddressPattern } from './address-pattern.ts';
import type { ArtifactName } from './artifacts.ts';
import { getExchangeLookup, type Snapshot } from './snapshot.ts';

/** Artifacts that are read from one page alone: what a check that is judged on each page may need. */
export const pageArtifactNames = [
  'start',
  'startPage',
  'page',
  'jsonLd',
  'textEvidence',
  'canonical',
  'rendered',
] as const satisfies readonly ArtifactName[];

/** One page of a site as if it were the start page: parsers and judges of a page see nothing else. */
export type PageView = { url: string; pattern: string; isStart: boolean; snapshot: Snapshot };

/**
 * The pages that were read, each once: the start page, then the sampled ones that are HTML with a 2xx answer of the same
 * host. Empty where the start page gave no answer.
 */
export const listPageViews = rememberPerObject((snapshot: Snapshot): readonly PageView[] => {
  const start = getExchangeLookup(snapshot)('page');
  if (start?.answer.ok !== true) return [];
  const { host } = new URL(start.answer.url);
  const seen = new Set([normaliseComparableUrl(start.answer.url)]);
  const samples = readSamplePages(snapshot);
  const others = samples.state === 'failed' ? [] : samples.value;
  // What a browser showed is the start page's alone.
  const { rendered: _ofStart, ...unrendered } = snapshot;
  const views = others.flatMap(({ exchange, page }): readonly PageView[] => {
    const key = normaliseComparableUrl(page.url);
    if (seen.has(key) || new URL(page.url).host !== host) return [];
    seen.add(key);
    const { sameAs: _shared, ...own } = exchange;
    return [buildView(page.url, { ...unrendered, exchanges: [{ ...own, role: 'page' }] })];
  });
  return [{ ...buildView(start.answer.url, snapshot), isStart: true }, ...views];
});

const buildView = (url: string, snapshot: Snapshot): PageView => ({
  url,
  pattern: computeAddressPattern(new URL(url)),
  isStart: false,
  snapshot,
});
