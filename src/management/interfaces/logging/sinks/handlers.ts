import { isBelow } from '../../../log-store/log-name.ts';
import { applyFieldMask } from '../../../core/conventions/field-mask.ts';
import {
  buildChangedBody,
  buildNewBody,
  listAtHand,
  maskPaths,
  refuseExistingName,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { selectWritable } from '../../../core/engine/write.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { defineParentHandlers, listMethodIds } from '../handlers.ts';
import { refuseLogLimit } from '../refusals.ts';
import { compareIds, PAGE } from '../rows.ts';
import { MAX_EXCLUSIONS, requireId, toTextOrEmpty } from '../schemas.ts';
import {
  addSink,
  dropSink,
  formatSinkName,
  keepExclusions,
  listAggregatedSinks,
  listExclusions,
  listLogSinks,
  type LogSink,
  putSink,
  REQUIRED_SINK,
  requireLogSink,
  requireNamedExclusion,
  toSinkResource,
} from './rows.ts';
import { isWebSink, parseSinkScope, requireExclusion, validateSink } from './schemas.ts';

/** What an update without a mask changes (discovery document, sinks.update). */
const USUAL_MASK = [['destination'], ['filter'], ['includeChildren']];
const EXCLUSION = { schema: 'LogExclusion' };

/** Sinks, and the exclusions of containers: those are kept in the `_Default` sink. */
export const handlers: Handlers = {
  ...defineParentHandlers('sinks.list', listSinks),
  ...defineParentHandlers('sinks.get', ({ path }, context) =>
    toSinkResource(requireLogSink(toTextOrEmpty(path['sinkName']), context)),
  ),
  ...defineParentHandlers('sinks.create', createSink),
  ...defineParentHandlers('sinks.update', changeSink),
  ...defineParentHandlers('sinks.patch', changeSink),
  ...defineParentHandlers('sinks.delete', deleteSink),
  ...defineParentHandlers('exclusions.list', listContainerExclusions),
  ...defineParentHandlers(
    'exclusions.get',
    ({ path }, context) => requireNamedExclusion(toTextOrEmpty(path['name']), context).exclusion,
  ),
  ...defineParentHandlers('exclusions.create', createExclusion),
  ...defineParentHandlers('exclusions.patch', patchExclusion),
  ...defineParentHandlers('exclusions.delete', deleteExclusion),
};

/** Calls that name a web address need the key that the tenant's posts are verified with. */
export const sinkAsks: Readonly<Record<string, (call: Call) => boolean>> = Object.fromEntries(
  ['sinks.create', 'sinks.update', 'sinks.patch']
    .flatMap(listMethodIds)
    .map((id) => [id, ({ body }: Call) => isWebSink(body)]),
);

function listSinks(call: Call, context: Context): JsonObject {
  const container = toTextOrEmpty(call.path['parent']);
  const scope = parseSinkScope(call.query['filter']);
  const above =
    scope === 'DEFAULT'
      ? []
      : listAggregatedSinks(context).filter(
          ({ body, container: owner }) => body['interceptChildren'] === true && isBelow(container, owner),
        );
  const own = scope === 'ANCESTOR' ? [] : listLogSinks(container, context);
  const items = [...own, ...above].map((sink) => ({ id: formatSinkName(sink), body: toSinkResource(sink) }));
  return listAtHand({ items: 'sinks', page: PAGE }, items.toSorted(compareIds), call, context);
}

function createSink(call: Call, context: Context): JsonObject {
  const container = toTextOrEmpty(call.path['parent']);
  const { name, ...body } = selectWritable('LogSink', call.body, context.row);
  return toSinkResource(
    addSink(container, requireId(name, 'name'), validateSink({}, body, container, call, context), context),
  );
}

function changeSink(call: Call, context: Context): JsonObject {
  const before = requireLogSink(toTextOrEmpty(call.path['sinkName']), context);
  if (before.id === REQUIRED_SINK)
    throw vendorRefusals.failedPrecondition(`The sink ${REQUIRED_SINK} cannot be changed.`);
  // What a mask leaves out need not be sent: the required fields are looked for in the result.
  const sent = selectWritable('LogSink', call.body, { ...context.row, id: '' });
  const paths = (maskPaths(call, 'LogSink', context) ?? USUAL_MASK).filter(([name]) => name !== 'name');
  const { name: _name, ...body } = applyFieldMask(paths, before.body, sent);
  const after = putSink(before, validateSink(before.body, body, before.container, call, context), context);
  const isSameWay = after.body['destination'] === before.body['destination'] && after.body['disabled'] !== true;
  if (!isSameWay) stopPosts(before, context);
  return toSinkResource(after);
}

function deleteSink({ path }: Call, context: Context): JsonObject {
  const sink = requireLogSink(toTextOrEmpty(path['sinkName']), context);
  dropSink(sink, context);
  stopPosts(sink, context);
  return {};
}

/** What waits for the web address that a sink had is not sent any more. */
function stopPosts(sink: LogSink, context: Context): void {
  if (isWebSink(sink.body)) context.hand({ do: 'sinkGone', sink: formatSinkName(sink) });
}

function listContainerExclusions(call: Call, context: Context): JsonObject {
  const items = listExclusions(toTextOrEmpty(call.path['parent']), context).map((body) => ({
    id: toTextOrEmpty(body['name']),
    body,
  }));
  return listAtHand({ items: 'exclusions', page: PAGE }, items.toSorted(compareIds), call, context);
}

function createExclusion(call: Call, context: Context): JsonObject {
  const container = toTextOrEmpty(call.path['parent']);
  const exclusion = buildNewBody(EXCLUSION, call.body, context);
  const id = requireExclusion(exclusion);
  const before = listExclusions(container, context);
  if (before.some(({ name }) => name === id)) throw refuseExistingName(`${container}/exclusions/${id}`);
  if (before.length >= MAX_EXCLUSIONS) throw refuseLogLimit(`A container has at most ${MAX_EXCLUSIONS} exclusions`);
  keepExclusions(container, [...before, exclusion], context);
  return requireNamedExclusion(`${container}/exclusions/${id}`, context).exclusion;
}

function patchExclusion(call: Call, context: Context): JsonObject {
  const name = toTextOrEmpty(call.path['name']);
  const { container, id, exclusion } = requireNamedExclusion(name, context);
  // The name stays whatever the mask says: it is in the path.
  const after = { ...buildChangedBody(EXCLUSION, exclusion, call.body, call, context, 'required'), name: id };
  requireExclusion(after);
  const all = listExclusions(container, context).map((each) => (each['name'] === id ? after : each));
  keepExclusions(container, all, context);
  return requireNamedExclusion(name, context).exclusion;
}

function deleteExclusion(call: Call, context: Context): JsonObject {
  const { container, id } = requireNamedExclusion(toTextOrEmpty(call.path['name']), context);
  const left = listExclusions(container, context).filter(({ name }) => name !== id);
  keepExclusions(container, left, context);
  return {};
}
