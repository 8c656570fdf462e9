import * as z from 'zod';
import type { Artifact } from '../../core/artifact.ts';
import { getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { readTextFile, type SiteTextFile } from '../../llms-txt/facts/llms-files.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';
import { isJsonRecord, type Issue, listSchemaIssues } from '../../structured-data/facts/json-document.ts';

/** The discovery document of the Agentic Commerce Protocol; `issues` by its RFC. */
export type AcpDocument = { version: string; services: readonly string[]; issues: readonly Issue[] };

const text = z.string('must be a string').min(1, 'must not be empty');
const day = z.string('must be a string').regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date, YYYY-MM-DD');
const buildNonEmptyList = <T extends z.ZodType>(item: T) =>
  z.array(item, 'must be an array').min(1, 'must not be empty');

/** @see https://github.com/agentic-commerce-protocol/agentic-commerce-protocol rfcs/rfc.discovery.md, 4.2 */
const acp = z.looseObject({
  protocol: z.looseObject(
    { name: z.literal('acp', 'must be "acp"'), version: day, supported_versions: buildNonEmptyList(day) },
    'must be an object',
  ),
  api_base_url: z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) URL' }),
  transports: buildNonEmptyList(z.enum(['rest', 'mcp'], 'must be "rest" or "mcp"')),
  capabilities: z.looseObject({ services: buildNonEmptyList(text) }, 'must be an object'),
});

const named = z.looseObject({
  protocol: z.looseObject({ version: text }),
  capabilities: z.looseObject({ services: z.array(text) }).optional(),
});

/** Reads a parsed acp.json; undefined when the value is nothing of the kind. Never throws. */
function readAcp(value: unknown): AcpDocument | undefined {
  if (!isJsonRecord(value) || !['protocol', 'api_base_url'].some((key) => Object.hasOwn(value, key))) return undefined;
  const known = named.safeParse(value);
  return {
    version: known.success ? known.data.protocol.version.slice(0, 40) : '',
    services: known.success ? (known.data.capabilities?.services ?? []).slice(0, 10) : [],
    issues: listSchemaIssues(acp, value),
  };
}

/** Artifact `acpDocument`: /.well-known/acp.json. Never fails as a whole. */
export function readAcpDocument(snapshot: Snapshot): Artifact<DocumentState<AcpDocument>> {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readDocument(find('acp'), find('control'), readAcp) };
}

/** Artifact `authMd`: /auth.md. Never fails as a whole. */
export function readAuthMd(snapshot: Snapshot): Artifact<SiteTextFile> {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readTextFile(find('auth-md'), find('control')) };
}
