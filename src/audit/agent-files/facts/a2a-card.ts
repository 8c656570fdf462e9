import * as z from 'zod';
import { type Issue, isJsonRecord, listSchemaIssues, getString } from '../../structured-data/facts/json-document.ts';

/** Interfaces and skills of one card that are kept. */
const MAX_INTERFACES = 20;

export type A2aInterface = { url: string; binding: string; version: string };

/** `1.0` has `supportedInterfaces`, `0.3` a top-level `url`; `issues` are judged by the shape it has. */
export type A2aCard = {
  shape: '1.0' | '0.3';
  name: string;
  interfaces: readonly A2aInterface[];
  skills: number;
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
    issues: listSchemaIssues(shape === '1.0' ? current : legacy, value),
  };
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
