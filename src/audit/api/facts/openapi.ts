import { isJsonRecord, type Issue, type JsonRecord, getString } from '../../structured-data/facts/json-document.ts';
import { type OpenApiKind, type OpenApiOperation, readOperations } from './openapi-operations.ts';
import { listStructureIssues } from './openapi-structure.ts';
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
  /**
   * The document itself, for checks of its parts; an object may occur in it many times, or contain itself by reference.
   */
  source: JsonRecord;
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
  const kind = detectOpenApiKind(value);
  if (!kind || !isJsonRecord(value)) {
    return {
      ok: false,
      reason: 'no_version',
      message: `is ${format.toUpperCase()} without openapi "3.x" or swagger "2.0"`,
    };
  }
  return {
    ok: true,
    document: {
      version: getString(value, 'openapi') ?? getString(value, 'swagger') ?? '',
      kind,
      format,
      title: getString(value['info'], 'title')?.slice(0, 200),
      operations: readOperations(value).map(({ operation }) => operation),
      servers: listServers(value, url),
      issues: listStructureIssues(value, kind),
      source: value,
    },
  };
}

function detectOpenApiKind(value: unknown): OpenApiKind | undefined {
  const version = getString(value, 'openapi') ?? '';
  if (/^3\.0\.\d/u.test(version)) return '3.0';
  if (/^3\.[1-9]\d?\.\d/u.test(version)) return '3.1';
  return getString(value, 'swagger') === '2.0' ? '2.0' : undefined;
}

function listServers(document: JsonRecord, url: string): readonly string[] {
  const named = document['swagger'] === undefined ? listServerUrls(document) : [buildSwaggerBase(document, url)];
  const urls = (named.length === 0 ? ['/'] : named).map((server) => URL.parse(server, url)?.href);
  return [...new Set(urls.filter((server) => server !== undefined))];
}

/** `servers[].url` as written, the defaults of their variables filled in. */
export function listServerUrls(document: JsonRecord): readonly string[] {
  const servers = Array.isArray(document['servers']) ? document['servers'].slice(0, MAX_SERVERS) : [];
  return servers.flatMap((server: unknown) => {
    const url = getString(server, 'url')?.slice(0, 2048);
    const variables = isJsonRecord(server) ? server['variables'] : undefined;
    return url === undefined
      ? []
      : [
          url.replaceAll(
            /\{([^{}]{1,100})\}/gu,
            (whole, name: string) => findVariableDefault(variables, name) ?? whole,
          ),
        ];
  });
}

const findVariableDefault = (variables: unknown, name: string): string | undefined =>
  isJsonRecord(variables) && Object.hasOwn(variables, name) ? getString(variables[name], 'default') : undefined;

/** The base URL of a Swagger 2.0 document; what it leaves out is that of `url`, where it was found. */
export function buildSwaggerBase(document: JsonRecord, url: string): string {
  const own = new URL(url);
  const schemes = Array.isArray(document['schemes']) ? document['schemes'] : [];
  const scheme = schemes.includes('https')
    ? 'https'
    : typeof schemes[0] === 'string'
      ? schemes[0]
      : own.protocol.slice(0, -1);
  return `${scheme}://${getString(document, 'host') ?? own.host}${getString(document, 'basePath') ?? '/'}`;
}

/** Two methods of a URL that a paid operation of the document answers, safe to ask with GET. */
export type PaymentPath = { method: string; url: string };

/**
 * URLs on `origin` that the document says cost money, without templated parts, those with a GET operation first.
 * A path that only knows POST may be asked with GET too: it answers 402 or 405.
 */
export function listPaymentPaths(document: OpenApi, origin: string, limit: number): readonly PaymentPath[] {
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
