import type { Artifact } from '../../core/artifact.ts';
import {
  type SnapshotAnswer,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
  getExchangeLookup,
} from '../../core/snapshot.ts';
import { isHtmlText, readExistence } from '../../reach/facts/existence.ts';
import { isHtmlAnswer, parseMediaType } from '../../reach/facts/html-answer.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import { type MarkdownVariant, hasMarkdownNegotiation, readMarkdownVariant } from './markdown-variant.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import { type ExchangeWithAnswer, readStartPageArtifact } from '../../reach/facts/site-files.ts';

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
