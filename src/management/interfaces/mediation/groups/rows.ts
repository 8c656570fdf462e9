import { getObjectMember, isObject, type JsonObject, getTextList } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { countUtf8Bytes } from '../../../../lib/utf8.ts';
import {
  type CollectionDefinition,
  putChanged,
  refuseMissingName,
  requireNamedRow,
  splitName,
} from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { type ResourceRow } from '../../../core/engine/stored-row.ts';
import { refuseMediationField } from '../refusals.ts';
import { MEDIATION, MEDIATION_PAGE, parsePublisher } from '../rows.ts';

/** Mediation groups of one publisher. */
export const MAX_MEDIATION_GROUPS = 10_000;

/** Lines of a group that are not removed. */
export const MAX_LINES = 200;
/** Lines that a group still shows after they were removed: the first of them go. */
export const MAX_REMOVED_LINES = 50;
/** Ad unit mappings of a group, in all its lines. */
export const MAX_GROUP_MAPPINGS = 2_000;
/** A stored group, as JSON. So many of them are read at once that a statement's answer stays below what one may have. */
export const MAX_GROUP_BYTES = 524_288;

/** Experiments of one group, those that ended with them. */
export const MAX_EXPERIMENTS = 1_000;
/** The state of an experiment that runs, and of its group. */
export const RUNNING = 'RUNNING';

/** Mediation groups as lists show them. */
export const mediationGroups: CollectionDefinition = {
  name: MEDIATION.groups,
  schema: 'MediationGroup',
  items: 'mediationGroups',
  page: MEDIATION_PAGE,
  view: toListedGroup,
};

/** A/B experiments, which no method lists. */
export const experiments: Pick<CollectionDefinition, 'name' | 'schema' | 'items'> = {
  name: MEDIATION.experiments,
  schema: 'MediationAbExperiment',
  items: 'mediationAbExperiments',
};

/** The row of `accounts/pub-1/mediationGroups/2`. @throws Refusal 404 when it is not there */
export function requireMediationGroup(name: string, { store }: Context): ResourceRow {
  const { parent, collection, id } = splitName(name);
  const row =
    collection === 'mediationGroups' ? store.get(MEDIATION.groups, parsePublisher(parent).name, id) : undefined;
  if (row === undefined || row.parent !== parent) throw refuseMissingName(name);
  return row;
}

/** A group as writers see it. */
export const toMediationGroupResource = ({
  parent,
  id,
  body,
}: Pick<ResourceRow, 'parent' | 'id' | 'body'>): JsonObject => ({
  name: `${parent}/mediationGroups/${id}`,
  mediationGroupId: id,
  ...body,
});

/** A group as lists show it: with the fragments of its ad units too. */
function toListedGroup(row: ResourceRow): JsonObject {
  const adUnits = [...listTargetedFragments(row.body)];
  const shown = toMediationGroupResource(row);
  return adUnits.length > 0 ? { ...shown, targeting: { ...getObjectMember(shown, 'targeting'), adUnits } } : shown;
}

/** Fragments of the ad units that a stored group targets, in order. */
export function listTargetedFragments(group: JsonObject): readonly string[] {
  return getTextList(getObjectMember(group, 'targeting'), 'adUnitIds').map((adUnit) =>
    adUnit.slice(adUnit.indexOf('/') + 1),
  );
}

/** The lines of a group by their ids. */
export const getGroupLines = (group: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(
    Object.entries(getObjectMember(group, 'mediationGroupLines')).flatMap(([id, line]) =>
      isObject(line) ? [[id, line] as const] : [],
    ),
  );

/** Stores a changed group. @throws Refusal for one that is too large */
export const putGroup = (row: ResourceRow, body: JsonObject, context: Context): ResourceRow =>
  putChanged(row, enforceGroupLimits(body), context);

/**
 * A group within its limits: of the lines that were removed long ago, it shows those no more that are too many.
 * @throws Refusal 400 for more lines, mappings or bytes than a group may have
 */
export function enforceGroupLimits(body: JsonObject): JsonObject {
  const all = [...getGroupLines(body)];
  const removed = all.filter(([, line]) => line['state'] === 'REMOVED').map(([id]) => id);
  if (all.length - removed.length > MAX_LINES)
    throw refuseMediationField('mediationGroupLines', `a group has at most ${MAX_LINES} lines`);
  const forgotten = new Set(removed.slice(0, Math.max(removed.length - MAX_REMOVED_LINES, 0)));
  const lines = all.filter(([id]) => !forgotten.has(id));
  const mappings = lines.reduce(
    (sum, [, line]) => sum + Object.keys(getObjectMember(line, 'adUnitMappings')).length,
    0,
  );
  if (mappings > MAX_GROUP_MAPPINGS)
    throw refuseMediationField('mediationGroupLines', `a group has at most ${MAX_GROUP_MAPPINGS} ad unit mappings`);
  const bounded = { ...body, mediationGroupLines: Object.fromEntries(lines) };
  if (countUtf8Bytes(JSON.stringify(bounded)) > MAX_GROUP_BYTES)
    throw vendorRefusals.invalid(`A mediation group may take at most ${MAX_GROUP_BYTES} bytes`);
  return bounded;
}

/**
 * The experiment of a name; that which runs where the name is that of all experiments of its group, as the vendor writes it.
 * @throws Refusal 404, and 400 FAILED_PRECONDITION for a group in which none runs
 */
export function requireExperiment(name: string, context: Context): ResourceRow {
  const all = `/${experiments.items}`;
  if (!name.endsWith(all)) return requireNamedRow(experiments, name, context);
  const parent = name.slice(0, -all.length);
  requireMediationGroup(parent, context);
  const place = { collection: experiments.name, parent, order: { by: 's1' }, prefix: RUNNING, limit: 1 } as const;
  const [running] = context.store.list(place);
  if (running === undefined)
    throw vendorRefusals.failedPrecondition('No A/B experiment is running in this mediation group');
  return running.row;
}
