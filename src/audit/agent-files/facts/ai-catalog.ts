import * as z from 'zod';
import {
  MAX_ISSUES,
  getString,
  isJsonRecord,
  listSchemaIssues,
  type Issue,
} from '../../structured-data/facts/json-document.ts';
import { SERVER_CARD_TYPE } from '../../mcp/facts/server-card.ts';

/** Entries of a catalog that are judged; a longer list is cut, in order. */
export const MAX_CATALOG_ENTRIES = 200;

/** One artifact of a catalog. Exactly one of `url` and `data` is set in a valid entry. */
export type CatalogEntry = {
  index: number;
  identifier?: string;
  type?: string;
  url?: string;
  data?: unknown;
};

/**
 * An AI Catalog as published. `issues` break the draft (clients skip such entries), `warnings` do not: drafts 0.9 to
 * 0.91 differ in `displayName` (required by one, dropped by another) and in the older name `mediaType` of `type`.
 * @see https://github.com/Agent-Card/ai-catalog specification/ai-catalog.md
 */
export type AiCatalogDocument = {
  specVersion?: string;
  entries: readonly CatalogEntry[];
  issues: readonly Issue[];
  warnings: readonly Issue[];
};

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/i;
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]{0,63}:[^\s]{1,2000}$/i;

const entrySchema = z
  .looseObject({
    identifier: z.string('must be a string').regex(ABSOLUTE_URI, 'must be a URI, such as urn:air:example.com:mcp:name'),
    type: z.string('must be a media type').regex(MEDIA_TYPE, 'must be a media type'),
    url: z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) URL' }).optional(),
    data: z.unknown().optional(),
    representativeQueries: z
      .array(z.string('must be a string'), 'must be an array of strings')
      .min(2, 'must hold 2 to 5 queries when present')
      .max(5, 'must hold 2 to 5 queries when present')
      .optional(),
  })
  .refine(
    (entry) => Object.hasOwn(entry, 'url') !== Object.hasOwn(entry, 'data'),
    'must have exactly one of url and data',
  );

/** Draft 0.9 called the field `mediaType`; both names are read, the current one wins. */
const withCurrentNames = (value: unknown): unknown =>
  isJsonRecord(value) && value['type'] === undefined && value['mediaType'] !== undefined
    ? { ...value, type: value['mediaType'] }
    : value;

const entry = z.preprocess(withCurrentNames, entrySchema);

const catalog = z.looseObject(
  {
    specVersion: z.string('must be a string').min(1, 'must not be empty'),
    entries: z.array(entry, 'must be an array'),
  },
  'must be a JSON object',
);

/** Reads a parsed catalog document; never throws, whatever the value. */
export function readAiCatalog(value: unknown): AiCatalogDocument {
  const cut =
    isJsonRecord(value) && Array.isArray(value['entries']) ? value['entries'].slice(0, MAX_CATALOG_ENTRIES) : [];
  const judged = isJsonRecord(value) && Array.isArray(value['entries']) ? { ...value, entries: cut } : value;
  const specVersion = getString(value, 'specVersion');
  return {
    ...(specVersion === undefined ? {} : { specVersion }),
    entries: cut.map((item, index) => readEntry(item, index)),
    issues: listSchemaIssues(catalog, judged),
    warnings: cut.flatMap(listEntryWarnings).slice(0, MAX_ISSUES),
  };
}

/** Whether an entry claims to describe an MCP server. Media types compare case-insensitively. */
export const isServerCardEntry = (found: CatalogEntry): boolean => found.type?.toLowerCase() === SERVER_CARD_TYPE;

function readEntry(item: unknown, index: number): CatalogEntry {
  const current = withCurrentNames(item);
  const identifier = getString(current, 'identifier');
  const type = getString(current, 'type');
  const url = getString(current, 'url');
  return {
    index,
    ...(identifier === undefined ? {} : { identifier }),
    ...(type === undefined ? {} : { type }),
    ...(url === undefined ? {} : { url }),
    ...(isJsonRecord(current) && Object.hasOwn(current, 'data') ? { data: current['data'] } : {}),
  };
}

function listEntryWarnings(item: unknown, index: number): Issue[] {
  if (!isJsonRecord(item)) return [];
  const warnings: Issue[] = [];
  if (getString(item, 'displayName') === undefined) {
    warnings.push({
      pointer: `/entries/${index}`,
      message: 'has no displayName; some readers show the identifier instead',
    });
  }
  if (item['type'] === undefined && item['mediaType'] !== undefined) {
    warnings.push({ pointer: `/entries/${index}/mediaType`, message: 'is the older name of type' });
  }
  return warnings;
}
