import { isObject, isText, type Json, type JsonObject, toObjects } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../../lib/time.ts';
import { classifyHost, withoutTrailingDot } from '../../../../net/address.ts';
import { refuseExistingName, refuseMissingName, splitName } from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import { MAX_SINKS_PER_HOST } from '../../../log-store/delivery/webhook-address.ts';
import type { Route, SinkTarget } from '../../../log-store/order.ts';
import { refuseLogLimit } from '../refusals.ts';
import { compareIds, readDefaultSinkSettings, withNewTimes, withUpdateTime } from '../rows.ts';
import { toTextOrEmpty } from '../schemas.ts';
import { parseSinkDestination, extractDestinationProject } from './destination.ts';

/** Rows that count who sends where: parent = host, id = full name of the sink. */
export const SINK_HOSTS = 'logging.sinkHosts';

/**
 * Keeps count of the sinks that deliver to a web host, as a sink's destination changes.
 * @throws Refusal where a further one would deliver to the same host; a sandbox may have any number to its own machine
 */
function moveHost(before: Json | undefined, after: Json | undefined, sink: string, context: Context): void {
  const [from, to] = [extractWebHost(before), extractWebHost(after)];
  if (from === to) return;
  if (from !== undefined) context.store.remove({ collection: SINK_HOSTS, parent: from, id: sink });
  if (to === undefined) return;
  const isFree = context.tenant.mode === 'sandbox' && classifyHost(to).kind === 'loopback';
  if (!isFree && context.store.count(SINK_HOSTS, to) >= MAX_SINKS_PER_HOST)
    throw refuseLogLimit(`At most ${MAX_SINKS_PER_HOST} sinks may deliver to ${to}`);
  context.store.insert({ collection: SINK_HOSTS, parent: to, id: sink, body: {} });
}

/** The host of a web address; undefined for the other forms of a destination. */
function extractWebHost(destination: Json | undefined): string | undefined {
  if (!isText(destination) || !/^https?:/i.test(destination) || !URL.canParse(destination)) return undefined;
  return withoutTrailingDot(new URL(destination).hostname);
}

/** Characters of all sinks of a container, and of all that aggregate: each write of entries reads them (rule K9). */
const MAX_SINKS_CHARS = 200_000;
/** Projects that the sinks of a container send to, and those that aggregate: their sinks are read as well. */
const MAX_HOP_TARGETS = 10;
/**
 * Characters of all sinks that go with one write of entries: the aggregated sinks above, and the sinks of a container
 * and of all its hop targets, fit. With a call of 10 MB they stay below the 32 MiB that can be sent to an object.
 */
export const MAX_ORDER_CHARS = 6_000_000;

/** @throws Refusal where the sinks of one container, or all that aggregate, are more than fit with a write */
function requireReadable(sinks: readonly LogSink[]): void {
  const chars = sinks.reduce((sum, sink) => sum + JSON.stringify(sink).length, 0);
  if (chars > MAX_SINKS_CHARS) throw refuseLogLimit('The filters of all sinks together are too long');
  const projects = new Set(
    sinks.flatMap(({ body }) => extractDestinationProject(toTextOrEmpty(body['destination'])) ?? []),
  );
  if (projects.size > MAX_HOP_TARGETS) throw refuseLogLimit(`Sinks send to at most ${MAX_HOP_TARGETS} other projects`);
}

/** Rows of sinks: parent = container, id = name of the sink, ref = AGGREGATED where it takes what its descendants get. */
export const LOG_SINKS = 'logging.sinks';
/** The two that every container has without rows. */
export const DEFAULT_SINK = '_Default';
export const REQUIRED_SINK = '_Required';
/** Sinks of a container (the vendor's), besides the two. */
const MAX_SINKS = 200;
/** Sinks of a tenant that take what descendants get. */
const MAX_AGGREGATED = 200;
const AGGREGATED = 'aggregated';

/** A stored sink. `isStored`: false for a default one that was never changed. */
export type LogSink = { container: string; id: string; body: JsonObject; isStored: boolean };

/** Logs of the vendor's audit: they go to `_Required`, which cannot be changed. */
const REQUIRED_LOGS = [
  'cloudaudit.googleapis.com/activity',
  'externalaudit.googleapis.com/activity',
  'cloudaudit.googleapis.com/system_event',
  'externalaudit.googleapis.com/system_event',
  'cloudaudit.googleapis.com/access_transparency',
  'externalaudit.googleapis.com/access_transparency',
];
const DEFAULT_FILTERS = {
  [REQUIRED_SINK]: REQUIRED_LOGS.map((log) => `LOG_ID("${log}")`).join(' OR '),
  [DEFAULT_SINK]: REQUIRED_LOGS.map((log) => `NOT LOG_ID("${log}")`).join(' AND '),
} as const;

