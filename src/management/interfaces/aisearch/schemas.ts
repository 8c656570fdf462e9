import { DAY_MS } from '../../../lib/time.ts';
import * as z from 'zod';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { Call } from '../../core/engine/operation.ts';

/** Characters of a refusal that says what is wrong with a body. */
const MAX_MESSAGE_CHARS = 300;
const MAX_PAGE = 1_000_000;
const DEFAULT_PER_PAGE = 20;
/** Entries of one page; where more are asked for, a page has so many. */
const MAX_PER_PAGE = 100;
const MAX_SEARCH_CHARS = 256;

/** A value by its schema. @throws Refusal 400 that names the first member which is wrong */
export function parseValue<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  const at = first?.path.map(String).join('.') ?? '';
  throw vendorRefusals.invalid(
    `${at === '' ? '' : `${at}: `}${first?.message ?? 'Invalid input'}`.slice(0, MAX_MESSAGE_CHARS),
  );
}

/** Members deeper than this are left as they are. */
const MAX_DEPTH = 8;

/**
 * An object without its members that are null, at any depth: clients send null for what is not there.
 * @param whole names of members that mean something else by null inside of them: they are left as they are
 */
export const withoutNulls = (value: JsonObject, whole: readonly string[] = [], depth = MAX_DEPTH): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => {
        const isLeft = depth === 0 || whole.includes(name) || !isObject(member);
        return [name, isLeft ? member : withoutNulls(member, whole, depth - 1)];
      }),
  );

/**
 * An object without what only reads show, so that what was read may be sent back with a change in it.
 * @param name of the member that says what it is, and must say so here too
 * @throws Refusal 400 where it says something else
 */
export function withoutShown(body: JsonObject, name: string, own: string, shown: ReadonlySet<string>): JsonObject {
  const said = body[name];
  if (said !== undefined && said !== own) throw vendorRefusals.invalid(`${name}: another than the path's`);
  return Object.fromEntries(Object.entries(body).filter(([member]) => member !== name && !shown.has(member)));
}

/** A query parameter that is a whole number; more than `max` counts as `max`. */
export const defineWholeNumber = (min: number, max: number, standard: number) =>
  z
    .union(
      [
        z
          .string()
          .regex(/^\d{1,10}$/)
          .transform(Number),
        z.int(),
      ],
      `an integer from ${min}`,
    )
    .pipe(z.int().min(min, `an integer from ${min}`))
    .transform((value) => Math.min(value, max))
    .default(standard);

/** A page of a list, counted from 1. One of no entries says how many there are. */
export const pageQuery = {
  page: defineWholeNumber(1, MAX_PAGE, 1),
  per_page: defineWholeNumber(0, MAX_PER_PAGE, DEFAULT_PER_PAGE),
};

/** A page, and the text that names are to contain. */
export const searchPageQuery = { ...pageQuery, search: z.string().max(MAX_SEARCH_CHARS).default('') };

/** The query of a call; members that the schema does not know are left aside, as the vendor does. */
export const parseCallQuery = <T extends z.core.$ZodLooseShape>(shape: T, { query }: Call) =>
  parseValue(z.object(shape), query);

/** A value of a schema as JSON: members that are undefined are left out. */
export const asJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject; // JSON.parse makes nothing else of an object.

/** Ids of instances and names of namespaces. */
export const slug = z.string().regex(/^[a-z0-9_-]{1,64}$/, '1 to 64 of a-z, 0-9, - and _');

const MAX_HOSTS = 100;
const MAX_HOST_CHARS = 253;
const MAX_ALLOWED = 10;
const MAX_MCP_DESCRIPTION_CHARS = 1_024;
const MAX_PERIOD_MS = DAY_MS;
const MAX_REQUESTS = 1_000_000;

const host = z.string().min(1).max(MAX_HOST_CHARS);
const disabled = z.strictObject({ disabled: z.boolean().optional() });

const endpointParts = {
  authorized_hosts: z.array(host).max(MAX_HOSTS).optional(),
  chat_completions_endpoint: disabled.optional(),
  custom_domains: z.array(host).max(MAX_HOSTS).nullable().optional(),
  default_domain_enabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  mcp: disabled.extend({ description: z.string().max(MAX_MCP_DESCRIPTION_CHARS).optional() }).optional(),
  rate_limit: z
    .strictObject({
      period_ms: z.int().min(1).max(MAX_PERIOD_MS).optional(),
      requests: z.int().min(1).max(MAX_REQUESTS).optional(),
      technique: z.enum(['fixed', 'sliding']).optional(),
    })
    .optional(),
  search_endpoint: disabled.optional(),
};

/** What a public endpoint of an instance would be: kept and shown, but there are none here. */
export const publicEndpoint = z.strictObject(endpointParts);

/** The same of a namespace. */
export const namespaceEndpoint = publicEndpoint.extend({
  instances_allowed: z.array(slug).max(MAX_ALLOWED).optional(),
});

const MAX_DESCRIPTION_CHARS = 256;

const namespaceChanges = {
  description: z.string().max(MAX_DESCRIPTION_CHARS).nullish(),
  public_endpoint_params: namespaceEndpoint.nullish(),
};
export const newNamespaceBody = z.strictObject({ name: slug, ...namespaceChanges });
/** Members that a read shows and that callers cannot set. */
export const SHOWN_OF_NAMESPACE: ReadonlySet<string> = new Set(['created_at', 'public_endpoint_id']);
export const changedNamespaceBody = z.strictObject(namespaceChanges);

export const storedNamespace = z.strictObject({
  /** Null: it was always there. */
  createdMs: z.int().nonnegative().nullable(),
  description: z.string().max(MAX_DESCRIPTION_CHARS).nullable(),
  endpoint: namespaceEndpoint.nullable(),
});
export type StoredNamespace = z.infer<typeof storedNamespace>;

/** Whether a body is one of a stored namespace (rule K3). */
export const isStoredNamespace = (body: JsonObject): boolean => storedNamespace.safeParse(body).success;

const MAX_TOKEN_CHARS = 256;
const MAX_KEY_CHARS = 512;

export const tokenBody = z.strictObject({
  cf_api_id: z.string().min(1).max(MAX_TOKEN_CHARS),
  /** A secret: judged, and thrown away. Nothing here needs it (rules K3, K7). */
  cf_api_key: z.string().min(1).max(MAX_KEY_CHARS),
  name: z.string().min(1).max(MAX_TOKEN_CHARS),
  legacy: z.boolean().default(false),
});

/** Members that a read shows and that callers cannot set. */
export const SHOWN_OF_TOKEN: ReadonlySet<string> = new Set([
  'created_at',
  'created_by',
  'modified_at',
  'modified_by',
  'enabled',
]);
