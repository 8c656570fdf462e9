import {
  alreadyExists,
  changedBody,
  listAtHand,
  newBody,
  notFound,
  splitName,
} from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { byId, exhausted, objectsIn, PAGE, textOf } from './texts.ts';
import { forAllParents } from './rows.ts';
import { datedExclusions, MAX_EXCLUSIONS, requireExclusion } from './sinks/exclusions.ts';
import { DEFAULT_SINK, putSink, sinkNamed } from './sinks/rows.ts';

const SCHEMA = { schema: 'LogExclusion' };
const LIST = { items: 'exclusions', page: PAGE };

/** Exclusions of a container are those of its `_Default` sink (discovery document, projects.exclusions). */
export const exclusionHandlers: Handlers = {
  ...forAllParents('exclusions.list', list),
  ...forAllParents('exclusions.get', ({ path }, context) => found(textOf(path['name']), context).exclusion),
  ...forAllParents('exclusions.create', create),
  ...forAllParents('exclusions.patch', patch),
  ...forAllParents('exclusions.delete', remove),
};

function list(call: Call, context: Context): JsonObject {
  const items = exclusionsOf(textOf(call.path['parent']), context).map((body) => ({ id: textOf(body['name']), body }));
  return listAtHand(LIST, items.toSorted(byId), call, context);
}

function create(call: Call, context: Context): JsonObject {
  const container = textOf(call.path['parent']);
  const exclusion = newBody(SCHEMA, call.body, context);
  const id = requireExclusion(exclusion);
  const before = exclusionsOf(container, context);
  if (before.some(({ name }) => name === id)) throw alreadyExists(`${container}/exclusions/${id}`);
  if (before.length >= MAX_EXCLUSIONS) throw exhausted(`A container has at most ${MAX_EXCLUSIONS} exclusions`);
  keep(container, [...before, exclusion], context);
  return found(`${container}/exclusions/${id}`, context).exclusion;
}

function patch(call: Call, context: Context): JsonObject {
  const name = textOf(call.path['name']);
  const { container, id, exclusion } = found(name, context);
  // The name stays whatever the mask says: it is in the path.
  const after = { ...changedBody(SCHEMA, exclusion, call.body, call, context, 'required'), name: id };
  requireExclusion(after);
  const all = exclusionsOf(container, context).map((each) => (each['name'] === id ? after : each));
  keep(container, all, context);
  return found(name, context).exclusion;
}

function remove(call: Call, context: Context): JsonObject {
  const { container, id } = found(textOf(call.path['name']), context);
  const left = exclusionsOf(container, context).filter(({ name }) => name !== id);
  keep(container, left, context);
  return {};
}

const sinkOf = (container: string, context: Context) => sinkNamed(`${container}/sinks/${DEFAULT_SINK}`, context);

const exclusionsOf = (container: string, context: Context): readonly JsonObject[] =>
  objectsIn(sinkOf(container, context).body['exclusions']);

/** @throws Refusal 404 */
function found(name: string, context: Context): { container: string; id: string; exclusion: JsonObject } {
  const { parent: container, id } = splitName(name);
  const exclusion = exclusionsOf(container, context).find((each) => each['name'] === id);
  if (exclusion === undefined) throw notFound(name);
  return { container, id, exclusion };
}

function keep(container: string, exclusions: readonly JsonObject[], context: Context): void {
  const sink = sinkOf(container, context);
  const { exclusions: before, ...body } = sink.body;
  const dated = datedExclusions(before, exclusions, context);
  putSink(sink, { ...body, ...(dated.length > 0 && { exclusions: [...dated] }) }, context);
}
