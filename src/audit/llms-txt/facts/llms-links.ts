import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup, listNumberedExchanges } from '../../core/snapshot.ts';
import { AGENT_ROLES } from '../../agent-files/facts/agent-places.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { isHtmlAnswer, parseMediaType } from '../../reach/facts/html-answer.ts';
import { type LlmsFile, readLlmsFile } from './llms-files.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';

/** Visible words below which an HTML page has nothing for a reader without JavaScript. */
export const MIN_PAGE_WORDS = 60;

/** `broken` was not found or is a soft 404; `unknown` we could not look. `readable` is null for what did not resolve. */
export type LlmsLinkState = {
  exchange: Exchange;
  state: 'resolves' | 'broken' | 'unknown';
  why: string;
  readable: boolean | null;
};

/** Absolute http(s) URLs of the links of an llms.txt, each once, fragments dropped, in file order. */
export function listLinkUrls(llms: LlmsFile & { state: 'found' }): readonly string[] {
  const urls = new Set<string>();
  for (const { href } of llms.file.links) {
    const url = toAbsoluteLink(href, llms.url);
    if (url) urls.add(url.href);
  }
  return [...urls];
}

/** The http(s) URL that a link of the file names, without its fragment; undefined for anything else. */
export function toAbsoluteLink(href: string, base: string): URL | undefined {
  const url = href === '' || href.length > 2048 ? null : URL.parse(href, base);
  if (!url || !/^https?:$/u.test(url.protocol)) return undefined;
  url.hash = '';
  return url;
}

/** Artifact `llmsLinks`: the links of llms.txt that were followed; none when there is no file or it has no links. */
export function readLlmsLinks(snapshot: Snapshot): Artifact<readonly LlmsLinkState[]> {
  const find = getExchangeLookup(snapshot);
  const llms = readLlmsFile(find('llms'), find('control'));
  if (llms.state === 'unreadable')
    return { state: 'failed', reason: llms.why, url: llms.exchange?.url ?? snapshot.url };
  const value = listNumberedExchanges(snapshot, AGENT_ROLES.llmsLink).map((exchange) =>
    classifyLink(exchange, find('control')),
  );
  return { state: 'ready', value };
}

function classifyLink(exchange: Exchange, control: Exchange | undefined): LlmsLinkState {
  const { answer } = exchange;
  if (!answer.ok) return { exchange, state: 'unknown', why: answer.reason, readable: null };
  if ([401, 403, 429].includes(answer.status))
    return { exchange, state: 'unknown', why: `http_${answer.status}`, readable: null };
  if (answer.status !== 200) return { exchange, state: 'broken', why: `http_${answer.status}`, readable: null };
  const existence = readExistence(exchange, control, 'any');
  if (existence.state === 'absent') return { exchange, state: 'broken', why: existence.reason, readable: null };
  if (existence.state === 'unknown') return { exchange, state: 'unknown', why: existence.reason, readable: null };
  if (isHtmlAnswer(answer)) {
    const { words } = getPageFacts(answer);
    return { exchange, state: 'resolves', why: `HTML, ${words} words`, readable: words >= MIN_PAGE_WORDS };
  }
  const type = parseMediaType(answer.headers['content-type'] ?? '');
  return { exchange, state: 'resolves', why: type || 'no media type', readable: isTextType(type) };
}

/** Text, and the formats of API descriptions and feeds: a model reads them as they are. */
const isTextType = (type: string): boolean =>
  /^text\/|^application\/(?:[\w.+-]{0,60}\+)?(?:json|yaml|x-yaml|xml)$/u.test(type);
