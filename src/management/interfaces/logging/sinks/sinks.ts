import { applyFieldMask } from '../../../core/conventions/field-mask.ts';
import { listAtHand, maskPaths } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { selectWritable } from '../../../core/engine/write.ts';
import { isBelow } from '../../../log-store/tree.ts';
import { isObject, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  compareIds,
  refuseLogField,
  PAGE,
  requireDescription,
  requireFilter,
  requireId,
  toTextOrEmpty,
} from '../texts.ts';
import { defineParentHandlers, listMethodIds } from '../rows.ts';
import { requireDestination } from './destination.ts';
import { withExclusionTimes, requireExclusions } from './exclusions.ts';
import { resolveWriterIdentity } from './identity.ts';
import {
  addSink,
  listAggregatedSinks,
  dropSink,
  putSink,
  REQUIRED_SINK,
  type LogSink,
  formatSinkName,
  requireLogSink,
  listLogSinks,
} from './rows.ts';

const LIST = { items: 'sinks', page: PAGE };
/** What an update without a mask changes (discovery document, sinks.update). */
const USUAL_MASK = [['destination'], ['filter'], ['includeChildren']];
/** What a sink keeps for itself. */
const OWN_FIELDS = ['identityKind', 'customIdentity'];
const SCOPES = {
  '': 'DEFAULT',
  'in_scope("DEFAULT")': 'DEFAULT',
  'in_scope("ANCESTOR")': 'ANCESTOR',
  'in_scope("ALL")': 'ALL',
} as const;

export const logSinkHandlers: Handlers = {
  ...defineParentHandlers('sinks.list', list),
  ...defineParentHandlers('sinks.get', ({ path }, context) =>
    toSinkResource(requireLogSink(toTextOrEmpty(path['sinkName']), context)),
  ),
  ...defineParentHandlers('sinks.create', create),
  ...defineParentHandlers('sinks.update', change),
  ...defineParentHandlers('sinks.patch', change),
  ...defineParentHandlers('sinks.delete', remove),
};

/** Calls that name a web address need the key that the tenant's posts are verified with. */
export const sinkAsks: Readonly<Record<string, (call: Call) => boolean>> = Object.fromEntries(
  ['sinks.create', 'sinks.update', 'sinks.patch']
    .flatMap(listMethodIds)
    .map((id) => [id, ({ body }: Call) => isWeb(body)]),
);

function list(call: Call, context: Context): JsonObject {
  const container = toTextOrEmpty(call.path['parent']);
  const filter = toTextOrEmpty(call.query['filter']).trim();
  if (!Object.hasOwn(SCOPES, filter))
    throw refuseLogField('filter', `filter must be one of ${Object.keys(SCOPES).slice(1).join(', ')}.`);
  const scope = SCOPES[filter as keyof typeof SCOPES];
  const above =
    scope === 'DEFAULT'
      ? []
      : listAggregatedSinks(context).filter(
          ({ body, container: owner }) => body['interceptChildren'] === true && isBelow(container, owner),
        );
  const own = scope === 'ANCESTOR' ? [] : listLogSinks(container, context);
  const items = [...own, ...above].map((sink) => ({ id: formatSinkName(sink), body: toSinkResource(sink) }));
  return listAtHand(LIST, items.toSorted(compareIds), call, context);
}

function create(call: Call, context: Context): JsonObject {
  const container = toTextOrEmpty(call.path['parent']);
  const { name, ...body } = selectWritable('LogSink', call.body, context.row);
  return toSinkResource(
    addSink(container, requireId(name, 'name'), validateSink({}, body, container, call, context), context),
  );
}

function change(call: Call, context: Context): JsonObject {
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

function remove({ path }: Call, context: Context): JsonObject {
  const sink = requireLogSink(toTextOrEmpty(path['sinkName']), context);
  dropSink(sink, context);
  stopPosts(sink, context);
  return {};
}

/** What waits for the web address that a sink had is not sent any more. */
function stopPosts(sink: LogSink, context: Context): void {
  if (isWeb(sink.body)) context.hand({ do: 'sinkGone', sink: formatSinkName(sink) });
}

const isWeb = ({ destination }: JsonObject): boolean => /^https?:/i.test(toTextOrEmpty(destination));

/** What is stored of a sink: valid, with the identity that follows from the call. @throws Refusal */
function validateSink(
  before: JsonObject,
  body: JsonObject,
  container: string,
  call: Call,
  context: Context,
): JsonObject {
  if (toTextOrEmpty(body['destination']) === '') throw vendorRefusals.required('destination');
  requireDescription(body['description']);
  requireFilter(body['filter']);
  const destination = requireDestination(toTextOrEmpty(body['destination']), context.channels.rules());
  if (destination.kind === 'container' && destination.container === container)
    throw refuseLogField('destination', 'A sink cannot send to the project that it belongs to.');
  requireChildren(body, container, destination.kind);
  const kept = Object.entries(body).filter(
    ([name, value]) =>
      !OWN_FIELDS.includes(name) && name !== 'writerIdentity' && value !== UNSPECIFIED && name !== 'exclusions',
  );
  const exclusions = withExclusionTimes(before['exclusions'], requireExclusions(body['exclusions']), context);
  return {
    ...Object.fromEntries(kept),
    ...(exclusions.length > 0 && { exclusions: [...exclusions] }),
    ...resolveWriterIdentity(before, call, container, destination),
  };
}

const UNSPECIFIED = 'VERSION_FORMAT_UNSPECIFIED';

function requireChildren({ includeChildren, interceptChildren }: JsonObject, container: string, kind: string): void {
  const hasChildren = /^(?:organizations|folders)\//.test(container);
  if ((includeChildren === true || interceptChildren === true) && !hasChildren)
    throw refuseLogField('includeChildren', 'Only sinks of organizations and folders include children.');
  if (interceptChildren !== true) return;
  if (includeChildren !== true)
    throw refuseLogField('interceptChildren', 'A sink that intercepts children must include them.');
  if (kind !== 'container')
    throw refuseLogField('interceptChildren', 'A sink that intercepts children must send to a project.');
}

/** A sink as callers see it. */
function toSinkResource(sink: LogSink): JsonObject {
  const shown = Object.entries(sink.body).filter(([name]) => !OWN_FIELDS.includes(name));
  const { bigqueryOptions } = sink.body;
  return {
    name: sink.id,
    resourceName: formatSinkName(sink),
    ...Object.fromEntries(shown),
    ...(isObject(bigqueryOptions) && {
      bigqueryOptions: { ...bigqueryOptions, usesTimestampColumnPartitioning: true },
    }),
  };
}
