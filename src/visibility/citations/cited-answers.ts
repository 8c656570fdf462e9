import { formatPlainLine } from '../../lib/safe-text.ts';
import type { AnswerSource } from '../../models/port.ts';
import { type CitedUrl, readCitedUrl, readHostDomain } from './cited-url.ts';
import type { CitationResolution } from './resolve-citations.ts';

/** Sources of one answer that are read; the rest are counted. */
export const MAX_SOURCES_AN_ANSWER = 200;
/** Sources of all answers together that are read; the rest are counted. */
export const MAX_CITED_SOURCES = 10_000;
/** Longest title of a page, in characters. */
const MAX_TITLE_CHARS = 160;

/** An answer with the sources that its engine gave. Without either list the engine gives none to anyone: not measured. */
export type CitedAnswer = {
  index: number;
  text: string;
  sources?: readonly AnswerSource[] | undefined;
  citations?: readonly string[] | undefined;
};

/** A site or page that an answer cites, once however often it does. `order`: 1 for the first that the answer cites. */
export type Cite = {
  /** The same for every citation of it; `page` is undefined where a vendor's redirect hides it and names the site alone. */
  key: string;
  page: { url: string; title: string | undefined } | undefined;
  domain: string;
  host: string;
  order: number;
  /** Places in the list of the answer's sources, from 1. */
  positions: readonly number[];
};

/** One answer whose engine gives sources. `unknown`: sources of which not even the site is known. */
export type ReadAnswer = {
  index: number;
  text: string;
  sources: readonly AnswerSource[];
  cites: readonly Cite[];
  unknown: number;
};

/** What became of the sources: `read` ones are of pages, or of sites whose page is not known (`unresolved` counts these, too). */
export type SourceCounts = { read: number; unreadable: number; private: number; unresolved: number; left_out: number };

export type CitedAnswers = { answers: readonly ReadAnswer[]; counts: SourceCounts };

/**
 * Reads the sources of answers. Answers of engines that give none are left out.
 * @param resolutions where vendors' redirects lead: see `resolveCitations`
 */
export function readCitedAnswers(
  answers: readonly CitedAnswer[],
  resolutions: readonly CitationResolution[] = [],
): CitedAnswers {
  const resolved = new Map(resolutions.flatMap((one) => ('target' in one ? [[one.url, one.target] as const] : [])));
  const counts: SourceCounts = { read: 0, unreadable: 0, private: 0, unresolved: 0, left_out: 0 };
  const readUrl = createUrlReader();
  let left = MAX_CITED_SOURCES;
  const read = answers.flatMap((answer): readonly ReadAnswer[] => {
    const given = listSources(answer);
    if (given === undefined) return [];
    const sources = given.slice(0, Math.min(left, MAX_SOURCES_AN_ANSWER));
    left -= sources.length;
    counts.left_out += given.length - sources.length;
    return [readAnswer({ index: answer.index, text: answer.text, sources }, { readUrl, resolved, counts })];
  });
  return { answers: read, counts };
}

/** The vendors' redirects among the sources whose page only the vendor knows, each once, in the order of the answers. */
export function listRedirects(answers: readonly CitedAnswer[]): readonly string[] {
  const readUrl = createUrlReader();
  const found = new Set<string>();
  let left = MAX_CITED_SOURCES;
  for (const answer of answers) {
    const sources = (listSources(answer) ?? []).slice(0, Math.min(left, MAX_SOURCES_AN_ANSWER));
    left -= sources.length;
    for (const { url } of sources) {
      const read = readUrl(url);
      if (read.kind === 'redirect') found.add(read.url);
    }
  }
  return [...found];
}

const listSources = ({ sources, citations }: CitedAnswer): readonly AnswerSource[] | undefined =>
  sources ?? citations?.map((url) => ({ url }));

/** Answers cite the same pages: each address is read once. */
function createUrlReader(): (text: string) => CitedUrl {
  const known = new Map<string, CitedUrl>();
  return (text) => {
    const read = known.get(text) ?? readCitedUrl(text);
    known.set(text, read);
    return read;
  };
}

type Reading = {
  readUrl: (text: string) => CitedUrl;
  resolved: ReadonlyMap<string, string>;
  counts: SourceCounts;
};

function readAnswer(answer: Pick<ReadAnswer, 'index' | 'text' | 'sources'>, reading: Reading): ReadAnswer {
  const cites = new Map<string, Cite>();
  let unknown = 0;
  for (const [at, source] of answer.sources.entries()) {
    const site = readSource(source, reading);
    if (site === 'unknown') unknown += 1;
    if (typeof site === 'string') continue;
    reading.counts.read += 1;
    const before = cites.get(site.key);
    const order = before?.order ?? cites.size + 1;
    cites.set(site.key, { ...(before ?? site), order, positions: [...(before?.positions ?? []), at + 1] });
  }
  return { ...answer, cites: [...cites.values()], unknown };
}

type Site = Pick<Cite, 'key' | 'page' | 'domain' | 'host'>;

/** `none`: no page of the web. `unknown`: some page, but not which. */
function readSource({ url, title }: AnswerSource, { readUrl, resolved, counts }: Reading): Site | 'none' | 'unknown' {
  const read = readUrl(url);
  if (read.kind === 'unreadable' || read.kind === 'private') {
    counts[read.kind] += 1;
    return 'none';
  }
  if (read.kind === 'page') return toSite(read, title);
  const target = resolved.get(read.url);
  const behind = target === undefined ? undefined : readUrl(target);
  if (behind?.kind === 'page') return toSite(behind, read.titleIsHost ? undefined : title);
  counts.unresolved += 1;
  const domain = read.titleIsHost ? readHostDomain(title ?? '') : undefined;
  return domain === undefined ? 'unknown' : { key: read.url, page: undefined, domain, host: domain };
}

function toSite({ key, url, domain, host }: Extract<CitedUrl, { kind: 'page' }>, title: string | undefined): Site {
  const line = formatPlainLine(title ?? '', MAX_TITLE_CHARS);
  return { key, page: { url, title: line === '' ? undefined : line }, domain, host };
}
