import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  listNumberedExchanges,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
} from '../../core/snapshot.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { readLlmsFile, readTextFile, type SiteTextFile } from '../../llms-txt/facts/llms-files.ts';
import type { McpDiscovery } from './discovery.ts';
import { toAbsoluteHttpUrl } from './json.ts';
import { MCP_ROLES } from './places.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { isRefusalStatus } from '../../reach/facts/blocked-crawler.ts';

/** Characters of one text that are searched. */
const MAX_TEXT = 1_000_000;

/** Texts for people that may tell how to connect: the start page, llms.txt, a page about MCP that they link to, the sample. */
export type McpDocs = {
  texts: readonly { exchange: Exchange; text: string }[];
  /** A text that should be there and could not be read; a sampled page is only one of many. */
  unread?: Exchange;
};

/** The artifact: the texts that were read. Never fails as a whole. */
export function parseMcpDocs(snapshot: Snapshot): Artifact<McpDocs> {
  const find = getExchangeLookup(snapshot);
  const linked = find(MCP_ROLES.docs);
  const exchanges = [find('page'), find('llms'), linked, ...listNumberedExchanges(snapshot, 'sample')];
  const texts = exchanges.flatMap((exchange) => {
    const text = exchange && extractText(exchange, find('control'));
    return exchange && text !== undefined ? [{ exchange, text }] : [];
  });
  const unread = [find('page'), find('llms'), linked].find((exchange) => exchange && isUnread(exchange));
  return { state: 'ready', value: { texts, ...(unread ? { unread } : {}) } };
}

const isUnread = ({ answer }: Exchange): boolean =>
  !answer.ok || isRefusalStatus(answer.status) || answer.status >= 500;

function extractText(exchange: Exchange, control: Exchange | undefined): string | undefined {
  const { answer } = exchange;
  if (!answer.ok || answer.status < 200 || answer.status > 299) return undefined;
  if (isHtmlAnswer(answer)) return getPageFacts(answer).text.slice(0, MAX_TEXT);
  const file = readTextFile(exchange, control);
  return file.state === 'found' ? file.answer.body.slice(0, MAX_TEXT) : undefined;
}

const MCP_WORD = /(?:^|[^a-z0-9])mcp(?:$|[^a-z0-9])/i;

/**
 * The first page of the same owner that the start page, or else llms.txt, links to with MCP in the link's text or
 * address; undefined when there is none. Endpoints and documents for programs are no such pages.
 */
export function findDocsLink(find: ExchangeLookup, discovery: McpDiscovery, start: URL): string | undefined {
  const endpoints = new Set(discovery.sources.flatMap((source) => source.endpoints.map(({ url }) => url)));
  return [...listPageLinks(find), ...listLlmsLinks(find)]
    .filter(({ text, url }) => MCP_WORD.test(text) || MCP_WORD.test(new URL(url).pathname))
    .map(({ url }) => url.split('#')[0] ?? url)
    .find((url) => !endpoints.has(url) && isDocument(new URL(url), start));
}

function listPageLinks(find: ExchangeLookup): readonly { text: string; url: string }[] {
  const answer = find('page')?.answer;
  if (!answer?.ok || !isHtmlAnswer(answer)) return [];
  return getPageFacts(answer).anchors.flatMap(({ href, text }) => (/^https?:/.test(href) ? [{ text, url: href }] : []));
}

function listLlmsLinks(find: ExchangeLookup): readonly { text: string; url: string }[] {
  const file = readLlmsFile(find('llms'), find('control'));
  if (file.state !== 'found') return [];
  return file.file.links.flatMap(({ name, note, href }) => {
    const url = toAbsoluteHttpUrl(href, file.url);
    return url === undefined ? [] : [{ text: `${name} ${note}`, url }];
  });
}

const isDocument = (url: URL, start: URL): boolean =>
  isSameOwner(url, start) &&
  !url.pathname.startsWith('/.well-known/') &&
  !/\/server-card$|\.(?:json|ya?ml|xml|zip|gz|tgz|mcpb|png|svg)$/i.test(url.pathname);

