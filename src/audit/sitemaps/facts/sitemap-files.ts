import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup, listNumberedExchanges } from '../../core/snapshot.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { type SitemapFile, type SitemapUrl, parseSitemap } from './sitemap.ts';

/** One address that was tried. `file` is there when it answered with something other than the catch-all page. */
export type SitemapTry = {
  exchange: Exchange;
  /** `failed`: no answer, or one that may be a refusal of us, which is not "no sitemap". */
  state: 'found' | 'absent' | 'failed';
  truncated: boolean;
  file: SitemapFile | undefined;
};

/**
 * The site's sitemaps: the addresses robots.txt names (`named`), else the two usual ones; the first child of an index.
 * `urls` are the page addresses found, in file order and without doubles.
 */
export type Sitemaps = {
  named: boolean;
  /** Whether robots.txt was read, or is not there: only then does it say anything about sitemaps. */
  robotsRead: boolean;
  tries: readonly SitemapTry[];
  child: SitemapTry | undefined;
  urls: readonly SitemapUrl[];
};

/** Artifact `sitemaps`; failed when none of the addresses gave an answer. */
export function readSitemapsArtifact(snapshot: Snapshot): Artifact<Sitemaps> {
  const control = getExchangeLookup(snapshot)('control');
  const siteHost = new URL(snapshot.url).host;
  const named = listNumberedExchanges(snapshot, 'sitemap-named').map((exchange) => toTry(exchange, control, siteHost));
  const usual = listNumberedExchanges(snapshot, 'sitemap-usual').map((exchange) => toTry(exchange, control, siteHost));
  const tries = named.length > 0 ? named : usual;
  const first = tries[0];
  if (!first) return { state: 'failed', reason: 'not_fetched', url: snapshot.url };
  if (tries.every((one) => one.state === 'failed')) {
    const { answer, url } = first.exchange;
    return { state: 'failed', reason: answer.ok ? `http_${answer.status}` : answer.reason, url };
  }
  const childExchange = listNumberedExchanges(snapshot, 'sitemap-child')[0];
  const child = childExchange ? toTry(childExchange, control, siteHost) : undefined;
  return {
    state: 'ready',
    value: {
      named: named.length > 0,
      robotsRead: isConclusive(getExchangeLookup(snapshot)('robots')),
      tries,
      child,
      urls: listSitemapUrls([...tries, ...(child ? [child] : [])]),
    },
  };
}

/** The file that most likely contains an address of `urls`: the child of an index, else the first file found. */
export const findSitemapFile = ({ tries, child }: Sitemaps): SitemapTry | undefined =>
  child?.file ? child : tries.find(({ state }) => state === 'found');

function toTry(exchange: Exchange, control: Exchange | undefined, siteHost: string): SitemapTry {
  const { answer } = exchange;
  const existence = readExistence(exchange, control, 'text');
  const truncated = answer.ok && answer.truncated;
  if (existence.state === 'unknown' || (answer.ok && isRefusal(answer.status)))
    return { exchange, state: 'failed', truncated, file: undefined };
  if (existence.state === 'absent') return { exchange, state: 'absent', truncated, file: undefined };
  const file = parseSitemap(existence.answer.body, { ...existence.answer, siteHost });
  return { exchange, state: file.kind === 'none' ? 'absent' : 'found', truncated, file };
}

/** How we are treated, or how the server fares just now: that says nothing of the file. */
const isRefusal = (status: number): boolean => [401, 403, 429].includes(status) || status >= 500;

const isConclusive = (exchange: Exchange | undefined): boolean =>
  exchange?.answer.ok === true && !isRefusal(exchange.answer.status);

function listSitemapUrls(tries: readonly SitemapTry[]): readonly SitemapUrl[] {
  const byLoc = new Map<string, SitemapUrl>();
  for (const { file } of tries) {
    if (!file || file.kind === 'sitemapindex') continue;
    for (const url of file.urls) if (!byLoc.has(url.loc)) byLoc.set(url.loc, url);
  }
  return [...byLoc.values()];
}
