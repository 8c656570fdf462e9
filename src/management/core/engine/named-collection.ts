import { applyFieldMask, judgeFieldMask, type MaskPath, parseFieldMask } from '../conventions/field-mask.ts';
import { refuseViolations } from '../conventions/invalid.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';
import { getSchemas } from '../table/schemas.ts';
import { readPageSize } from './collection.ts';
import type { Call, Context } from './operation.ts';
import type { ListCursor, ResourceRow } from './stored-row.ts';
import { isSameJson, patchBody, selectWritable } from './write.ts';

/** `projects/p/sinks/s` in its parts: what it belongs to, its collection, its id. */
export type SplitName = { parent: string; collection: string; id: string };

/** @throws Refusal for a text that has no collection and id at its end */
export function splitName(name: string): SplitName {
  const [, parent, collection, id] = /^(.+)\/([^/]+)\/([^/]+)$/.exec(name) ?? [];
  if (parent === undefined || collection === undefined || id === undefined) throw vendorRefusals.invalidInput('name');
  return { parent, collection, id };
}

/** A collection of the newer interfaces (AIP-121 to 135): resources with full names, whose parents are names too. */
export type CollectionDefinition = {
  /** Name in the store: `logging.sinks`. */
  name: string;
  /** Schema of one resource in the table. */
  schema: string;
  /** Name of the list's array: `sinks`. */
  items: string;
  /** Limits of a page. */
  page: { default: number; max: number };
  /** What a caller sees of a row. */
  view: (row: ResourceRow, call: Call, context: Context) => JsonObject;
};

/** 404 by the full name, as the newer interfaces tell it. */
export const refuseMissingName = (name: string): Refusal => vendorRefusals.missing(`Resource not found: ${name}`);
/** 409 ALREADY_EXISTS by the full name. */
export const refuseExistingName = (name: string): Refusal =>
  vendorRefusals.duplicate(`Resource already exists: ${name}`);

/** The row of a full name. @throws Refusal when it is not there */
export function requireNamedRow(
  collection: Pick<CollectionDefinition, 'name'>,
  name: string,
  context: Context,
): ResourceRow {
  const { parent, id } = splitName(name);
  const row = context.store.get(collection.name, parent, id);
  if (row === undefined) throw refuseMissingName(name);
  return row;
}

/**
 * One page of a parent's resources in the order of their ids: `{ <items>, nextPageToken? }`.
 * @param keep leaves rows out: a page then has fewer, and still a token where there are more
 */
export function listNamed(
  collection: CollectionDefinition,
  parent: string,
  call: Call,
  context: Context,
  keep: (row: ResourceRow) => boolean = () => true,
): JsonObject {
  const limit = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...collection.page });
  const after = context.pages.open();
  const found = context.store.list({ collection: collection.name, parent, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const next: ListCursor | undefined = found.length > limit ? page.at(-1)?.cursor : undefined;
  const items = page.filter(({ row }) => keep(row)).map(({ row }) => collection.view(row, call, context));
  return {
    ...(items.length > 0 && { [collection.items]: items }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/**
 * One page of resources that are all at hand, in the order of their ids: for lists that have more than the store has rows.
 * A page begins after the last id that was shown, whether that is still there or not.
 */
export function listAtHand(
  { items: name, page: limits }: Pick<CollectionDefinition, 'items' | 'page'>,
  found: readonly { id: string; body: JsonObject }[],
  call: Call,
  context: Context,
): JsonObject {
  const limit = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...limits });
  const after = context.pages.open();
  const rest = after === undefined ? found : found.filter(({ id }) => id > after.id);
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1)?.id : undefined;
  return {
    ...(page.length > 0 && { [name]: page.map(({ body }) => body) }),
    ...(last !== undefined && { nextPageToken: context.pages.seal({ sort: last, id: last }) }),
  };
}

/** What of a sent body may be stored as a new resource. @throws Refusal for a required field that is missing */
export const buildNewBody = (
  collection: Pick<CollectionDefinition, 'schema'>,
  sent: JsonObject,
  context: Context,
): JsonObject => selectWritable(collection.schema, sent, context.row);

/**
 * A stored body after a PATCH. Without a mask what is sent is merged into what is there; a path of a mask takes its field
 * whole from what was sent, or clears it.
 * @param mask what to do without `updateMask`: refuse, or take these fields, or merge
 * @throws Refusal for a mask that names what the resource has not, for a required one that is missing
 */
export function buildChangedBody(
  { schema }: Pick<CollectionDefinition, 'schema'>,
  before: JsonObject,
  sent: JsonObject,
  call: Call,
  context: Context,
  mask: 'required' | 'merge' | readonly string[] = 'merge',
): JsonObject {
  const paths = maskPaths(call, schema, context);
  if (paths === undefined && mask === 'required') throw maskRequired();
  if (paths === undefined && !Array.isArray(mask)) return patchBody(schema, before, sent, context.row);
  const wanted = paths ?? convertMaskPaths(mask);
  return applyFieldMask(wanted, before, selectWritable(schema, sent, context.row));
}

/** The judged paths of a call's `updateMask`; undefined where it has none. @throws Refusal */
export function maskPaths(call: Call, schema: string, context: Context): readonly MaskPath[] | undefined {
  const text = call.query['updateMask'];
  if (!isText(text) || text.trim() === '') return undefined;
  const { interface: name, version } = context.row;
  const parsed = parseFieldMask(text);
  if (!parsed.ok) throw new Refusal(parsed.refusal);
  const judged = judgeFieldMask(parsed.value, schema, getSchemas(name, version));
  if (!judged.ok) throw new Refusal(judged.refusal);
  return judged.value;
}

const maskRequired = (): Refusal =>
  new Refusal(refuseViolations([{ field: 'updateMask', description: 'An update_mask must be given.' }]));

/** Stores a changed body; what says the same as before keeps its revision. */
export function putChanged(row: ResourceRow, body: JsonObject, context: Context): ResourceRow {
  if (isSameJson(row.body, body)) return row;
  const { collection, parent, id } = row;
  return context.store.put({ collection, parent, id, body });
}

const convertMaskPaths = (mask: 'required' | 'merge' | readonly string[]): readonly MaskPath[] =>
  typeof mask === 'string' ? [] : mask.map((name) => [name]);