export const isBuiltInSink = (id: string): id is keyof typeof DEFAULT_FILTERS => Object.hasOwn(DEFAULT_FILTERS, id);

/** Full name: `projects/p/sinks/s`. */
export const formatSinkName = ({ container, id }: Pick<LogSink, 'container' | 'id'>): string =>
  `${container}/sinks/${id}`;

/** The sink of a full name. @throws Refusal 404 */
export function requireLogSink(name: string, context: Context): LogSink {
  const { parent: container, id } = splitName(name);
  const row = context.store.get(LOG_SINKS, container, id);
  if (row !== undefined) return readSink(row);
  if (isBuiltInSink(id)) return buildDefaultSink(container, id, context);
  throw refuseMissingName(name);
}

/** All sinks of a container, with the two that are always there, in the order of their names. */
export function listLogSinks(container: string, context: Context): readonly LogSink[] {
  const rows = context.store.list({ collection: LOG_SINKS, parent: container, limit: MAX_SINKS + 2 });
  const stored = rows.map(({ row }) => readSink(row));
  const others = [DEFAULT_SINK, REQUIRED_SINK].filter((id) => stored.every((sink) => sink.id !== id));
  const all = [...stored, ...others.filter(isBuiltInSink).map((id) => buildDefaultSink(container, id, context))];
  return all.toSorted(compareIds);
}

/** Sinks of organizations and folders that take what their descendants get. */
export const listAggregatedSinks = (context: Context): readonly LogSink[] =>
  context.store.byRef(LOG_SINKS, AGGREGATED, MAX_AGGREGATED).map(readSink);

/** Stores a new sink. @throws Refusal where its name is taken, or the container has as many as it may */
export function addSink(container: string, id: string, body: JsonObject, context: Context): LogSink {
  const name = formatSinkName({ container, id });
  if (isBuiltInSink(id)) throw refuseExistingName(name);
  const sink = { container, id, body, isStored: true };
  requireRoomFor(sink, context);
  const dated = withNewTimes(body, context);
  const row = context.store.insert({ ...buildSinkAddress(sink), ...buildSinkRef(dated), body: dated });
  if (row === undefined) throw refuseExistingName(name);
  moveHost(undefined, dated['destination'], name, context);
  return readSink(row);
}

/** Stores a changed sink. One that says the same as before is left alone. @throws Refusal as addSink */
export function putSink(before: LogSink, body: JsonObject, context: Context): LogSink {
  if (isSameJson(before.body, body)) return before;
  const after = { ...before, body: withUpdateTime(body, context), isStored: true };
  requireRoomFor(after, context);
  const row = { ...buildSinkAddress(after), ...buildSinkRef(after.body), body: after.body };
  if (before.isStored) context.store.put(row);
  else context.store.insert(row);
  moveHost(before.body['destination'], body['destination'], formatSinkName(before), context);
  return after;
}

/** Deletes a sink. @throws Refusal for one that is always there */
export function dropSink(sink: LogSink, context: Context): void {
  if (isBuiltInSink(sink.id)) throw vendorRefusals.failedPrecondition(`The sink ${sink.id} cannot be deleted.`);
  context.store.remove(buildSinkAddress(sink));
  moveHost(sink.body['destination'], undefined, formatSinkName(sink), context);
}

const buildSinkAddress = ({ container, id }: LogSink) => ({ collection: LOG_SINKS, parent: container, id });

const buildSinkRef = (body: JsonObject) => (body['includeChildren'] === true ? { ref: AGGREGATED } : {});

const readSink = ({ parent, id, body }: ResourceRow): LogSink => ({ container: parent, id, body, isStored: true });

/** A default sink as the container's settings define it, as long as it is unchanged. */
function buildDefaultSink(container: string, id: keyof typeof DEFAULT_FILTERS, context: Context): LogSink {
  const destination = `logging.googleapis.com/${container}/locations/global/buckets/${id}`;
  const plain = { destination, filter: DEFAULT_FILTERS[id] };
  if (id === REQUIRED_SINK) return { container, id, body: plain, isStored: false };
  const { isDisabled, mode, filter, exclusions } = readDefaultSinkSettings(container, context);
  const body = {
    destination,
    filter:
      mode === 'OVERWRITE' ? filter : [plain.filter, ...(filter.trim() === '' ? [] : [`(${filter}\n)`])].join(' AND '),
    ...(isDisabled && { disabled: true }),
    ...(exclusions.length > 0 && { exclusions: [...exclusions] }),
  };
  return { container, id, body, isStored: false };
}

