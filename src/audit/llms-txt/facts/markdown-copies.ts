import { parseMediaType } from '../../../lib/media-type.ts';
import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { AGENT_ROLES } from '../../agent-files/facts/agent-places.ts';
import { isHtmlText, readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import { type ExchangeWithAnswer, readStartPageArtifact } from '../../reach/facts/site-files.ts';

/** Roles under which a copy may have been read, in order of preference. */
const ROLES = [AGENT_ROLES.markdown, 'markdown-alternate', 'markdown-suffix'] as const;

/** Characters of the page that are looked for; of the copy, twice as many are searched. */
const MAX_CHARS = 200_000;
const GRAM = 5;

/**
 * Artifact `markdownCopy`: the exchange that has the Markdown copy of the start page, or that there is none. Failed when
 * none was found and a place could not be read.
 */
export function readMarkdownCopy(snapshot: Snapshot): Artifact<Exchange | 'none'> {
  const find = getExchangeLookup(snapshot);
  const control = find('control');
  for (const role of ROLES) {
    const exchange = find(role);
    if (exchange && isCopy(role, exchange, control)) return { state: 'ready', value: exchange };
  }
  const unread = ROLES.flatMap((role) => find(role) ?? []).find(({ answer }) => !answer.ok);
  if (!unread || unread.answer.ok) return { state: 'ready', value: 'none' };
  return { state: 'failed', reason: unread.answer.reason, url: unread.url };
}

/** A negotiated answer must say that it is Markdown; a file at its own address is believed by its bytes. */
function isCopy(role: (typeof ROLES)[number], exchange: Exchange, control: Exchange | undefined): boolean {
  const found = readExistence(exchange, control, 'markdown');
  if (found.state !== 'exists') return false;
  return (
    role !== AGENT_ROLES.markdown || parseMediaType(found.answer.headers['content-type'] ?? '') === 'text/markdown'
  );
}

/** Share of the word 5-grams of `text` that `markdown` contains too, 0 to 1; undefined when `text` is shorter. */
export function computeContainedShare(text: string, markdown: string): number | undefined {
  const wanted = buildWordGrams(splitCopyWords(text.slice(0, MAX_CHARS)));
  if (wanted.size === 0) return undefined;
  const there = buildWordGrams(splitCopyWords(withoutSyntax(markdown.slice(0, 2 * MAX_CHARS))));
  return [...wanted].filter((gram) => there.has(gram)).length / wanted.size;
}

/** Link targets, images and tags say nothing; emphasis, fences and table bars are no letters anyway. */
const withoutSyntax = (markdown: string): string =>
  markdown
    .replace(/\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,300}")?\)/g, '] ')
    .replace(/<[^<>\n]{1,500}>/g, ' ')
    .replace(/\\([^\p{L}\p{N}\s])/gu, '$1');

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Runs of letters and digits, lower case; a character of a script without spaces is a word. */
function splitCopyWords(text: string): readonly string[] {
  const spaced = text.normalize('NFKC').toLowerCase().replace(UNSPACED, ' $& ');
  return spaced.match(/[\p{L}\p{N}]{1,100}/gu) ?? [];
}

const buildWordGrams = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.slice(GRAM - 1).map((_, index) => words.slice(index, index + GRAM).join(' ')));

/** The start page as asked for by a coding agent (`asked`) and by a browser (`html`), and what each got. */
export type MarkdownVariant = {
  asked: Exchange;
  html: Exchange;
  askedIs: 'markdown' | 'markdown_type_only' | 'html' | 'refused' | 'other';
  htmlIs: 'html' | 'markdown' | 'other';
};

/** Names Markdown first and wants it least: a server that looks for the words instead of the weights is caught by it. */
export const MARKDOWN_LAST_ACCEPT = 'text/markdown;q=0.1, text/html';

/** A refusal of our request says nothing of what a site serves to agents. */
const REFUSALS = new Set([401, 403, 429]);

/** Artifact `markdown`: content negotiation of the start page; failed when one of the two could not be read. */
export const readMarkdownVariant = (snapshot: Snapshot): Artifact<MarkdownVariant> =>
  findMarkdownVariant(getExchangeLookup(snapshot), snapshot.url);

