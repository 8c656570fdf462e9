import * as z from 'zod';
import type { Call } from '../../core/engine/operation.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** Characters of a refusal that says what is wrong with a body. */
const MAX_TOLD_CHARS = 300;
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
    `${at === '' ? '' : `${at}: `}${first?.message ?? 'Invalid input'}`.slice(0, MAX_TOLD_CHARS),
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

/** A page of a list, counted from 1. */
export const pageQuery = {
  page: defineWholeNumber(1, MAX_PAGE, 1),
  per_page: defineWholeNumber(1, MAX_PER_PAGE, DEFAULT_PER_PAGE),
};

/** A page, and the text that names are to contain. */
export const searchPageQuery = { ...pageQuery, search: z.string().max(MAX_SEARCH_CHARS).default('') };

/** The query of a call; members that the schema does not know are left aside, as the vendor does. */
export const parseCallQuery = <T extends z.core.$ZodLooseShape>(shape: T, { query }: Call) =>
  parseValue(z.object(shape), query);

/** One page of a list that is all there; one beyond its end is empty: the vendor's clients ask until they see one. */
export function buildResultPage(
  all: readonly JsonObject[],
  { page, per_page }: { page: number; per_page: number },
): JsonObject {
  const result = all.slice((page - 1) * per_page, page * per_page);
  return { result, result_info: { page, per_page, count: result.length, total_count: all.length } };
}

/** Whether a text contains another, upper and lower case alike. */
export const hasSubstring = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** A value of a schema as JSON: members that are undefined are left out. */
export const asJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject; // JSON.parse makes nothing else of an object.

export const buildResult = (result: Json): JsonObject => ({ result });
