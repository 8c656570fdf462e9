import {
  refuseExistingName,
  buildChangedBody,
  listAtHand,
  buildNewBody,
  refuseMissingName,
  splitName,
} from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { compareIds, refuseLogLimit, toObjects, PAGE, toTextOrEmpty } from './texts.ts';
import { defineParentHandlers } from './rows.ts';
import { withExclusionTimes, MAX_EXCLUSIONS, requireExclusion } from './sinks/exclusions.ts';
import { DEFAULT_SINK, putSink, requireLogSink } from './sinks/rows.ts';

const SCHEMA = { schema: 'LogExclusion' };
const LIST = { items: 'exclusions', page: PAGE };

/** Exclusions of a container are those of its `_Default` sink (discovery document, projects.exclusions). */
export const exclusionHandlers: Handlers = {
  ...defineParentHandlers('exclusions.list', list),
  ...defineParentHandlers(
    'exclusions.get',
    ({ path }, context) => requireNamedExclusion(toTextOrEmpty(path['name']), context).exclusion,
  ),
  ...defineParentHandlers('exclusions.create', create),
  ...defineParentHandlers('exclusions.patch', patch),
  ...defineParentHandlers('exclusions.delete', remove),
};

function list(call: Call, context: Context): JsonObject {
  const items = listExclusions(toTextOrEmpty(call.path['parent']), context).map((body) => ({
    id: toTextOrEmpty(body['name']),
    body,
  }));
  return listAtHand(LIST, items.toSorted(compareIds), call, context);
}

function create(call: Call, context: Context): JsonObject {
  const container = toTextOrEmpty(call.path['parent']);
  const exclusion = buildNewBody(SCHEMA, call.body, context);
  const id = requireExclusion(exclusion);
  const before = listExclusions(container, context);
  if (before.some(({ name }) => name === id)) throw refuseExistingName(`${container}/exclusions/${id}`);
  if (before.length >= MAX_EXCLUSIONS) throw refuseLogLimit(`A container has at most ${MAX_EXCLUSIONS} exclusions`);
  keep(container, [...before, exclusion], context);
  return requireNamedExclusion(`${container}/exclusions/${id}`, context).exclusion;
}

function patch(call: Call, context: Context): JsonObject {
  const name = toTextOrEmpty(call.path['name']);
  const { container, id, exclusion } = requireNamedExclusion(name, context);
  // The name stays whatever the mask says: it is in the path.
  const after = { ...buildChangedBody(SCHEMA, exclusion, call.body, call, context, 'required'), name: id };
  requireExclusion(after);
  const all = listExclusions(container, context).map((each) => (each['name'] === id ? after : each));
  keep(container, all, context);
  return requireNamedExclusion(name, context).exclusion;
}

function remove(call: Call, context: Context): JsonObject {
  const { container, id } = requireNamedExclusion(toTextOrEmpty(call.path['name']), context);
  const left = listExclusions(container, context).filter(({ name }) => name !== id);
  keep(container, left, context);
  return {};
}

const getDefaultSink = (container: string, context: Context) =>
  requireLogSink(`${container}/sinks/${DEFAULT_SINK}`, context);

const listExclusions = (container: string, context: Context): readonly JsonObject[] =>
  toObjects(getDefaultSink(container, context).body['exclusions']);

/** @throws Refusal 404 */
function requireNamedExclusion(
  name: string,
  context: Context,
): { container: string; id: string; exclusion: JsonObject } {
  const { parent: container, id } = splitName(name);
  const exclusion = listExclusions(container, context).find((each) => each['name'] === id);
  if (exclusion === undefined) throw refuseMissingName(name);
  return { container, id, exclusion };
}

function keep(container: string, exclusions: readonly JsonObject[], context: Context): void {
  const sink = getDefaultSink(container, context);
  const { exclusions: before, ...body } = sink.body;
  const dated = withExclusionTimes(before, exclusions, context);
  putSink(sink, { ...body, ...(dated.length > 0 && { exclusions: [...dated] }) }, context);
}