/** The same among the exchanges so far; the gatherer calls it to decide what to ask next. */
export function findMarkdownVariant(find: ExchangeLookup, startUrl: string): Artifact<MarkdownVariant> {
  const html = find('page');
  const asked = find(AGENT_ROLES.markdown);
  for (const exchange of [html, asked]) {
    if (!exchange) return { state: 'failed', reason: 'not_fetched', url: startUrl };
    const { answer, url } = exchange;
    if (!answer.ok) return { state: 'failed', reason: answer.reason, url };
    if (REFUSALS.has(answer.status) || answer.status >= 500)
      return { state: 'failed', reason: `http_${answer.status}`, url: answer.url };
  }
  if (!html?.answer.ok || !asked) return { state: 'failed', reason: 'not_fetched', url: startUrl };
  const htmlIs = isMarkdown(html) ? 'markdown' : isHtmlAnswer(html.answer) ? 'html' : 'other';
  return { state: 'ready', value: { asked, html, askedIs: classifyVariant(asked), htmlIs } };
}

/** Whether one address gives Markdown to clients that ask for it and HTML to browsers. */
export const hasMarkdownNegotiation = ({ askedIs, htmlIs }: MarkdownVariant): boolean =>
  askedIs === 'markdown' && htmlIs === 'html';

/** What a client that likes HTML better got: the kind of answer, or that it was not asked (`not_asked`) or not readable. */
export type PreferenceReading =
  | { state: 'read'; exchange: Exchange; is: MarkdownVariant['askedIs'] }
  | { state: 'unreadable'; exchange: Exchange; why: string }
  | { state: 'not_asked' };

/** Artifact `markdownPreference`: the answer to `MARKDOWN_LAST_ACCEPT`. Never fails as a whole. */
export function readMarkdownPreference(snapshot: Snapshot): Artifact<PreferenceReading> {
  const exchange = getExchangeLookup(snapshot)('markdown-last');
  if (!exchange) return { state: 'ready', value: { state: 'not_asked' } };
  const { answer } = exchange;
  if (!answer.ok) return { state: 'ready', value: { state: 'unreadable', exchange, why: answer.reason } };
  if (REFUSALS.has(answer.status) || answer.status >= 500)
    return { state: 'ready', value: { state: 'unreadable', exchange, why: `http_${answer.status}` } };
  return { state: 'ready', value: { state: 'read', exchange, is: classifyVariant(exchange) } };
}

function classifyVariant(exchange: Exchange): MarkdownVariant['askedIs'] {
  const { answer } = exchange;
  if (!answer.ok || answer.status < 200 || answer.status > 299) return 'refused';
  if (isMarkdown(exchange)) {
    const body = answer.body.trimStart();
    return body === '' || isHtmlText(body) ? 'markdown_type_only' : 'markdown';
  }
  return isHtmlAnswer(answer) ? 'html' : 'other';
}

function isMarkdown({ answer }: Exchange): boolean {
  const type = answer.ok ? parseMediaType(answer.headers['content-type'] ?? '') : '';
  return type === 'text/markdown' || type === 'text/x-markdown';
}

/** Where a page names its Markdown copy. `href` is absolute. */
export type CopyLink = { href: string; from: 'element' | 'header'; line?: number };

/** What an address held. `other_type`: Markdown by its bytes, served as something else. `unknown`: we could not look. */
export type CopyPlace = { exchange: Exchange; is: 'markdown' | 'other_type' | 'html' | 'absent' | 'unknown' };

/** A copy that was read. `own`: it has an address of its own, other than that of the page. */
export type Copy = { exchange: Exchange; answer: SnapshotAnswer; own: boolean };

/**
 * Every way to a Markdown copy of the start page that was tried. `suffixes` are addresses that follow from that of the
 * page; `copy` is the one to judge, one with an address of its own first.
 */
export type MarkdownCopies = {
  start: ExchangeWithAnswer;
  variant: MarkdownVariant | undefined;
  negotiated: boolean | 'unknown';
  link: CopyLink | undefined;
  alternate: CopyPlace | undefined;
  suffixes: readonly CopyPlace[];
  copy: Copy | 'none' | 'unknown';
};

