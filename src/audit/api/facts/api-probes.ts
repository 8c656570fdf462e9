import { classifyHost } from '../../../net/address.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { readApiDescription } from './api-description.ts';
import { type OpenApi, listServerUrls } from './openapi.ts';
import { canProbe } from '../../mcp/facts/probe-policy.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';

/** Roles of the requests that try a described API. */
export const API_ROLES = { error: 'api-error', server: 'api-server', target: 'api-catalog-target' } as const;

/** A server of the description and what is wrong with its address; undefined when nothing is. */
export type ServerAddress = { url: string; fault: string | undefined };

/**
 * What the API of the description did. `error` is the answer for a path that it does not have, `elsewhere` when its
 * server belongs to another owner and is not asked; `server` the answer of the first server on another origin.
 */
export type ApiProbes = {
  api: OpenApi | undefined;
  description: Exchange | undefined;
  blind: boolean;
  servers: readonly ServerAddress[];
  error: Exchange | 'elsewhere' | 'not_asked';
  server: Exchange | 'same_origin' | 'local' | 'not_asked';
};

/** Artifact `apiProbes`. Never fails as a whole. */
export function readApiProbes(snapshot: Snapshot): Artifact<ApiProbes> {
  const find = getExchangeLookup(snapshot);
  const start = new URL(snapshot.url);
  const description = readApiDescription(snapshot);
  const { found, tried } = description.state === 'ready' ? description.value : { found: undefined, tried: [] };
  const api = found?.document;
  const facts = {
    api,
    description: found?.exchange,
    blind: tried.length === 0 || tried.some(({ state }) => state === 'unreadable'),
    servers: api && found ? listServerAddresses(api, { start, document: found.answer.url }) : [],
    error: find(API_ROLES.error) ?? (api && findErrorPath(api, start) === undefined ? 'elsewhere' : 'not_asked'),
    server: find(API_ROLES.server) ?? (api ? explainForeignSkip(api, start) : 'not_asked'),
  } as const;
  return { state: 'ready', value: facts };
}

/** Whether a URL is of this machine or of a private network. */
export const isPrivateHost = (url: URL): boolean => classifyHost(url.hostname).kind !== 'public';

/** The first server on another origin than the site's own, which the audit reads anyway; a private site asks no stranger. */
export function findForeignServer(api: OpenApi, start: URL): URL | undefined {
  if (isPrivateHost(start)) return undefined;
  return api.servers
    .map((server) => new URL(server))
    .find((url) => url.origin !== start.origin && /^https?:$/u.test(url.protocol) && !/[{}]|%7[BD]/iu.test(url.href));
}

function explainForeignSkip(api: OpenApi, start: URL): 'same_origin' | 'local' | 'not_asked' {
  const foreign = api.servers.some((server) => new URL(server).origin !== start.origin);
  if (!foreign) return 'same_origin';
  return isPrivateHost(start) ? 'local' : 'not_asked';
}

/** Segments of the API's own paths that the probe walks into. */
const MAX_SEGMENTS = 5;

/**
 * The address below which a path that does not exist is asked for: the first server of the site's owner, and the folders
 * that all operations share, since a base at the root is the website's too. Undefined when no server is the owner's.
 */
export function findErrorPath(api: OpenApi, start: URL): string | undefined {
  const base = api.servers.map((server) => new URL(server)).find((url) => canProbe(start, url));
  if (!base) return undefined;
  const folders = api.operations
    .filter(({ webhook }) => !webhook)
    .map(({ path }) => path.split('/').slice(1, -1).slice(0, MAX_SEGMENTS));
  const [first = []] = folders;
  const end = first.findIndex((segment, at) => !isPlain(segment) || folders.some((other) => other[at] !== segment));
  const shared = end === -1 ? first : first.slice(0, end);
  base.search = '';
  base.hash = '';
  const root = base.pathname.endsWith('/') ? base.pathname.slice(0, -1) : base.pathname;
  base.pathname = [root, ...shared, ''].join('/');
  return base.href;
}

const isPlain = (segment: string): boolean => /^[\w-][\w.~-]{0,99}$/u.test(segment);

/** Hosts that documents name as a placeholder (RFC 2606, RFC 6761). */
const PLACEHOLDER = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid)$/iu;

/** A relative address counts as the absolute one that OpenAPI makes of it: it resolves against the document's own. */
function listServerAddresses(api: OpenApi, at: { start: URL; document: string }): readonly ServerAddress[] {
  const written = api.source['swagger'] === undefined ? listServerUrls(api.source) : [];
  if (written.length === 0) return api.servers.map((url) => ({ url, fault: findAddressFault(url, at.start) }));
  return written.map((text) => {
    const url = URL.parse(text, at.document)?.href;
    const fault = /[{}]/u.test(text) ? 'has a variable without a default' : findAddressFault(url, at.start);
    return { url: url ?? text.slice(0, 300), fault };
  });
}

function findAddressFault(text: string | undefined, start: URL): string | undefined {
  const url = text === undefined ? null : URL.parse(text);
  if (!url || !/^https?:$/u.test(url.protocol)) return 'is no web address';
  if (isPrivateHost(start)) return undefined;
  if (isPrivateHost(url)) return 'is a private address';
  if (PLACEHOLDER.test(url.hostname) && !isSameOwner(url, start)) return 'is a placeholder';
  return url.protocol === 'https:' ? undefined : 'is not https';
}
