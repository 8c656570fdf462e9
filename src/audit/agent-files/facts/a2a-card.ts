import * as z from 'zod';
import { getString, isJsonRecord, type Issue, listSchemaIssues } from '../../structured-data/facts/json-document.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';
import { decodeBase64Json } from './x402-offer.ts';

/** Interfaces and skills of one card that are kept. */
const MAX_INTERFACES = 20;

export type A2aInterface = { url: string; binding: string; version: string };

/** `1.0` has `supportedInterfaces`, `0.3` a top-level `url`; `issues` are judged by the shape it has. */
export type A2aCard = {
  shape: '1.0' | '0.3';
  name: string;
  interfaces: readonly A2aInterface[];
  skills: number;
  /** URIs of `capabilities.extensions`. */
  extensions: readonly string[];
  /** Signatures as published; `header` is undefined where `protected` cannot be decoded. */
  signatures: readonly { header: Readonly<Record<string, unknown>> | undefined; signature: string }[];
  issues: readonly Issue[];
};

const text = z.string('must be a string').min(1, 'must not be empty');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) URL' });
const texts = z.array(text, 'must be an array of strings');

const common = {
  name: text,
  description: text,
  version: text,
  capabilities: z.looseObject({}, 'must be an object'),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: z.array(
    z.looseObject({ id: text, name: text, description: text, tags: texts }, 'must be an object'),
    'must be an array',
  ),
};

// A card served over a local or private network may name an interface with http; scheme and reach are other checks.
const current = z.looseObject({
  ...common,
  supportedInterfaces: z
    .array(
      z.looseObject({ url: httpUrl, protocolBinding: text, protocolVersion: text }, 'must be an object'),
      'must be an array',
    )
    .min(1, 'must name at least one interface'),
});

const legacy = z.looseObject({ ...common, url: httpUrl, preferredTransport: text.optional() });

/**
 * Reads a parsed agent card of A2A 1.0 or 0.3; undefined when the value is no agent card of either. Never throws.
 * @see https://a2a-protocol.org/latest/specification/
 */
export function readA2aCard(value: unknown): A2aCard | undefined {
  if (!isJsonRecord(value)) return undefined;
  const shape = value['supportedInterfaces'] === undefined ? '0.3' : '1.0';
  const known = ['supportedInterfaces', 'url', 'skills', 'capabilities', 'defaultInputModes', 'protocolVersion'];
  const name = getString(value, 'name');
  if (!known.some((key) => value[key] !== undefined) && name === undefined) return undefined;
  return {
    shape,
    name: (name ?? '').slice(0, 200),
    interfaces: listInterfaces(value),
    skills: Array.isArray(value['skills']) ? value['skills'].length : 0,
    extensions: listExtensions(value['capabilities']),
    signatures: listSignatures(value['signatures']),
    issues: listSchemaIssues(shape === '1.0' ? current : legacy, value),
  };
}

function listExtensions(capabilities: unknown): readonly string[] {
  const listed: unknown = isJsonRecord(capabilities) ? capabilities['extensions'] : undefined;
  const items: readonly unknown[] = Array.isArray(listed) ? listed.slice(0, MAX_INTERFACES) : [];
  return items.map((item) => (getString(item, 'uri') ?? '').slice(0, 300));
}

function listSignatures(value: unknown): A2aCard['signatures'] {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_INTERFACES) : [];
  return items.map((item) => ({
    header: decodeBase64Json((getString(item, 'protected') ?? '').slice(0, 10_000)),
    signature: (getString(item, 'signature') ?? '').slice(0, 10_000),
  }));
}

function listInterfaces(value: Readonly<Record<string, unknown>>): readonly A2aInterface[] {
  const listed: readonly unknown[] = Array.isArray(value['supportedInterfaces']) ? value['supportedInterfaces'] : [];
  const url = getString(value, 'url');
  if (listed.length === 0) {
    const version = getString(value, 'protocolVersion') ?? '';
    return url === undefined ? [] : [{ url, binding: getString(value, 'preferredTransport') ?? 'JSONRPC', version }];
  }
  return listed.slice(0, MAX_INTERFACES).map((item) => ({
    url: getString(item, 'url') ?? '',
    binding: getString(item, 'protocolBinding') ?? '',
    version: getString(item, 'protocolVersion') ?? '',
  }));
}

/** Roles of the requests to the interface of an agent card. */
export const A2A_ROLES = { get: 'a2a-interface', options: 'a2a-interface-options' } as const;

/**
 * An address that a document declares, and how it answered. `document` says whether there is one that declares any to
 * judge; `written` is the first address as written in it.
 */
export type AskedEndpoint = {
  document: 'found' | 'none' | 'unknown';
  exchange: Exchange | undefined;
  written: string;
  url: URL | undefined;
  get: Exchange | undefined;
  options: Exchange | undefined;
};

/** Roles of the two requests to a declared address. */
export type EndpointRoles = { get: string; options: string };

/** Artifact `a2aInterface`: the first interface of the agent card and how it answered. Never fails as a whole. */
export function readA2aInterface(snapshot: Snapshot): Artifact<AskedEndpoint> {
  const find = getExchangeLookup(snapshot);
  const card = readAgentCard(find);
  const written = card.state === 'found' ? (card.document.interfaces[0]?.url ?? '') : undefined;
  return { state: 'ready', value: describeEndpoint(find, A2A_ROLES, card, written) };
}

/** @param written the first address of the document; undefined where there is no document that declares one. */
export function describeEndpoint(
  find: ExchangeLookup,
  roles: EndpointRoles,
  { state, exchange }: Pick<DocumentState<unknown>, 'state' | 'exchange'>,
  written: string | undefined,
): AskedEndpoint {
  const missing = state === 'unreadable' || state === 'not_read' ? 'unknown' : 'none';
  return {
    document: written === undefined ? missing : 'found',
    exchange,
    written: written ?? '',
    url: parseEndpoint(written ?? ''),
    get: find(roles.get),
    options: find(roles.options),
  };
}

/** The address as a URL of the web; undefined for any other text. */
export function parseEndpoint(written: string): URL | undefined {
  const url = URL.parse(written);
  return url && /^https?:$/u.test(url.protocol) ? url : undefined;
}

const readAgentCard = (find: ExchangeLookup) => readDocument(find('agent-card'), find('control'), readA2aCard);

/** The address of the first interface of the card among the exchanges so far; undefined when there is none to ask. */
export function findInterfaceUrl(find: ExchangeLookup): URL | undefined {
  const card = readAgentCard(find);
  return card.state === 'found' ? parseEndpoint(card.document.interfaces[0]?.url ?? '') : undefined;
}
