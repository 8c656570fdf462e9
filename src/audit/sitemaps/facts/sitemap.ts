import { Parser } from 'htmlparser2';
import { removeSlots } from '../../../lib/slots.ts';
import { capDepth } from '../../page/facts/parser-depth.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, listNumberedExchanges, type Snapshot } from '../../core/snapshot.ts';
import { readExistence } from '../../reach/facts/existence.ts';

/** Bounds of one sitemap file (sitemaps.org: 50,000 URLs, 50 MB) and of what we keep of it. */
export const SITEMAP_LIMITS = { urls: 50_000, keptUrls: 5000, locChars: 2048, depth: 16 } as const;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Stable words for what is wrong with a sitemap file. */
export type SitemapFault =
  | 'not_a_sitemap'
  | 'doctype'
  | 'wrong_namespace'
  | 'not_well_formed'
  | 'unescaped_ampersand'
  | 'too_many_urls'
  | 'loc_not_absolute'
  | 'loc_on_other_host'
  | 'empty';

/** `lastmod` as written, '' when absent. */
export type SitemapUrl = { loc: string; lastmod: string };

/** One parsed file: `urlCount` counts all entries, `urls` keeps the first `keptUrls` of them. */
export type SitemapFile = {
  kind: 'urlset' | 'sitemapindex' | 'text' | 'none';
  urlCount: number;
  urls: readonly SitemapUrl[];
  faults: readonly { fault: SitemapFault; excerpt: string }[];
};

type Source = { url: string; siteHost?: string };

type SitemapReadState = {
  names: string[];
  root: string;
  namespace: string;
  url: { loc: string; lastmod: string } | undefined;
  urls: SitemapUrl[];
  count: number;
  faults: Map<SitemapFault, string>;
};

/**
 * Parses a sitemap: XML `urlset` or `sitemapindex`, or a list of URLs, one per line. No entity beyond the five of XML is
 * expanded and no DTD is read: a document type is a fault by itself.
 * @param from `truncated`: the file was cut, so its open end is no fault; `siteHost`: the host whose robots.txt names this
 * file, which may then list that host's pages wherever it lies.
 */
export function parseSitemap(body: string, from: { url: string; truncated: boolean; siteHost?: string }): SitemapFile {
  const text = body.replace(/^\uFEFF/, '').trimStart();
  if (!text.startsWith('<')) return parseTextSitemap(text, from);
  const reading: SitemapReadState = {
    names: [],
    root: '',
    namespace: '',
    url: undefined,
    urls: [],
    count: 0,
    faults: new Map(),
  };
  readXml(text, reading, from.truncated);
  const kind = reading.root === 'urlset' || reading.root === 'sitemapindex' ? reading.root : 'none';
  if (kind === 'none')
    return { kind, urlCount: 0, urls: [], faults: [{ fault: 'not_a_sitemap', excerpt: text.slice(0, 80) }] };
  if (reading.namespace !== NAMESPACE) reading.faults.set('wrong_namespace', reading.namespace.slice(0, 100));
  const bare = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)[^\s<]{0,40}/.exec(withoutCdata(text));
  if (bare) reading.faults.set('unescaped_ampersand', bare[0]);
  return finish(kind, reading, from);
}

/** The text around CDATA sections. One that does not end hides the rest, as it does for a parser. */
function withoutCdata(text: string): string {
  const [first = '', ...sections] = text.split('<![CDATA[');
  const after = sections.map((section) => {
    const end = section.indexOf(']]>');
    return end === -1 ? '' : section.slice(end + 3);
  });
  return [first, ...after].join('');
}

function readXml(text: string, reading: SitemapReadState, truncated: boolean): void {
  let ended = false;
  const parser: Parser = new Parser(
    {
      onopentag: (name, attributes) => openTag(reading, extractLocalName(name), attributes, name),
      ontext: (data) => readText(reading, data),
      onclosetag(name, implied) {
        const selfClosed = text[parser.endIndex - 1] === '/';
        if (implied && !selfClosed && !(ended && truncated))
          reading.faults.set('not_well_formed', `<${name}> is not closed`.slice(0, 100));
        closeTag(reading);
      },
      onprocessinginstruction(name, data) {
        if (name.toLowerCase() === '!doctype') reading.faults.set('doctype', data.slice(0, 100));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  capDepth(parser, SITEMAP_LIMITS.depth, () => reading.names.length);
  parser.write(text);
  ended = true;
  parser.end();
}

const extractLocalName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

function openTag(
  reading: SitemapReadState,
  name: string,
  attributes: Readonly<Record<string, string>>,
  written: string,
): void {
  if (reading.root === '') {
    const prefix = written.includes(':') ? `xmlns:${written.slice(0, written.indexOf(':'))}` : 'xmlns';
    reading.root = name;
    reading.namespace = (attributes[prefix] ?? '').trim();
  }
  if (reading.names.length >= SITEMAP_LIMITS.depth) {
    reading.faults.set('not_well_formed', `<${name}> is nested too deep`.slice(0, 100));
    return;
  }
  reading.names.push(name);
  if ((name === 'url' || name === 'sitemap') && reading.names.length === 2) reading.url = { loc: '', lastmod: '' };
}

function readText(reading: SitemapReadState, data: string): void {
  const { url } = reading;
  const name = reading.names.at(-1);
  if (!url || reading.names.length !== 3 || (name !== 'loc' && name !== 'lastmod')) return;
  url[name] = (url[name] + data).slice(0, SITEMAP_LIMITS.locChars);
}

function closeTag(reading: SitemapReadState): void {
  const name = reading.names.pop();
  if (!reading.url || (name !== 'url' && name !== 'sitemap') || reading.names.length !== 1) return;
  reading.count += 1;
  const entry = { loc: removeSlots(reading.url.loc).trim(), lastmod: removeSlots(reading.url.lastmod).trim() };
  if (reading.urls.length < SITEMAP_LIMITS.keptUrls) reading.urls.push(entry);
  reading.url = undefined;
}

function parseTextSitemap(text: string, from: Source): SitemapFile {
  const lines = text
    .split(/\r\n|\r|\n/, SITEMAP_LIMITS.urls + 1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isList = lines.length > 0 && lines.every((line) => /^https?:\/\/\S{1,2048}$/.test(line));
  if (!isList)
    return { kind: 'none', urlCount: 0, urls: [], faults: [{ fault: 'not_a_sitemap', excerpt: text.slice(0, 80) }] };
  const urls = lines.slice(0, SITEMAP_LIMITS.keptUrls).map((loc) => ({ loc, lastmod: '' }));
  return finish('text', { urls, count: lines.length, faults: new Map() }, from);
}

function finish(
  kind: SitemapFile['kind'],
  reading: Pick<SitemapReadState, 'urls' | 'count' | 'faults'>,
  from: Source,
): SitemapFile {
  const { urls, count, faults } = reading;
  if (count > SITEMAP_LIMITS.urls) faults.set('too_many_urls', String(count));
  if (count === 0) faults.set('empty', '');
  const relative = urls.find(({ loc }) => !/^https?:\/\//i.test(loc) || !URL.canParse(loc));
  if (relative) faults.set('loc_not_absolute', relative.loc.slice(0, 200));
  const hosts = [new URL(from.url).host, from.siteHost];
  const foreign = urls.find(({ loc }) => URL.canParse(loc) && !hosts.includes(new URL(loc).host));
  if (foreign) faults.set('loc_on_other_host', foreign.loc.slice(0, 200));
  return { kind, urlCount: count, urls, faults: [...faults].map(([fault, excerpt]) => ({ fault, excerpt })) };
}

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