function requireRoomFor(sink: LogSink, context: Context): void {
  const own = listLogSinks(sink.container, context).filter(({ id }) => id !== sink.id);
  if (own.filter(({ id }) => !isBuiltInSink(id)).length >= MAX_SINKS && !isBuiltInSink(sink.id))
    throw refuseLogLimit(`A container has at most ${MAX_SINKS} sinks`);
  requireReadable([...own, sink]);
  if (sink.body['includeChildren'] !== true) return;
  const aggregated = listAggregatedSinks(context).filter((each) => formatSinkName(each) !== formatSinkName(sink));
  if (aggregated.length >= MAX_AGGREGATED)
    throw refuseLogLimit(`There may be at most ${MAX_AGGREGATED} sinks that include children`);
  requireReadable([...aggregated, sink]);
}

/**
 * The sinks of a container as they route. Those that are disabled, and those whose destination only the vendor has, are
 * left out.
 */
export const listSinkRoutes = (container: string, context: Context): readonly Route[] =>
  listLogSinks(container, context).flatMap((sink) => buildRoute(sink, context));

/** The same of all organizations and folders: their sinks that include what is below them (log-store/tree.ts). */
export const listAncestorRoutes = (context: Context): readonly Route[] =>
  listAggregatedSinks(context).flatMap((sink) => buildRoute(sink, context));

function buildRoute(sink: LogSink, context: Context): readonly Route[] {
  const { filter, exclusions, disabled, interceptChildren } = sink.body;
  const target = disabled === true ? undefined : findTarget(sink, context);
  if (target === undefined) return [];
  return [
    {
      sink: formatSinkName(sink),
      filter: toTextOrEmpty(filter),
      exclusions: listExclusionFilters({ exclusions: exclusions ?? [] }),
      target,
      ...(interceptChildren === true && { intercepts: true }),
    },
  ];
}

function findTarget({ body }: LogSink, context: Context): SinkTarget | undefined {
  const destination = parseSinkDestination(toTextOrEmpty(body['destination']), context.channels.rules().policy);
  return destination.kind === 'elsewhere' || destination.kind === 'none' ? undefined : destination;
}

const listExclusionFilters = ({ exclusions }: JsonObject): readonly string[] =>
  toObjects(exclusions)
    .filter(({ disabled }) => disabled !== true)
    .map(({ filter }) => toTextOrEmpty(filter));

/** What a sink keeps for itself. */
export const OWN_FIELDS: readonly string[] = ['identityKind', 'customIdentity'];

/** A sink as callers see it. */
export function toSinkResource(sink: LogSink): JsonObject {
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

/** Exclusions of a container are those of its `_Default` sink (discovery document, projects.exclusions). */
const getDefaultSink = (container: string, context: Context) =>
  requireLogSink(`${container}/sinks/${DEFAULT_SINK}`, context);

export const listExclusions = (container: string, context: Context): readonly JsonObject[] =>
  toObjects(getDefaultSink(container, context).body['exclusions']);

/** @throws Refusal 404 */
export function requireNamedExclusion(
  name: string,
  context: Context,
): { container: string; id: string; exclusion: JsonObject } {
  const { parent: container, id } = splitName(name);
  const exclusion = listExclusions(container, context).find((each) => each['name'] === id);
  if (exclusion === undefined) throw refuseMissingName(name);
  return { container, id, exclusion };
}

/** Stores the exclusions of a container in its `_Default` sink. */
export function keepExclusions(container: string, exclusions: readonly JsonObject[], context: Context): void {
  const sink = getDefaultSink(container, context);
  const { exclusions: before, ...body } = sink.body;
  const dated = withExclusionTimes(before, exclusions, context);
  putSink(sink, { ...body, ...(dated.length > 0 && { exclusions: [...dated] }) }, context);
}

/** Exclusions with their times: those that say something else than before were updated now. */
export function withExclusionTimes(
  before: Json | undefined,
  after: readonly JsonObject[],
  context: Context,
): readonly JsonObject[] {
  const known = new Map(toObjects(before).map((each) => [each['name'], each]));
  return after.map((each) => withTimes(known.get(each['name'] ?? ''), each, formatIsoTimestamp(context.now())));
}

function withTimes(before: JsonObject | undefined, after: JsonObject, now: string): JsonObject {
  const { createTime = now, updateTime = now, ...was } = before ?? {};
  const { createTime: _created, updateTime: _updated, ...is } = after;
  return { ...is, createTime, updateTime: isSameJson(was, is) ? updateTime : now };
}
