import type { Artifact } from '../../core/artifact.ts';
import {
  type SnapshotAnswer,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
  getExchangeLookup,
} from '../../core/snapshot.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { isJsonRecord, parseSiteJson } from '../../structured-data/facts/json-document.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import { isSameOwner } from '../../publisher/facts/same-owner.ts';
import { readStart } from '../../reach/facts/site-files.ts';

/** Role of the question to an NLWeb endpoint. */
export const NLWEB_ROLE = 'nlweb-ask';
/** Results of one answer that are looked at. */
const MAX_RESULTS = 20;

/** `endpoint` is where the site says that one may ask; `exchange` what it answered to a question. */
export type NlWeb = { endpoint: URL | undefined; own: boolean; exchange: Exchange | undefined };

/** Artifact `nlweb`; failed when the start page gave no answer. */
export function readNlWeb(snapshot: Snapshot): Artifact<NlWeb> {
  const start = readStart(snapshot);
  if (start.state === 'failed') return start;
  const find = getExchangeLookup(snapshot);
  const endpoint = findDeclaredEndpoint(find);
  const own = endpoint !== undefined && isSameOwner(endpoint, new URL(snapshot.url));
  return { state: 'ready', value: { endpoint, own, exchange: find(NLWEB_ROLE) } };
}

/** The endpoint that a `rel="nlweb"` link of the start page names, as an element or a Link header. */
export function findDeclaredEndpoint(find: ExchangeLookup): URL | undefined {
  const answer = find('page')?.answer;
  if (!answer?.ok) return undefined;
  const tag = isHtmlAnswer(answer)
    ? getPageFacts(answer).linkTags.find(({ rels }) => rels.includes('nlweb'))
    : undefined;
  const header = parseLinkHeader(answer.headers['link'] ?? '').find(({ rels }) => rels.includes('nlweb'));
  const named = tag?.href ?? header?.href ?? '';
  const url = named === '' ? null : URL.parse(named, answer.url);
  return url && /^https?:$/u.test(url.protocol) ? url : undefined;
}

/** How many results an answer has and how many of them are schema.org items; undefined when it is no list of results. */
export function readResults(answer: SnapshotAnswer): { total: number; typed: number } | undefined {
  const parsed = parseSiteJson(answer.body);
  const results = parsed.ok && isJsonRecord(parsed.value) ? parsed.value['results'] : undefined;
  if (!Array.isArray(results)) return undefined;
  const seen = (results as readonly unknown[]).slice(0, MAX_RESULTS);
  return { total: seen.length, typed: seen.filter(isTyped).length };
}

/** A result carries its item as `schema_object`, of some type. */
function isTyped(result: unknown): boolean {
  if (!isJsonRecord(result)) return false;
  const items = [result['schema_object']].flat();
  return items.some((item) => isJsonRecord(item) && (item['@type'] !== undefined || item['@graph'] !== undefined));
}
