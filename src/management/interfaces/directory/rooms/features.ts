import { getTextMember } from '../../../../lib/json.ts';
import { defineCollectionHandlers, requireMatch, type Collection } from '../../../core/engine/collection.ts';
import type { Context, Handler, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../collections.ts';
import { generateDirectoryId, requireCustomer } from '../keys.ts';
import { requireShortTexts } from '../texts.ts';

const LIMITS = { name: 100, newName: 100 } as const;

/**
 * Features of rooms. A feature is known by its name; rooms keep the id behind it, so that a new name is seen in all of
 * them at once.
 */
export const features: Collection = {
  name: COLLECTIONS.features,
  schema: 'Feature',
  kind: 'admin#directory#resources#features#Feature',
  listKind: 'admin#directory#resources#features#featuresList',
  items: 'features',
  page: { parameter: 'maxResults', default: 100, max: 500 },
  order: () => ({ by: 's1' }),
  parentOf: ({ path }, context) => {
    requireCustomer(path['customer'] ?? '', context);
    return '';
  },
  find: ({ path }, context) => {
    requireCustomer(path['customer'] ?? '', context);
    const row = findFeature(path['featureKey'] ?? path['oldName'] ?? '', context);
    if (row === undefined) throw vendorRefusals.notFound(path['featureKey'] === undefined ? 'oldName' : 'featureKey');
    return row;
  },
  create: (_call, context, sent) => {
    const name = requireName(sent, 'name');
    return { id: generateDirectoryId(context), body: { name }, s1: name.toLowerCase() };
  },
  inserted: (row, _call, context) => claimName(row, context),
  change: (_before, sent) => {
    const name = requireName(sent, 'name');
    return { body: { name }, s1: name.toLowerCase() };
  },
  updated: renameFeature,
  hasEtags: true,
};

const rename: Handler = (call, context) => {
  const before = features.find(call, context);
  requireMatch(before, call, context);
  const name = requireName(call.body, 'newName');
  const address = { collection: before.collection, parent: '', id: before.id };
  const row = context.store.put({ ...address, body: { name }, s1: name.toLowerCase() });
  renameFeature(before, row, call, context);
  return undefined;
};

export const featureHandlers: Handlers = {
  ...defineCollectionHandlers(features, {
    list: 'directory.resources.features.list',
    get: 'directory.resources.features.get',
    insert: 'directory.resources.features.insert',
    patch: 'directory.resources.features.patch',
    update: 'directory.resources.features.update',
    delete: 'directory.resources.features.delete',
  }),
  'directory.resources.features.rename': rename,
};

/** The feature of a name, in any case. */
export const findFeature = (name: string, { store }: Context): ResourceRow | undefined =>
  store.named(DIRECTORY_NAMESPACES.feature, name.toLowerCase())?.row;

const namesOfCalls = new WeakMap<Context, Map<string, string>>();

/** The present name of a feature by the id that rooms keep; '' for one that is gone. Each is read once a call. */
export function readFeatureName(id: string, context: Context): string {
  const known = namesOfCalls.get(context) ?? new Map<string, string>();
  namesOfCalls.set(context, known);
  const row = known.has(id) ? undefined : context.store.get(COLLECTIONS.features, '', id);
  const name = known.get(id) ?? (row === undefined ? '' : getFeatureName(row));
  known.set(id, name);
  return name;
}

function renameFeature(before: ResourceRow, row: ResourceRow, _call: unknown, context: Context): void {
  if (getFeatureKey(before) === getFeatureKey(row)) return;
  context.store.unname(DIRECTORY_NAMESPACES.feature, getFeatureKey(before));
  claimName(row, context);
}

function requireName(sent: JsonObject, field: 'name' | 'newName'): string {
  const name = getTextMember(sent, field);
  if (name === '') throw vendorRefusals.required(field);
  requireShortTexts(sent, LIMITS);
  return name;
}

const getFeatureName = ({ body }: ResourceRow): string => getTextMember(body, 'name');
const getFeatureKey = (row: ResourceRow): string => getFeatureName(row).toLowerCase();

function claimName(row: ResourceRow, { store }: Context): void {
  if (!store.name(DIRECTORY_NAMESPACES.feature, getFeatureKey(row), row)) throw vendorRefusals.duplicate();
}
