import { parseMediaType } from '../../../lib/media-type.ts';
import { isSlot, removeSlots } from '../../../lib/slots.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  listNumberedExchanges,
  type Exchange,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { findInstructions, type InstructionHit } from '../../hidden-text/facts/instruction-patterns.ts';
import { type Existence, readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { readStartPageArtifact } from '../../reach/facts/site-files.ts';
import { type LlmsTxt, parseLlmsTxt } from './llms-txt.ts';
import { AGENT_ROLES } from '../../agent-files/facts/agent-places.ts';

/** Lines of robots.txt that are searched. */
const MAX_LINES = 5_000;

/** A place that names llms.txt, strongest first: a described-by link, then a link for people or a line of robots.txt. */
export type LlmsPointer = {
  where: 'element' | 'header' | 'anchor' | 'robots';
  exchange: Exchange;
  line?: number;
  text: string;
};

/** Artifact `llmsPointers`: what leads from the site to its llms.txt; failed when the start page gave no answer. */
export function readLlmsPointers(snapshot: Snapshot): Artifact<readonly LlmsPointer[]> {
  const start = readStartPageArtifact(snapshot);
  if (start.state === 'failed') return start;
  const { exchange, answer } = start.value;
  const page = isHtmlAnswer(answer) ? getPageFacts(answer) : undefined;
  const element = page?.linkTags.find(({ rels, href }) => rels.includes('describedby') && isLlmsLink(href));
  const header = parseLinkHeader(answer.headers['link'] ?? '').find(
    ({ rels, href }) => rels.includes('describedby') && isLlmsLink(href),
  );
  const anchor = page?.anchors.find(({ href, hidden }) => hidden === undefined && isLlmsLink(href));
  const value: LlmsPointer[] = [
    ...(element ? [{ where: 'element' as const, exchange, line: element.line, text: element.rawHref }] : []),
    ...(header ? [{ where: 'header' as const, exchange, text: header.href }] : []),
    ...(anchor ? [{ where: 'anchor' as const, exchange, line: anchor.line, text: anchor.rawHref }] : []),
    ...findRobotsPointer(getExchangeLookup(snapshot)('robots')),
  ];
  return { state: 'ready', value };
}

const isLlmsLink = (href: string): boolean => /\/llms\.txt(?:$|[?#])/u.test(`/${href}`);

function findRobotsPointer(exchange: Exchange | undefined): readonly LlmsPointer[] {
  if (!exchange?.answer.ok || exchange.answer.status !== 200) return [];
  const lines = exchange.answer.body.split(/\r\n|\n|\r/u).slice(0, MAX_LINES);
  const at = lines.findIndex((line) => /llms\.txt/iu.test(line) && !/^\s{0,20}(?:dis)?allow/iu.test(line));
  return at === -1 ? [] : [{ where: 'robots', exchange, line: at + 1, text: lines[at] ?? '' }];
}

/** A text file that agents read: there, not there (and why), or not to be seen by us. */
export type SiteTextFile =
  | { state: 'found'; url: string; exchange: Exchange; answer: SnapshotAnswer }
  | {
      state: 'absent';
      why: 'status' | 'empty' | 'same_as_control' | 'html' | 'binary';
      exchange: Exchange;
      answer: SnapshotAnswer;
    }
  | { state: 'unreadable'; why: string; exchange: Exchange | undefined };

export type LlmsFile =
  | (SiteTextFile & { state: 'found' } & { file: LlmsTxt })
  | Exclude<SiteTextFile, { state: 'found' }>;

/** A 401, 403 or 429 says how we are treated, not what is there. */
const REFUSALS = new Set([401, 403, 429]);

/** Judges one answer as a text file against the control probe; HTML is never one. */
export function readTextFile(exchange: Exchange | undefined, control: Exchange | undefined): SiteTextFile {
  if (!exchange) return { state: 'unreadable', why: 'not_fetched', exchange };
  const { answer } = exchange;
  if (!answer.ok) return { state: 'unreadable', why: answer.reason, exchange };
  if (REFUSALS.has(answer.status)) return { state: 'unreadable', why: `http_${answer.status}`, exchange };
  const existence = readExistence(exchange, control, 'text');
  if (existence.state === 'exists') return { state: 'found', url: answer.url, exchange, answer: ignoreSlots(answer) };
  return { state: 'absent', why: explainAbsence(existence), exchange, answer };
}

const cleaned = new WeakMap<SnapshotAnswer, SnapshotAnswer>();

/** The answer as readers may take it: without open slots. The same object for the same answer. */
export function ignoreSlots(answer: SnapshotAnswer): SnapshotAnswer {
  if (!isSlot(answer.body)) return answer;
  const known = cleaned.get(answer) ?? { ...answer, body: removeSlots(answer.body) };
  cleaned.set(answer, known);
  return known;
}

/** `unknown` means HTML without a control to compare it with, and HTML is no text file. */
function explainAbsence(existence: Existence): 'status' | 'empty' | 'same_as_control' | 'html' | 'binary' {
  if (existence.state !== 'absent') return 'html';
  if (existence.reason === 'wrong_type') return 'binary';
  return existence.reason === 'looks_like_html' ? 'html' : existence.reason;
}

const parsed = new WeakMap<SnapshotAnswer, LlmsTxt>();

/** The same for llms.txt, with its facts; parsed once per answer. */
export function readLlmsFile(exchange: Exchange | undefined, control: Exchange | undefined): LlmsFile {
  const state = readTextFile(exchange, control);
  if (state.state !== 'found') return state;
  const file = parsed.get(state.answer) ?? parseLlmsTxt(state.answer.body, state.answer.bodyBytes);
  parsed.set(state.answer, file);
  return { ...state, file };
}

/** Artifact `llms`: /llms.txt; failed when it could not be read, so that its checks are unknown. */
export const readLlms = (snapshot: Snapshot): Artifact<Exclude<LlmsFile, { state: 'unreadable' }>> =>
  toArtifactOrFailure(
    snapshot,
    readLlmsFile(getExchangeLookup(snapshot)('llms'), getExchangeLookup(snapshot)('control')),
  );

/** Artifact `llmsFull`: /llms-full.txt. */
export const readLlmsFull = (snapshot: Snapshot): Artifact<Exclude<LlmsFile, { state: 'unreadable' }>> =>
  toArtifactOrFailure(
    snapshot,
    readLlmsFile(getExchangeLookup(snapshot)('llms-full'), getExchangeLookup(snapshot)('control')),
  );

function toArtifactOrFailure(
  snapshot: Snapshot,
  state: LlmsFile,
): Artifact<Exclude<LlmsFile, { state: 'unreadable' }>> {
  if (state.state !== 'unreadable') return { state: 'ready', value: state };
  return { state: 'failed', reason: state.why, url: state.exchange?.url ?? snapshot.url };
}

/** A text that agents take instructions from, by its path, and the suspicious phrases in it. */
export type AgentText = { path: string; file: SiteTextFile; hits: readonly InstructionHit[] };

const TEXTS = [
  ['llms', '/llms.txt'],
  ['llms-full', '/llms-full.txt'],
  ['agents-md', '/AGENTS.md'],
  ['skill-md', '/SKILL.md'],
] as const;

/** Artifact `agentTexts`: the files that agents read as instructions. Never fails as a whole. */
export function readAgentTexts(snapshot: Snapshot): Artifact<readonly AgentText[]> {
  const find = getExchangeLookup(snapshot);
  const value = TEXTS.filter(([role]) => find(role)).map(([role, path]) => {
    const file = readTextFile(find(role), find('control'));
    return { path, file, hits: file.state === 'found' ? findInstructions(file.answer.body) : [] };
  });
  return { state: 'ready', value };
}

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
