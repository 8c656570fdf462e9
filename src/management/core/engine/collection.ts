import { isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { hashNumber } from './hash.ts';
import { listReadMembers, readItemSelection } from './item-selection.ts';
import type { Call, Context, Handler, Handlers } from './operation.ts';
import { isSameJson, patchBody, replaceBody, selectWritable } from './write.ts';
import type { Address, ListCursor, Indexed, ListedRow, RowSortOrder, ResourceRow } from './stored-row.ts';

/** What the standard methods need to know of a collection. Everything an interface adds of its own is a function here. */
export type Collection = {
  /** Name in the store: `directory.groups`. */
  name: string;
  /** Schema of one resource in the table. */
  schema: string;
  /** Values of `kind`: of one, and of a list. */
  kind: string;
  listKind: string;
  /** Name of the list's array. */
  items: string;
  /** The parent's id in the store; '' for a collection at the top. Refuses when the parent is not there. */
  parentOf?: (call: Call, context: Context) => string;
  /** The resource that the path names. @throws Refusal, the vendor's for one that is not there */
  find: (call: Call, context: Context) => ResourceRow;
  /** Limits of a page; none: the list is whole. `max` also holds where more is asked for. */
  page?: { parameter: 'maxResults' | 'pageSize'; default: number; max: number };
  /** The order of a list; by id when absent. */
  order?: (call: Call) => RowSortOrder;
  /** Makes a new resource of a writable body: its id, body and index values. @throws Refusal */
  create: (
    call: Call,
    context: Context,
    body: JsonObject,
    parent: string,
  ) => { id: string; body: JsonObject } & Indexed;
  /** Judges and completes a changed body before it is stored. The first argument is what was there. @throws Refusal */
  change?: (before: ResourceRow, body: JsonObject, call: Call, context: Context) => { body: JsonObject } & Indexed;
  /** After insert, in the same transaction: names, counters, changes that watchers see. */
  inserted?: (row: ResourceRow, call: Call, context: Context) => void;
  /** Whether a call changes what no body shows, such as a password: it counts as a change where the body stays as it was. */
  changesUnseen?: (call: Call) => boolean;
  /** After patch and update that changed something. */
  updated?: (before: ResourceRow, row: ResourceRow, call: Call, context: Context) => void;
  /** Before delete. @throws Refusal where it is not allowed */
  removing?: (row: ResourceRow, call: Call, context: Context) => void;
  removed?: (row: ResourceRow, call: Call, context: Context) => void;
  /**
   * What a caller sees, without `kind` and `etag`; the stored body when absent. What is not wanted may be missing, in the row
   * and in the view.
   */
  view?: (row: ResourceRow, call: Call, context: Context, isWanted: (member: string) => boolean) => JsonObject;
  /**
   * Members of the view that are not the stored members of the same name, with the stored ones that they are made of. A
   * list then reads no more than is selected; of a collection with a view and without this, all.
   */
  parts?: Readonly<Record<string, readonly string[]>>;
  /** The vendor shows the entity tag a second time, as `etags`. */
  hasEtags?: true;
};

export type StandardVerb = 'list' | 'get' | 'insert' | 'patch' | 'update' | 'delete';

/** The handlers of a collection's standard methods, by method id: `defineCollectionHandlers(groups, { list: 'directory.groups.list' })`. */
export function defineCollectionHandlers(collection: Collection, ids: Partial<Record<StandardVerb, string>>): Handlers {
  const made: Record<StandardVerb, Handler> = {
    list: (call, context) => list(collection, call, context),
    get: (call, context) => buildShownResource(collection, collection.find(call, context), call, context),
    insert: (call, context) => insert(collection, call, context),
    patch: (call, context) => change(collection, call, context, 'patch'),
    update: (call, context) => change(collection, call, context, getPutMeaning(context)),
    delete: (call, context) => remove(collection, call, context),
  };
  const rows = Object.entries(ids).map(([verb, id]) => [id, made[verb as StandardVerb]] as const);
  return Object.fromEntries(rows);
}

/** Whether this call is a PUT that clears what is left out: the seed's rule, but where the vendor of the row keeps it. */
export const getPutMeaning = ({ row, isStrictPut }: Context): 'patch' | 'replace' =>
  isStrictPut ? 'replace' : (row.put ?? 'replace');

/** A resource as callers see it, with `kind` and `etag`. The tag is that of the revision and of all that is shown. */
export function buildShownResource(collection: Collection, row: ResourceRow, call: Call, context: Context): JsonObject {
  const body = collection.view?.(row, call, context, isAnyWanted) ?? row.body;
  const etag = context.etagOf(row.revision, body);
  return { kind: collection.kind, etag, ...(collection.hasEtags === true && { etags: etag }), ...body };
}

const isAnyWanted = (): boolean => true;

/** The items of a list: of what is selected, only that, and without tags. */
export function buildShownItems(
  collection: Collection,
  rows: readonly ResourceRow[],
  call: Call,
  context: Context,
): JsonObject[] {
  const selected = readItemSelection(call, collection.items);
  if (selected === undefined) return rows.map((row) => buildShownResource(collection, row, call, context));
  const isWanted = (member: string): boolean => selected.has(member);
  return rows.map((row) => {
    const body = collection.view?.(row, call, context, isWanted) ?? row.body;
    const shown: JsonObject = selected.has('kind') ? { kind: collection.kind } : {};
    for (const member of Object.keys(body)) if (selected.has(member)) shown[member] = body[member] ?? null;
    return shown;
  });
}

function list(collection: Collection, call: Call, context: Context): JsonObject {
  const { page } = collection;
  const parent = collection.parentOf?.(call, context) ?? '';
  const limit = page ? readPageSize(call.query[page.parameter], page) : WHOLE_LIST;
  const found = context.store.list({
    collection: collection.name,
    parent,
    order: collection.order?.(call) ?? { by: 'id' },
    after: page && context.pages.open(),
    limit: page ? limit + 1 : limit,
    members: listReadMembers(collection, call),
  });
  return listAnswer(collection, found, limit, call, context);
}

/** The envelope of a list: of `found`, at most `limit` are shown, and a token for the rest when there is more. */
export function listAnswer(
  collection: Collection,
  found: readonly ListedRow[],
  limit: number,
  call: Call,
  context: Context,
): JsonObject {
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.cursor : undefined;
  const rows = page.map(({ row }) => row);
  return listBody(collection, buildShownItems(collection, rows, call, context), next, context);
}

/** The envelope of a list for items as they are shown, with a token for the rest where there is a `next` place. */
export function listBody(
  { listKind, items: name }: Pick<Collection, 'listKind' | 'items'>,
  items: readonly JsonObject[],
  next: ListCursor | undefined,
  context: Context,
): JsonObject {
  return {
    kind: listKind,
    etag: listTag(items, next !== undefined, context),
    ...(items.length > 0 && { [name]: [...items] }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** The entity tag of a list: of the tags of its items, or of what is shown of them, their number, and whether there are more. */
function listTag(items: readonly JsonObject[], hasMore: boolean, context: Context): string {
  const tags = items.map((item) => item['etag'] ?? item);
  return context.etagOf(hashNumber(JSON.stringify([tags, hasMore])));
}

/** A list without pages shows so many at most. */
const WHOLE_LIST = 10_000;

/** What a page may hold: absent or 0 is the default, more than allowed is cut, less than 0 is refused (AIP-158). */
export function readPageSize(asked: unknown, limits: { parameter: string; default: number; max: number }): number {
  if (typeof asked !== 'number' || asked === 0) return limits.default;
  if (asked < 0)
    throw vendorRefusals.invalid(`Invalid value '${asked}' for ${limits.parameter}: it must not be negative`);
  return Math.min(asked, limits.max);
}

function insert(collection: Collection, call: Call, context: Context): JsonObject {
  const parent = collection.parentOf?.(call, context) ?? '';
  const made = collection.create(call, context, selectWritable(collection.schema, call.body, context.row), parent);
  const row = context.store.insert({ collection: collection.name, parent, ...made });
  if (row === undefined) throw vendorRefusals.duplicate();
  collection.inserted?.(row, call, context);
  return buildShownResource(collection, row, call, context);
}

function change(collection: Collection, call: Call, context: Context, how: 'patch' | 'replace'): JsonObject {
  const before = collection.find(call, context);
  requireMatch(before, call, context);
  const body =
    how === 'patch'
      ? patchBody(collection.schema, before.body, call.body, context.row)
      : replaceBody(collection.schema, before.body, call.body, context.row);
  const after = collection.change?.(before, body, call, context) ?? { body };
  const isChanged = !isSameJson(before.body, after.body) || collection.changesUnseen?.(call) === true;
  if (!isChanged) return buildShownResource(collection, before, call, context);
  const row = context.store.put({ ...selectAddress(before), ...after });
  collection.updated?.(before, row, call, context);
  return buildShownResource(collection, row, call, context);
}

function remove(collection: Collection, call: Call, context: Context): undefined {
  const row = collection.find(call, context);
  requireMatch(row, call, context);
  collection.removing?.(row, call, context);
  context.store.remove(row);
  collection.removed?.(row, call, context);
}

/** A writer that names the version it saw must not overwrite another: by If-Match, or by the etag in its body. */
export function requireMatch(row: ResourceRow, call: Call, context: Context): void {
  const current = context.etagOf(row.revision);
  const bodyTag = call.body['etag'];
  const asked = call.ifMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const fits = asked === undefined || asked.some((tag) => tag === '*' || isOfVersion(tag, current));
  const fitsBody = !isText(bodyTag) || bodyTag === '' || isOfVersion(bodyTag, current);
  if (!fits || !fitsBody)
    throw vendorRefusals.conditionNotMet('Precondition Failed: the resource was changed meanwhile');
}

/** The part after the dot depends on how the resource was shown: the version is the part before it. */
const isOfVersion = (tag: string, current: string): boolean =>
  tag === current || tag.startsWith(`${current.slice(0, -1)}.`);

const selectAddress = ({ collection, parent, id }: Address): Address => ({ collection, parent, id });
