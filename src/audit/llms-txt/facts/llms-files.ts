import { parseLinkHeader } from '../../api/facts/link-header.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type SnapshotAnswer, type Exchange, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { findInstructions, type InstructionHit } from '../../hidden-text/facts/instruction-patterns.ts';
import { type Existence, readExistence } from '../../reach/facts/existence.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import { readStartPageArtifact } from '../../reach/facts/site-files.ts';
import { type LlmsTxt, parseLlmsTxt } from './llms-txt.ts';

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
  if (existence.state === 'exists') return { state: 'found', url: answer.url, exchange, answer };
  return { state: 'absent', why: explainAbsence(existence), exchange, answer };
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