/** Places of one text that are looked at for one needle. */
const MAX_PLACES = 1000;
const EXCERPT_BEFORE = 60;
const EXCERPT_CHARS = 200;

const MCP_NAME = /\bMCP\b|\bModel Context Protocol\b/i;
/** What people copy into a client's settings, or type. */
const SNIPPET = /"?mcpServers"?\s{0,9}:|\bclaude mcp add\b/;

/**
 * The place in a text that explains how to connect: it names MCP and shows one of the endpoints (with or without
 * scheme) or a configuration to copy. Undefined when there is none.
 */
export function connectMention(text: string, endpoints: readonly string[]): string | undefined {
  if (!MCP_NAME.test(text)) return undefined;
  const snippet = SNIPPET.exec(text)?.index;
  const at =
    snippet ?? endpoints.map((url) => findAddressPlace(text, formatAddress(url))).find((place) => place !== undefined);
  return at === undefined ? undefined : text.slice(Math.max(0, at - EXCERPT_BEFORE), at + EXCERPT_CHARS).trim();
}

/** Host and path, as people write an address; the slash at the end is theirs to leave out. */
const formatAddress = (url: string): string => url.replace(/^https?:\/\//i, '').replace(/\/$/, '');

/** The position of an address as a whole: neither the start of a longer path or name, nor the end of a longer host. */
function findAddressPlace(text: string, address: string): number | undefined {
  if (address === '') return undefined;
  let from = 0;
  for (let count = 0; count < MAX_PLACES; count += 1) {
    const at = text.indexOf(address, from);
    if (at === -1) return undefined;
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + address.length, at + address.length + 2);
    if (!/[\w.-]/.test(before) && !/^(?:[\w-]|[/.]\w)/.test(after)) return at;
    from = at + address.length;
  }
  return undefined;
}

/** Bytes of a public key by the algorithm that the registry knows: Ed25519, and a compressed point of P-384. */
const KEY_BYTES: Readonly<Record<string, number>> = { ed25519: 32, ecdsap384: 49 };

/** What /.well-known/mcp-registry-auth holds. */
export type RegistryProof =
  | { state: 'valid'; algorithm: string }
  | { state: 'broken'; why: string }
  | { state: 'absent' }
  | { state: 'unread'; why: string };

/** The artifact: the proof and the answer it was read from. Never fails as a whole. */
export function parseMcpRegistry(snapshot: Snapshot): Artifact<{ file: SiteTextFile; proof: RegistryProof }> {
  const find = getExchangeLookup(snapshot);
  const file = readTextFile(find(MCP_ROLES.registryProof), find('control'));
  return { state: 'ready', value: { file, proof: readFileProof(file) } };
}

function readFileProof(file: SiteTextFile): RegistryProof {
  if (file.state === 'unreadable') return { state: 'unread', why: file.why };
  return file.state === 'absent' ? { state: 'absent' } : readRegistryProof(file.answer.body);
}

/**
 * Reads `v=MCPv1; k=<algorithm>; p=<base64>`, the record by which a domain proves its namespace. Never throws.
 * @see https://github.com/modelcontextprotocol/registry docs, authentication by DNS and HTTP
 */
export function readRegistryProof(text: string): RegistryProof {
  const match = /^v=MCPv1; {0,9}k=([^;\s]{1,40}); {0,9}p=([A-Za-z0-9+/=]{1,200})$/.exec(text.slice(0, 4096).trim());
  if (!match) return { state: 'broken', why: 'is not "v=MCPv1; k=<algorithm>; p=<base64 key>"' };
  const [, algorithm = '', key = ''] = match;
  const bytes = KEY_BYTES[algorithm];
  if (bytes === undefined) return { state: 'broken', why: 'names an algorithm that the registry does not know' };
  const digits = key.replace(/={1,2}$/, '');
  const fits = !digits.includes('=') && Math.floor((digits.length * 3) / 4) === bytes;
  return fits ? { state: 'valid', algorithm } : { state: 'broken', why: `has no key of ${bytes} bytes` };
}
