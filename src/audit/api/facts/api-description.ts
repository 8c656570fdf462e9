import { rememberPerObject } from '../../../lib/memo.ts';
import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  listNumberedExchanges,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { AGENT_FILES, AGENT_ROLES, OPENAPI_PATHS } from '../../agent-files/facts/agent-places.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { isJsonRecord, getString } from '../../structured-data/facts/json-document.ts';
import { parseLinkHeader } from './link-header.ts';
import { readDocument } from '../../mcp/facts/document.ts';
import { type OpenApi, readOpenApi } from './openapi.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { isOurLimit } from './yaml-document.ts';

/** What one place held. `broken`: meant as an OpenAPI document, and no reader can use it. `unreadable`: we could not look. */
export type ApiCandidate =
  | { state: 'found'; exchange: Exchange; answer: SnapshotAnswer; document: OpenApi }
  | { state: 'absent' | 'broken' | 'unreadable'; exchange: Exchange; why: string };

/** `evidence` lists what on the site speaks of an API, in our words: without any, no description is expected. */
export type ApiDescription = {
  found: (ApiCandidate & { state: 'found' }) | undefined;
  tried: readonly ApiCandidate[];
  evidence: readonly string[];
  /** The link of the start page among them, as evidence. */
  link: { exchange: Exchange; href: string; line: number } | undefined;
};

const parsed = new WeakMap<SnapshotAnswer, ReturnType<typeof readOpenApi>>();

/** Judges one answer as an OpenAPI description; parsed once per answer. */
export function readApiCandidate(exchange: Exchange, control: Exchange | undefined): ApiCandidate {
  const { answer } = exchange;
  if (!answer.ok) return { state: 'unreadable', exchange, why: `could not be read (${answer.reason})` };
  if (answer.status === 429 || answer.status >= 500 || isRefusedAlone(answer.status, control))
    return { state: 'unreadable', exchange, why: `answered ${answer.status}` };
  const existence = readExistence(exchange, control, 'text');
  if (existence.state !== 'exists') {
    const reason = existence.state === 'absent' ? existence.reason : 'looks_like_html';
    return {
      state: 'absent',
      exchange,
      why: reason === 'status' ? `answered ${answer.status}` : `is no file (${reason})`,
    };
  }
  if (answer.truncated) return { state: 'unreadable', exchange, why: 'is larger than we read' };
  const reading = parsed.get(answer) ?? readOpenApi(answer.body, answer.url);
  parsed.set(answer, reading);
  if (reading.ok) return { state: 'found', exchange, answer, document: reading.document };
  if (!isMeantAsDescription(answer.body) || reading.reason === 'no_version')
    return { state: 'absent', exchange, why: reading.message };
  return { state: isOurLimit(reading.reason) ? 'unreadable' : 'broken', exchange, why: reading.message };
}

