import type { CollectionDefinition } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { type Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** Names in the store. Parents are full names: of a container, a tag key, or of any resource for bindings. */
export const TAGS = {
  /** parent = `organizations/1` or `projects/p`, id = digits. */
  keys: 'tags.keys',
  /** parent = `tagKeys/1`, id = digits. */
  values: 'tags.values',
  /** parent = full resource name, id = the tag key's: one value of a key for each resource; ref = the tag value's id. */
  bindings: 'tags.bindings',
  /** id = the operation's; s1 = when it was done. */
  operations: 'tags.operations',
} as const;

/** Namespaces of names. */
export const TAG_NAMESPACES = {
  /** `tagKeys/1`, `tagValues/2`. */
  ids: 'tags.ids',
  /** `<parent>/<short name>`: unique below each parent. */
  shortNames: 'tags.short-names',
} as const;

/** Limits of a page. */
export const TAG_PAGE = { default: 100, max: 300 } as const;
/** Makes ids as long as the vendor's: fifteen digits. */
const FIRST_ID = 2n ** 48n;
const ID_BYTES = 6;
/** What of a sent name a refusal shows. */
const MAX_SHOWN_CHARS = 256;

/** Tag keys, below organizations and projects. */
export const KEYS: CollectionDefinition = {
  name: TAGS.keys,
  schema: 'TagKey',
  items: 'tagKeys',
  page: TAG_PAGE,
  view: (row, _call, context) => toTagResource('tagKeys', row, context),
};

/** Tag values, below tag keys. */
export const VALUES: CollectionDefinition = {
  name: TAGS.values,
  schema: 'TagValue',
  items: 'tagValues',
  page: TAG_PAGE,
  view: (row, _call, context) => toTagResource('tagValues', row, context),
};

/** A tag key or value as it is shown: what is stored, with its name and entity tag. */
const toTagResource = (
  kind: 'tagKeys' | 'tagValues',
  { id, body, revision }: ResourceRow,
  context: Context,
): JsonObject => ({
  name: `${kind}/${id}`,
  ...body,
  etag: context.etagOf(revision),
});

/** The row of `tagKeys/1` or `tagValues/2`. @throws Refusal, in the same words for what is another's and what is not there */
export function requireTag(name: string, context: Context): ResourceRow {
  const row = context.store.named(TAG_NAMESPACES.ids, name)?.row;
  if (row === undefined) throw refuseTagAccess(name);
  return row;
}

/** The same, of one collection. */
export function requireTagRow({ name: collection }: CollectionDefinition, name: string, context: Context): ResourceRow {
  const row = requireTag(name, context);
  if (row.collection !== collection) throw refuseTagAccess(name);
  return row;
}

/** 403 for a name that the caller may not see, whether it exists or not (rule K1). */
export const refuseTagAccess = (name: string): Refusal =>
  vendorRefusals.forbidden(`Permission denied on resource '${name.slice(0, MAX_SHOWN_CHARS)}' (or it may not exist).`);

/** A new id of a key or value. */
export const generateTagId = ({ random }: Context): string => String(FIRST_ID + BigInt(`0x${random(ID_BYTES)}`));

/** Whether the call only asks if it would work. */
export const isDryRun = ({ query }: Call): boolean => query['validateOnly'] === true;

/** @throws Refusal 409 ABORTED for the entity tag of another version; none fits all */
export function requireTagEtag(etag: unknown, row: ResourceRow, context: Context): void {
  if (!isText(etag) || etag === '' || etag === context.etagOf(row.revision)) return;
  throw vendorRefusals.aborted('The etag is not that of the resource: it was changed meanwhile');
}
