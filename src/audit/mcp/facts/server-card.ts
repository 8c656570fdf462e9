import * as z from 'zod';
import {
  getString,
  getStrings,
  isJsonRecord,
  listSchemaIssues,
  type Issue,
  type JsonRecord,
} from '../../structured-data/facts/json-document.ts';

/** The one schema URL a v1 Server Card names, exactly. */
export const SERVER_CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

/** Remotes and icons of a card that are read; a longer list is cut, in order. */
export const MAX_CARD_REMOTES = 20;
export const MAX_CARD_ICONS = 20;

/** An icon as listed: `src` as written, '' when it is no string. */
export type CardIcon = { src: string; mimeType?: string };

/** One connection of a card. `url` may hold `{template}` variables; `declared` are the names its `variables` map explains. */
export type CardRemote = {
  type: string;
  url: string;
  declared: readonly string[];
  /** `supportedProtocolVersions` as listed; undefined when the card lists none. */
  versions?: readonly string[];
};

/**
 * A Server Card as published (SEP-2127), with what its v1 JSON Schema finds wrong. The schema is open: unknown members
 * are no error, so one document can also carry the older forms.
 * @see https://github.com/modelcontextprotocol/experimental-ext-server-card schema.json
 */
export type ServerCardDocument = {
  name?: string;
  title?: string;
  version?: string;
  remotes: readonly CardRemote[];
  icons: readonly CardIcon[];
  issues: readonly Issue[];
};

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
/** `^1.2`, `~1`, `>=1`, `1.x`, `1.*`, `1 || 2`, `1 - 2`: a range names no version. */
const VERSION_RANGE = /^[~^<>=]|[*|]|\s-\s|(?:^|\.)[xX](?:\.|$)/;
const REMOTE_URL = /^(?:https?:\/\/\S+|\{[a-zA-Z_][a-zA-Z0-9_]*\}\S*)$/;

const text = 'must be a string';

const input = z.looseObject(
  { description: z.string(text).optional(), default: z.string(text).optional(), value: z.string(text).optional() },
  'must be an object',
);

const remote = z.looseObject(
  {
    type: z.enum(['streamable-http', 'sse'], 'must be "streamable-http" or "sse"'),
    url: z.string(text).regex(REMOTE_URL, 'must start with http://, https:// or a {variable}'),
    headers: z.array(input.extend({ name: z.string('every header needs a name') }), 'must be an array').optional(),
    variables: z.record(z.string(), input, 'must be an object').optional(),
    supportedProtocolVersions: z.array(z.string(text), 'must be an array of strings').optional(),
  },
  'must be an object',
);

const card = z.looseObject(
  {
    $schema: z.literal(SERVER_CARD_SCHEMA, `must be ${SERVER_CARD_SCHEMA}`),
    name: z
      .string(text)
      .min(3, 'must have 3 to 200 characters')
      .max(200, 'must have 3 to 200 characters')
      .regex(NAME, 'must be namespace/name, such as com.example/weather'),
    version: z
      .string(text)
      .max(255, 'must have at most 255 characters')
      .refine((version) => !VERSION_RANGE.test(version), 'must be one version, not a range'),
    description: z.string(text).min(1, 'must have 1 to 100 characters').max(100, 'must have 1 to 100 characters'),
    title: z.string(text).min(1, 'must have 1 to 100 characters').max(100, 'must have 1 to 100 characters').optional(),
    websiteUrl: z.string(text).optional(),
    repository: z.looseObject({ url: z.string(text), source: z.string(text) }, 'must be an object').optional(),
    icons: z.array(z.looseObject({ src: z.string(text) }, 'must be an object'), 'must be an array').optional(),
    remotes: z.array(remote, 'must be an array').optional(),
    _meta: z.looseObject({}, 'must be an object').optional(),
  },
  'must be a JSON object',
);

/** Reads a parsed card; never throws, whatever the value. */
export function readServerCard(value: unknown): ServerCardDocument {
  const name = getString(value, 'name');
  const title = getString(value, 'title');
  const version = getString(value, 'version');
  return {
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(version === undefined ? {} : { version }),
    remotes: readRemotes(value),
    icons: readIcons(value),
    issues: listSchemaIssues(card, value),
  };
}

/** Whether a document found at a card's place is meant as one, in the current or the SEP-1649 shape. */
export function isServerCardShape(value: unknown): value is JsonRecord {
  if (!isJsonRecord(value)) return false;
  if (getString(value, '$schema')?.includes('server-card') === true) return true;
  return isJsonRecord(value['serverInfo']) || isJsonRecord(value['transport']) || Array.isArray(value['remotes']);
}

/** The `{names}` that a URL template refers to. */
export const listTemplateNames = (template: string): readonly string[] =>
  [...template.matchAll(/\{([a-zA-Z_][a-zA-Z0-9_]{0,63})\}/g)].map((match) => match[1] ?? '');

function readIcons(value: unknown): readonly CardIcon[] {
  if (!isJsonRecord(value) || !Array.isArray(value['icons'])) return [];
  return (value['icons'] as readonly unknown[]).slice(0, MAX_CARD_ICONS).map((item) => {
    const mimeType = getString(item, 'mimeType');
    return { src: getString(item, 'src') ?? '', ...(mimeType === undefined ? {} : { mimeType }) };
  });
}

function readRemotes(value: unknown): readonly CardRemote[] {
  if (!isJsonRecord(value) || !Array.isArray(value['remotes'])) return [];
  return (value['remotes'] as readonly unknown[]).slice(0, MAX_CARD_REMOTES).flatMap((item) => {
    const url = getString(item, 'url');
    if (url === undefined || !isJsonRecord(item)) return [];
    const versions = getStrings(item, 'supportedProtocolVersions');
    const declared = isJsonRecord(item['variables']) ? Object.keys(item['variables']) : [];
    return [{ type: getString(item, 'type') ?? '', url, declared, ...(versions === undefined ? {} : { versions }) }];
  });
}
