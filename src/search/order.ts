import * as z from 'zod';
import { isText, type JsonObject } from '../lib/json.ts';
import { type Refusal, vendorRefusals } from '../lib/refusal.ts';

const MAX_TEXT_CHARS = 500;
/** Below it a number is seconds, else milliseconds: the vendor's examples have both. */
export const SECONDS_BELOW = 100_000_000_000;
const MS = 1_000;
/** The last time that a date can be of. */
const MAX_MS = 8_640_000_000_000_000;

const isoTime = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

const ORDERED: ReadonlySet<FilterOperator> = new Set(['eq', 'ne', 'in', 'nin', 'lt', 'lte', 'gt', 'gte']);
const UNORDERED: ReadonlySet<FilterOperator> = new Set(['eq', 'ne', 'in', 'nin']);

/** What a field of a type can be compared by. */
export const getFieldOperators = (type: MetadataField['type']): ReadonlySet<FilterOperator> =>
  type === 'boolean' ? UNORDERED : ORDERED;

/** A value that a field is compared with: times in Unix milliseconds. @throws Refusal for one of another type */
export function parseFilterValue(value: unknown, type: MetadataField['type']): Scalar {
  if (type === 'datetime') {
    const ms = parseTimeMs(value);
    if (ms === undefined) throw vendorRefusals.invalid('invalid_datetime_filter_value');
    return ms;
  }
  if (type === 'text' && isText(value) && value.length <= MAX_TEXT_CHARS && value.isWellFormed()) return value;
  if (type === 'number' && typeof value === 'number' && Number.isFinite(value)) return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  throw refuseFilter(`a value is not of the type ${type}, or is too long`);
}

/**
 * A time in Unix milliseconds, of seconds or milliseconds as a number or text, or of an ISO 8601 date (UTC where it names
 * no zone); undefined for anything else.
 */
