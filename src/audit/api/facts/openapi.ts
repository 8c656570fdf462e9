import { isObject, type Issue, type JsonObject, stringAt } from '../../structured-data/facts/json-document.ts';
import { type OpenApiKind, type OpenApiOperation, readOperations } from './openapi-operations.ts';
import { structureIssues } from './openapi-structure.ts';
import { type DocumentFault, parseJsonOrYaml } from './yaml-document.ts';

/**
 * An OpenAPI description as read. `issues` are breaches of its specification with JSON pointers, at most `MAX_ISSUES`;
 * `servers` are absolute base URLs with the defaults of their variables filled in.
 */
export type OpenApi = {
  version: string;
  kind: OpenApiKind;
  format: 'json' | 'yaml';
  title: string | undefined;
  operations: readonly OpenApiOperation[];
  servers: readonly string[];
  issues: readonly Issue[];
  /** The document itself, for checks that look at its parts; an object may stand in it many times, or hold itself by reference. */
  source: JsonObject;
};

export type OpenApiReading =
  | { ok: true; document: OpenApi }
  | { ok: false; reason: DocumentFault | 'no_version'; message: string };

/** Servers of a document that are kept. */
const MAX_SERVERS = 10;

/**
 * Reads a JSON or YAML text as OpenAPI 3.x or Swagger 2.0. Never throws. Only what no valid document can lack is checked:
 * version, info, paths, local references, unique operation ids and path parameters; schemas are not validated.
 * @param url where it was found: relative server URLs resolve against it.
 * @see https://spec.openapis.org/oas/v3.2.0.html
 */
export function readOpenApi(text: string, url: string): OpenApiReading {
  const parsed = parseJsonOrYaml(text);
  if (!parsed.ok) return parsed;
  const { value, format } = parsed;
  const kind = kindOf(value);
  if (!kind || !isObject(value)) {
    return {
      ok: false,
      reason: 'no_version',
      message: `is ${format.toUpperCase()} without openapi "3.x" or swagger "2.0"`,
    };
  }
  return {
    ok: true,
    document: {
      version: stringAt(value, 'openapi') ?? stringAt(value, 'swagger') ?? '',
      kind,
      format,
      title: stringAt(value['info'], 'title')?.slice(0, 200),
      operations: readOperations(value).map(({ operation }) => operation),
      servers: serversOf(value, url),
      issues: structureIssues(value, kind),
      source: value,
    },
  };
}

function kindOf(value: unknown): OpenApiKind | undefined {
  const version = stringAt(value, 'openapi') ?? '';
  if (/^3\.0\.\d/u.test(version)) return '3.0';
  if (/^3\.[1-9]\d?\.\d/u.test(version)) return '3.1';
  return stringAt(value, 'swagger') === '2.0' ? '2.0' : undefined;
}

function serversOf(document: JsonObject, url: string): readonly string[] {
  const named = document['swagger'] === undefined ? serverUrls(document) : [swaggerBase(document, url)];
  const urls = (named.length === 0 ? ['/'] : named).map((server) => URL.parse(server, url)?.href);
  return [...new Set(urls.filter((server) => server !== undefined))];
}

/** `servers[].url` as written, the defaults of their variables filled in. */
export function serverUrls(document: JsonObject): readonly string[] {
  const servers = Array.isArray(document['servers']) ? document['servers'].slice(0, MAX_SERVERS) : [];
  return servers.flatMap((server: unknown) => {
    const url = stringAt(server, 'url')?.slice(0, 2048);
    const variables = isObject(server) ? server['variables'] : undefined;
    return url === undefined
      ? []
      : [url.replaceAll(/\{([^{}]{1,100})\}/gu, (whole, name: string) => defaultOf(variables, name) ?? whole)];
  });
}

const defaultOf = (variables: unknown, name: string): string | undefined =>
  isObject(variables) && Object.hasOwn(variables, name) ? stringAt(variables[name], 'default') : undefined;

/** The base URL of a Swagger 2.0 document; what it leaves out is that of `url`, where it was found. */
export function swaggerBase(document: JsonObject, url: string): string {
  const own = new URL(url);
  const schemes = Array.isArray(document['schemes']) ? document['schemes'] : [];
  const scheme = schemes.includes('https')
    ? 'https'
    : typeof schemes[0] === 'string'
      ? schemes[0]
      : own.protocol.slice(0, -1);
  return `${scheme}://${stringAt(document, 'host') ?? own.host}${stringAt(document, 'basePath') ?? '/'}`;
}

/** Two methods of a URL that a paid operation of the document answers, safe to ask with GET. */
export type PaidPath = { method: string; url: string };

/**
 * URLs on `origin` that the document says cost money, without templated parts, those with a GET operation first.
 * A path that only knows POST may be asked with GET too: it answers 402 or 405.
 */
export function paidPaths(document: OpenApi, origin: string, limit: number): readonly PaidPath[] {
  const base = document.servers.find((server) => new URL(server).origin === origin);
  if (base === undefined) return [];
  const paid = document.operations.filter(
    ({ paid: costs, webhook, path }) => costs && !webhook && path.startsWith('/') && !/[{}]/u.test(path),
  );
  const ordered = [...paid.filter(({ method }) => method === 'get'), ...paid.filter(({ method }) => method !== 'get')];
  const urls = new Map<string, string>();
  for (const { method, path } of ordered) {
    const url = URL.parse(base.replace(/(?<!\/)\/+$/u, '') + path);
    if (url?.origin === origin && !urls.has(url.href)) urls.set(url.href, method);
  }
  return [...urls].slice(0, limit).map(([url, method]) => ({ method, url }));
}