/** Whether a text names its version near its start, or at the start of any line: tools that sort keys write `components` first. */
const isMeantAsDescription = (text: string): boolean =>
  /["']?(?:openapi|swagger)["']?\s{0,4}:/iu.test(text.slice(0, 4096)) ||
  /^["']?(?:openapi|swagger)["']?[ \t]{0,4}:[ \t]{0,4}["']?[23]\./mu.test(text);

/** A refusal of only this address shows how we are treated; a site that refuses every path has no description there. */
const isRefusedAlone = (status: number, control: Exchange | undefined): boolean =>
  (status === 401 || status === 403) && !(control?.answer.ok === true && control.answer.status === status);

/** Places to look for a description in order: links of the start page, the API catalog, then six usual paths. */
export function openApiCandidates(find: ExchangeLookup, start: URL): readonly string[] {
  const usual = OPENAPI_PATHS.map((path) => new URL(path, start).href);
  return [
    ...new Set([
      ...listLinkedDescriptions(find).slice(0, 1),
      ...listCataloguedDescriptions(find).slice(0, 1),
      ...usual,
    ]),
  ];
}

/**
 * Artifact `openapi`: the OpenAPI description of the site, or where it was looked for. Never fails as a whole. Read once
 * per snapshot: other artifacts build on it.
 */
export const readApiDescription = rememberPerObject((snapshot: Snapshot): Artifact<ApiDescription> => {
  const find = getExchangeLookup(snapshot);
  const tried = listNumberedExchanges(snapshot, AGENT_ROLES.openapi).map((exchange) =>
    readApiCandidate(exchange, find('control')),
  );
  const found = tried.find((candidate) => candidate.state === 'found');
  const start = new URL(snapshot.url);
  return {
    state: 'ready',
    value: { found, tried, evidence: listApiEvidence(find, start), link: findApiLink(find, start) },
  };
});

/** The start page when it is HTML with a 2xx status. */
function startPage(find: ExchangeLookup): PageFacts | undefined {
  const answer = find('page')?.answer;
  return answer?.ok && answer.status >= 200 && answer.status < 300 && isHtmlAnswer(answer)
    ? getPageFacts(answer)
    : undefined;
}

function listLinkedDescriptions(find: ExchangeLookup): readonly string[] {
  const answer = find('page')?.answer;
  if (!answer?.ok) return [];
  const header = parseLinkHeader(answer.headers['link'] ?? '').filter(({ rels }) => rels.includes('service-desc'));
  const tags = startPage(find)?.linkTags.filter(({ rels }) => rels.includes('service-desc')) ?? [];
  return listHttpUrls(
    [...header, ...tags].map(({ href }) => href),
    answer.url,
  );
}

/** `service-desc` targets of `/.well-known/api-catalog` (RFC 9727, a linkset of RFC 9264). */
function listCataloguedDescriptions(find: ExchangeLookup): readonly string[] {
  const catalog = readDocument(find('api-catalog'), find('control'), findLinkset);
  if (catalog.state !== 'found') return [];
  const targets = catalog.document.flatMap((context) => {
    const links = isJsonRecord(context) ? context['service-desc'] : undefined;
    return Array.isArray(links) ? links.slice(0, 5).map((link) => getString(link, 'href') ?? '') : [];
  });
  return listHttpUrls(targets, catalog.url);
}

const findLinkset = (value: unknown): readonly unknown[] | undefined =>
  isJsonRecord(value) && Array.isArray(value['linkset']) ? (value['linkset'] as unknown[]).slice(0, 50) : undefined;

const listHttpUrls = (references: readonly string[], base: string): readonly string[] =>
  references.flatMap((reference) => {
    const url = reference === '' || reference.length > 2048 ? null : URL.parse(reference, base);
    return url && /^https?:$/u.test(url.protocol) ? [url.href] : [];
  });

function findApiLink(find: ExchangeLookup, start: URL): ApiDescription['link'] {
  const exchange = find('page');
  const link = startPage(find)?.anchors.find(({ href, text }) => isApiLink(href, text, start));
  return exchange && link && { exchange, href: link.href, line: link.line };
}

/** Evidence of something to pay for, which need not be an API. */
export const PAID_ANSWER = 'a 402 answer';

function listApiEvidence(find: ExchangeLookup, start: URL): readonly string[] {
  const page = find('page')?.answer;
  const card = readDocument(find('agent-card'), find('control'), (value) => (isJsonRecord(value) ? value : undefined));
  return [
    ...(findApiLink(find, start) ? ['a link of the start page'] : []),
    ...(listLinkedDescriptions(find).length > 0 ? ['a service-desc link'] : []),
    ...(listCataloguedDescriptions(find).length > 0 ? [`an API catalog at ${AGENT_FILES['api-catalog'].path}`] : []),
    ...(card.state === 'found' ? ['an agent card'] : []),
    ...(page?.ok && page.status === 402 ? [PAID_ANSWER] : []),
  ];
}

const API_PATH = /\/(?:apis?|rest-api|api-?docs?|api-?reference|developers?)(?:\/|\.html?$|$)/iu;
const API_TEXT = /^(?:[\p{L}\s]{0,30}\s)?(?:apis?|developers?)(?:\s[\p{L}\s]{0,30})?$/iu;

/** A link of the site itself whose address or words name an API or its developers; a bare "docs" names none. */
function isApiLink(href: string, text: string, start: URL): boolean {
  const url = URL.parse(href);
  if (!url) return false;
  const host = url.host === start.host ? '' : url.hostname;
  const speaks =
    /^(?:api|developers?|dev)\./iu.test(host) ||
    API_PATH.test(url.pathname) ||
    (text.length <= 60 && API_TEXT.test(text.trim()));
  return speaks && isSameOwner(url, start);
}