/** Artifact `markdownCopies`; failed when the start page gave no answer. */
export function readMarkdownCopies(snapshot: Snapshot): Artifact<MarkdownCopies> {
  const start = readStartPageArtifact(snapshot);
  if (start.state === 'failed') return start;
  const find = getExchangeLookup(snapshot);
  const read = readMarkdownVariant(snapshot);
  const variant = read.state === 'ready' ? read.value : undefined;
  const suffixes = SUFFIX_ROLES.flatMap((role) => findCopyPlace(find, role) ?? []);
  const facts = {
    start: start.value,
    variant,
    negotiated: variant ? hasMarkdownNegotiation(variant) : ('unknown' as const),
    link: copyLink(start.value.answer),
    alternate: findCopyPlace(find, 'markdown-alternate'),
    suffixes,
  };
  return { state: 'ready', value: { ...facts, copy: selectCopy(facts) } };
}

const SUFFIX_ROLES = ['markdown-suffix', 'markdown-form'] as const;

/** The copy that a page names by `rel="alternate" type="text/markdown"`, as an element or as a Link header (RFC 8288). */
export function copyLink(answer: SnapshotAnswer): CopyLink | undefined {
  const tags = isHtmlAnswer(answer) ? getPageFacts(answer).linkTags : [];
  const tag = tags.find(({ rels, type, href }) => isCopyLink(rels, type) && /^https?:/u.test(href));
  if (tag) return { href: tag.href, from: 'element', line: tag.line };
  const named = parseLinkHeader(answer.headers['link'] ?? '').find(({ rels, type }) => isCopyLink(rels, type));
  const url = named ? URL.parse(named.href, answer.url) : null;
  return url && /^https?:$/u.test(url.protocol) ? { href: url.href, from: 'header' } : undefined;
}

const isCopyLink = (rels: readonly string[], type: string): boolean =>
  rels.includes('alternate') && parseMediaType(type) === 'text/markdown';

/**
 * The addresses at which llms.txt (v2) lets a page's copy be looked for, the usual one first: `/a` -> `/a.md`,
 * `/a.html` -> `/a.html.md` and `/a.md`, `/a/` -> `/a/index.html.md` and `/a/index.md`.
 */
export function copyAddresses(page: URL): readonly [string, string] {
  const at = (path: string): string => {
    const url = new URL(page.origin);
    url.pathname = path;
    return url.href;
  };
  const { pathname } = page;
  if (pathname.endsWith('/')) return [at(`${pathname}index.html.md`), at(`${pathname}index.md`)];
  if (/\.html?$/iu.test(pathname)) return [at(`${pathname}.md`), at(pathname.replace(/\.html?$/iu, '.md'))];
  return [at(`${pathname}.md`), at(`${pathname}.html.md`)];
}

export const isMarkdownType = (answer: SnapshotAnswer): boolean =>
  ['text/markdown', 'text/x-markdown'].includes(parseMediaType(answer.headers['content-type'] ?? ''));

function findCopyPlace(find: ExchangeLookup, role: string): CopyPlace | undefined {
  const exchange = find(role);
  return exchange && { exchange, is: classifyCopy(exchange, find('control')) };
}

function classifyCopy(exchange: Exchange, control: Exchange | undefined): CopyPlace['is'] {
  const { answer } = exchange;
  if (!answer.ok || [401, 403, 429].includes(answer.status) || answer.status >= 500) return 'unknown';
  const found = readExistence(exchange, control, 'markdown');
  if (found.state === 'exists') return isMarkdownType(answer) ? 'markdown' : 'other_type';
  const isPage = answer.status >= 200 && answer.status < 300 && isHtmlText(answer.body.trimStart());
  return isPage ? 'html' : 'absent';
}

const hasCopy = ({ is }: CopyPlace): boolean => is === 'markdown' || is === 'other_type';

function selectCopy({
  start,
  variant,
  negotiated,
  alternate,
  suffixes,
}: Omit<MarkdownCopies, 'copy' | 'link'>): MarkdownCopies['copy'] {
  const places = [...(alternate ? [alternate] : []), ...suffixes];
  const found = places.find(hasCopy)?.exchange;
  if (found?.answer.ok) return { exchange: found, answer: found.answer, own: true };
  const asked = variant?.asked;
  if (negotiated === true && asked?.answer.ok)
    return { exchange: asked, answer: asked.answer, own: asked.answer.url !== start.answer.url };
  const blind = negotiated === 'unknown' || places.some(({ is }) => is === 'unknown');
  return blind ? 'unknown' : 'none';
}
