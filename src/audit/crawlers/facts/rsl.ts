import { parseMediaType } from '../../../lib/media-type.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import { readRobotsFile, type Robots } from './robots-file.ts';

/** Role of the request for the licence. */
export const RSL_ROLE = 'rsl-licence';
export const RSL_TYPE = 'application/rsl+xml';
export const RSL_NAMESPACE = 'https://rslstandard.org/rsl';

/** Where the site names a licence. `url` is undefined when the text is no absolute web address, as RSL demands. */
export type RslDeclaration = {
  from: 'robots' | 'header' | 'element';
  exchange: Exchange;
  text: string;
  line?: number;
  url: string | undefined;
};

export type Rsl = { declared: readonly RslDeclaration[]; blind: boolean; exchange: Exchange | undefined };

/** Artifact `rsl`: the machine-readable licence that the site declares, and what its address held. Never fails as a whole. */
export function readRsl(snapshot: Snapshot): Artifact<Rsl> {
  const find = getExchangeLookup(snapshot);
  const robots = readRobotsFile(snapshot);
  const value = {
    declared: listRslDeclarations(find, robots.state === 'ready' ? robots.value : undefined),
    blind: robots.state === 'failed',
    exchange: find(RSL_ROLE),
  };
  return { state: 'ready', value };
}

/** Declarations among the exchanges so far: `License:` in robots.txt, then the Link header, then a link element. */
export function listRslDeclarations(find: ExchangeLookup, robots: Robots | undefined): readonly RslDeclaration[] {
  const page = find('page');
  const answer = page?.answer;
  const records = robots?.kind === 'file' ? robots.file.others.filter(({ key }) => key === 'license').slice(0, 10) : [];
  const inRobots = records.map(({ value, line }) => {
    const url = /^https?:\/\//iu.test(value) ? URL.parse(value)?.href : undefined;
    return { from: 'robots' as const, exchange: (robots as Robots).exchange, text: value, line, url };
  });
  if (!page || !answer?.ok) return inRobots;
  const isLicence = (rels: readonly string[], type: string): boolean =>
    rels.includes('license') && parseMediaType(type) === RSL_TYPE;
  const headers = parseLinkHeader(answer.headers['link'] ?? '').filter(({ rels, type }) => isLicence(rels, type));
  const tags = isHtmlAnswer(answer)
    ? getPageFacts(answer).linkTags.filter(({ rels, type }) => isLicence(rels, type))
    : [];
  const webUrl = (href: string): string | undefined => {
    const url = URL.parse(href, answer.url);
    return url && /^https?:$/u.test(url.protocol) ? url.href : undefined;
  };
  return [
    ...inRobots,
    ...headers.map(({ href }) => ({ from: 'header' as const, exchange: page, text: href, url: webUrl(href) })),
    ...tags.map(({ href, rawHref, line }) => ({
      from: 'element' as const,
      exchange: page,
      text: rawHref,
      line,
      url: webUrl(href),
    })),
  ];
}

const NAMESPACES = /\s(xmlns(?::[\w.-]{1,60})?)\s{0,9}=\s{0,9}["']([^"']{1,300})["']/gu;

/** What the root element of an XML text is: RSL, RSL of another namespace, or another document. */
export function classifyRslRoot(body: string): 'rsl' | 'other_namespace' | 'other' {
  const text = extractRootText(body);
  const root = /^<(?:([\w.-]{1,60}):)?rsl(\s[^<>]{0,4000})?\/?>/u.exec(text);
  if (!root) return 'other';
  const attribute = root[1] === undefined ? 'xmlns' : `xmlns:${root[1]}`;
  const declared = Array.from((root[2] ?? '').matchAll(NAMESPACES)).find(([, name]) => name === attribute);
  return declared?.[2] === RSL_NAMESPACE ? 'rsl' : 'other_namespace';
}

/** Things that may precede the root element. */
const MAX_PROLOGUE = 50;

/** The text from the root element on: the declaration, comments and instructions above it are skipped. */
function extractRootText(body: string): string {
  let rest = body.replace(/^\uFEFF/u, '').trimStart();
  for (let skipped = 0; skipped < MAX_PROLOGUE; skipped += 1) {
    const close = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    const end = close === undefined ? -1 : rest.indexOf(close);
    if (close === undefined || end === -1) break;
    rest = rest.slice(end + close.length).trimStart();
  }
  return rest;
}