export function parseTimeMs(value: unknown): number | undefined {
  if (typeof value === 'number') return convertTimeNumber(value);
  if (!isText(value)) return undefined;
  if (/^\d{1,16}(?:\.\d{1,9})?$/.test(value)) return convertTimeNumber(Number(value));
  if (!isoTime.safeParse(value).success) return undefined;
  const hasZone = !value.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
  const ms = Date.parse(hasZone ? value : `${value}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function convertTimeNumber(value: number): number | undefined {
  const ms = Math.trunc(value < SECONDS_BELOW ? value * MS : value);
  return ms >= 0 && ms <= MAX_MS ? ms : undefined;
}

/** The vendor's word for a filter that is wrong, and why. */
export const refuseFilter = (why: string): Refusal => vendorRefusals.invalid(`invalid_metadata_filter: ${why}`);

/** How the answer of a search looks: of one instance, of a namespace's instances together, or of the older interface. */
export type SearchForm = 'instance' | 'namespace' | 'legacy';

/** A field that items of an instance may be filtered by, beside `filename`, `folder` and `timestamp`. */
export type MetadataField = { name: string; type: 'text' | 'number' | 'boolean' | 'datetime' };

/** Pages that one job of a crawler reads at most, whatever it is asked for. */
export const MAX_JOB_PAGES = 500;

/** What a web crawler of an instance reads. Patterns are globs over paths or addresses: `*` within a segment, `**` across. */
export type CrawlSource = {
  /** http(s), its path too: pages outside its host are never read. */
  url: string;
  /** `sitemap`: what sitemaps list. `discover`: links as well. */
  discover: boolean;
  /** Pages are found by links alone: no sitemap is read. */
  linksOnly?: true;
  /** Sitemaps to read in place of those that the site names. */
  sitemaps: readonly string[];
  include: readonly string[];
  exclude: readonly string[];
  /** Links from the start page; 1 to 10. */
  depth: number;
  /** Pages of one job; 1 to `MAX_JOB_PAGES`. */
  maxPages: number;
};

/** How an instance indexes and retrieves: what of its configuration has an effect. All fields have their defaults here. */
export type InstanceConfig = {
  /** Undefined: only what is uploaded. */
  source?: CrawlSource;
  /** Seconds between crawls of their own accord. */
  syncIntervalS: number;
  /** Tokens of a chunk; one is taken as four characters. */
  chunkTokens: number;
  /** Tokens that a chunk repeats of the one before. */
  overlapTokens: number;
  tokenizer: 'porter' | 'trigram';
  keyword: boolean;
  vector: boolean;
  metadata: readonly MetadataField[];
  /** Crawls are not begun by themselves. */
  isPaused: boolean;
};

/** What the object of an instance learns about it with each order. */
export type InstanceFacts = {
  /** Names the object: 128 random bits, made when the instance was created, and never used again. */
  uid: string;
  tenant: string;
  account: string;
  namespace: string;
  id: string;
  config: InstanceConfig;
};

/** What of an upload's metadata no filter knows: the vendor's words. */
export type MetadataWarning =
  | { code: 'custom_metadata_value_not_indexed'; expected_type: MetadataField['type']; field: string }
  | { code: 'custom_metadata_field_not_filterable'; field: string };

export type Scalar = string | number | boolean;
export type FilterOperator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'nin';
/**
 * `in` and `nin` have a list. Texts are compared by their first 64 bytes of UTF-8; times are Unix milliseconds here, and
 * compared in whole seconds. What is stored is cast to the type first.
 */
export type FilterCondition = {
  field: string;
  type: MetadataField['type'];
  op: FilterOperator;
  value: Scalar | readonly Scalar[];
};
export type Filter = { match: 'all' | 'any'; conditions: readonly FilterCondition[] };

/** What is asked of the index. */
export type SearchQuery = {
  text: string;
  filter?: Filter;
  type: 'vector' | 'keyword' | 'hybrid';
  fusion: 'rrf' | 'max';
  /** `auto`: documents with all words first, then those with any. */
  keywordMode: 'and' | 'or' | 'auto';
  /** 0 to 1. Chunks whose vectors are less similar than it are not found by them; words have no such measure. */
  threshold: number;
  /** 1 to 50. */
  maxResults: number;
  /** Neighbouring chunks that are shown around each one; 0 to 3. */
  expansion: number;
  /** False: the texts of chunks are left out. */
  showsText: boolean;
  boosts: readonly {
    field: string;
    type: MetadataField['type'];
    direction: 'asc' | 'desc' | 'exists' | 'not_exists';
  }[];
  /** Where a part of the search fails, the other part is answered. */
  returnsOnFailure: boolean;
};

/** A message of a chat: only its text counts. */
export type ChatMessage = { role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'; content: string };

/**
 * What the tenant's resources hand on for an instance, once their own transaction is committed: they know accounts,
 * namespaces, instances and tokens; the object of an instance has items, chunks and jobs. JSON all through.
 */
export type SearchOrder =
  /** An instance is new or was changed: first crawl, or a new index where tokenizer, chunks or embeddings changed. */
  | { do: 'configure'; instance: InstanceFacts; clockMs?: number }
  /** An instance is deleted: all that its object has goes. */
  | { do: 'drop'; instances: readonly InstanceFacts[] }
  | { do: 'search'; instances: readonly InstanceFacts[]; query: SearchQuery; form: SearchForm }
  | {
      do: 'chat';
      instances: readonly InstanceFacts[];
      query: SearchQuery;
      form: SearchForm;
      messages: readonly ChatMessage[];
      /** What the caller's own instructions to the model are, where the instance or the call has some. */
      instructions?: string;
      stream: boolean;
      /** A stream says at its end what was used. */
      showsUsage?: true;
      /** The model that the caller names; '' for the configured one. It is echoed, and not used otherwise. */
      model: string;
    }
  /** `items.upload`: the file itself comes beside the order. */
  | {
      do: 'upload';
      instance: InstanceFacts;
      key: string;
      metadata: JsonObject;
      warnings: readonly MetadataWarning[];
      waits: boolean;
    }
  | InstanceOrder;

/** What the object of an instance answers alone. Pages are counted from 1. */
export type InstanceOrder = { instance: InstanceFacts } & (
  | {
      do: 'items.list';
      page: number;
      perPage: number;
      itemId?: string;
      key?: string;
      filter?: Filter;
      search?: string;
      sortBy: 'status' | 'modified_at';
      source?: string;
      status?: string;
    }
  /** `items.createOrUpdate` and `items.sync`: indexes an item anew, of its source: by key, or by id. */
  | { do: 'items.index'; key?: string; itemId?: string; waits: boolean }
  | { do: 'items.get'; itemId: string }
  | { do: 'items.delete'; itemId: string }
  | { do: 'items.chunks'; itemId: string; limit: number; offset: number }
  | { do: 'items.download'; itemId: string }
  | { do: 'items.logs'; itemId: string; limit: number; cursor: string }
  /** `clockMs`: now, by the clock of a sandbox. */
  | { do: 'jobs.create'; description?: string; clockMs?: number }
  | { do: 'jobs.list'; page: number; perPage: number }
  | { do: 'jobs.get'; jobId: string }
  | { do: 'jobs.cancel'; jobId: string }
  | { do: 'jobs.logs'; jobId: string; page: number; perPage: number }
  | { do: 'stats' }
);

export const MAX_CUSTOM_FIELDS = 5;
