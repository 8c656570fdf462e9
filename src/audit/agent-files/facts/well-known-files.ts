import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { readTextFile, type SiteTextFile } from '../../llms-txt/facts/llms-files.ts';
import { getString, isJsonRecord, type Issue, parseSiteJson } from '../../structured-data/facts/json-document.ts';
import { readFences, readHeading, splitFrontMatter } from '../../llms-txt/facts/markdown-quality.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { readStart } from '../../reach/facts/site-files.ts';

/** Lines of one file that are read. */
const MAX_SECURITY_LINES = 1_000;

/** Values of the fields that decide, with their lines; names in lower case. */
export type SecurityTxt = { contacts: readonly SecurityTxtField[]; expires: readonly SecurityTxtField[] };
export type SecurityTxtField = { value: string; line: number };

/** Artifact `securityTxt`: /.well-known/security.txt and its fields. Never fails as a whole. */
export function readSecurityTxt(snapshot: Snapshot): Artifact<{ file: SiteTextFile; fields: SecurityTxt }> {
  const find = getExchangeLookup(snapshot);
  const file = readTextFile(find('security-txt'), find('control'));
  return { state: 'ready', value: { file, fields: parseSecurityTxt(file.state === 'found' ? file.answer.body : '') } };
}

/** Reads the fields of a security.txt, signed or not (RFC 9116, 2.5). Never throws. */
export function parseSecurityTxt(body: string): SecurityTxt {
  const contacts: SecurityTxtField[] = [];
  const expires: SecurityTxtField[] = [];
  for (const [index, raw] of body
    .split(/\r\n|\n|\r/u)
    .slice(0, MAX_SECURITY_LINES)
    .entries()) {
    const found = /^([A-Za-z-]{1,40}):[ \t]{0,20}(\S.{0,2000})$/u.exec(raw.trimEnd());
    const field = { value: found?.[2] ?? '', line: index + 1 };
    if (found?.[1]?.toLowerCase() === 'contact') contacts.push(field);
    if (found?.[1]?.toLowerCase() === 'expires') expires.push(field);
  }
  return { contacts, expires };
}

/** A contact is an address for mail, a phone number, or a page over https (RFC 9116, 2.5.3). */
export const isContact = (value: string): boolean =>
  /^(?:mailto:[^\s@]{1,200}@[^\s@]{1,200}|tel:\+?[\d().-]{3,40}|https:\/\/\S{3,2000})$/iu.test(value);

/** Unix milliseconds of an RFC 3339 date and time; undefined for anything else. */
export function parseRfc3339(value: string): number | undefined {
  const isDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/iu.test(value.trim());
  const ms = isDateTime ? Date.parse(value.trim()) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Lines of one text that are read. */
const MAX_LINES = 20_000;

/** Artifact `agentsMd`: /AGENTS.md. Never fails as a whole. */
export const readAgentsMd = (snapshot: Snapshot): Artifact<SiteTextFile> => readTextArtifact(snapshot, 'agents-md');

/** Artifact `sitemapMd`: /sitemap.md. Never fails as a whole. */
export const readSitemapMd = (snapshot: Snapshot): Artifact<SiteTextFile> => readTextArtifact(snapshot, 'sitemap-md');

function readTextArtifact(snapshot: Snapshot, role: string): Artifact<SiteTextFile> {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readTextFile(find(role), find('control')) };
}

/** How many sections a Markdown text has: headings below the first level, or of it when there are several. */
export function countSections(body: string): number {
  const { lines } = readFences(body.split(/\r\n|\n|\r/u).slice(0, MAX_LINES));
  const levels = splitFrontMatter(lines)
    .rest.flatMap(readHeading)
    .map(({ level }) => level);
  const deeper = levels.filter((level) => level > 1).length;
  return deeper > 0 ? deeper : Math.max(0, levels.length - 1);
}

/** A UCP business profile; `issues` are what a client would stumble over. */
export type CommerceProfile = { version: string; issues: readonly Issue[] };

/** Artifact `commerceProfile`: /.well-known/ucp. Never fails as a whole. */
export function readCommerceProfile(snapshot: Snapshot): Artifact<DocumentState<CommerceProfile>> {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readDocument(find('ucp'), find('control'), readProfile) };
}

/** Versions are dates (ucp.dev, "Versioning"). */
function readProfile(value: unknown): CommerceProfile | undefined {
  const ucp = isJsonRecord(value) ? value['ucp'] : undefined;
  if (!isJsonRecord(ucp)) return undefined;
  const version = getString(ucp, 'version') ?? '';
  const services = ucp['services'];
  const capabilities = ucp['capabilities'];
  return {
    version: version.slice(0, 40),
    issues: [
      ...(/^\d{4}-\d{2}-\d{2}$/u.test(version)
        ? []
        : [{ pointer: '/ucp/version', message: 'must be a date, YYYY-MM-DD' }]),
      ...(isJsonRecord(services) && Object.keys(services).length > 0
        ? []
        : [{ pointer: '/ucp/services', message: 'must name at least one service' }]),
      ...(capabilities === undefined || typeof capabilities === 'object'
        ? []
        : [{ pointer: '/ucp/capabilities', message: 'must be a list or a map' }]),
    ],
  };
}

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
