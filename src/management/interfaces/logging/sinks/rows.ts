import { isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { classifyHost, withoutTrailingDot } from '../../../../net/address.ts';
import { alreadyExists, notFound, splitName, timestamp } from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { isSame } from '../../../core/engine/write.ts';
import { MAX_SINKS_PER_HOST } from '../../../log-store/delivery/webhook-address.ts';
import type { Route, SinkTarget } from '../../../log-store/order.ts';
import { defaultSinkSettings } from '../settings.ts';
import { exhausted, objectsIn, textOf } from '../texts.ts';
import { destinationOf, projectIn } from './destination.ts';

/** Rows that count who sends where: parent = host, id = full name of the sink. */
export const SINK_HOSTS = 'logging.sinkHosts';

/**
 * Keeps count of the sinks that deliver to a web host, as a sink's destination changes.
 * @throws Refusal where a further one would deliver to the same host; a sandbox may have any number to its own machine
 */
function moveHost(before: Json | undefined, after: Json | undefined, sink: string, context: Context): void {
  const [from, to] = [hostOf(before), hostOf(after)];
  if (from === to) return;
  if (from !== undefined) context.store.remove({ collection: SINK_HOSTS, parent: from, id: sink });
  if (to === undefined) return;
  const isFree = context.tenant.mode === 'sandbox' && classifyHost(to).kind === 'loopback';
  if (!isFree && context.store.count(SINK_HOSTS, to) >= MAX_SINKS_PER_HOST)
    throw exhausted(`At most ${MAX_SINKS_PER_HOST} sinks may deliver to ${to}`);
  context.store.insert({ collection: SINK_HOSTS, parent: to, id: sink, body: {} });
}

/** The host of a web address; undefined for the other forms of a destination. */
function hostOf(destination: Json | undefined): string | undefined {
  if (!isText(destination) || !/^https?:/i.test(destination) || !URL.canParse(destination)) return undefined;
  return withoutTrailingDot(new URL(destination).hostname);
}

/** Characters of all sinks of a container, and of all that aggregate: each write of entries reads them (rule K9). */
const MAX_SINKS_CHARS = 200_000;
/** Projects that the sinks of a container send to, and those that aggregate: their sinks are read as well. */
const MAX_HOP_TARGETS = 10;
/**
 * Characters of all sinks that one write of entries is told of: those above, and of a container and all its hop targets,
 * fit. With a call of 10 MB they are below the 32 MiB that can be sent to an object.
 */
export const MAX_ORDER_CHARS = 6_000_000;

/** @throws Refusal where the sinks of one container, or all that aggregate, are more than a write can be told of */
function requireReadable(sinks: readonly Sink[]): void {
  const chars = sinks.reduce((sum, sink) => sum + JSON.stringify(sink).length, 0);
  if (chars > MAX_SINKS_CHARS) throw exhausted('The filters of all sinks together are too long');
  const projects = new Set(sinks.flatMap(({ body }) => projectIn(textOf(body['destination'])) ?? []));
  if (projects.size > MAX_HOP_TARGETS) throw exhausted(`Sinks send to at most ${MAX_HOP_TARGETS} other projects`);
}

/** Rows of sinks: parent = container, id = name of the sink, ref = AGGREGATED where it takes what its descendants get. */
export const SINKS = 'logging.sinks';
/** The two that every container has without rows. */
export const DEFAULT_SINK = '_Default';
export const REQUIRED_SINK = '_Required';
/** Sinks of a container (the vendor's), besides the two. */
const MAX_SINKS = 200;
/** Sinks of a tenant that take what descendants get. */
const MAX_AGGREGATED = 200;
const AGGREGATED = 'aggregated';

/** A sink as it is kept. `isStored`: false for a default one that nobody has changed. */
export type Sink = { container: string; id: string; body: JsonObject; isStored: boolean };

/** Logs that the vendor's audit writes: they go to `_Required`, which nobody can change. */
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

export const isDefault = (id: string): id is keyof typeof DEFAULT_FILTERS => Object.hasOwn(DEFAULT_FILTERS, id);

/** Full name: `projects/p/sinks/s`. */
export const sinkName = ({ container, id }: Pick<Sink, 'container' | 'id'>): string => `${container}/sinks/${id}`;

/** The sink of a full name. @throws Refusal 404 */
export function sinkNamed(name: string, context: Context): Sink {
  const { parent: container, id } = splitName(name);
  const row = context.store.get(SINKS, container, id);
  if (row !== undefined) return sinkOf(row);
  if (isDefault(id)) return unchanged(container, id, context);
  throw notFound(name);
}

/** All sinks of a container, with the two that are always there, in the order of their names. */
export function sinksOf(container: string, context: Context): readonly Sink[] {
  const rows = context.store.list({ collection: SINKS, parent: container, limit: MAX_SINKS + 2 });
  const stored = rows.map(({ row }) => sinkOf(row));
  const others = [DEFAULT_SINK, REQUIRED_SINK].filter((id) => stored.every((sink) => sink.id !== id));
  const all = [...stored, ...others.filter(isDefault).map((id) => unchanged(container, id, context))];
  return all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Sinks of organizations and folders that take what their descendants get. */
export const aggregatedSinks = (context: Context): readonly Sink[] =>
  context.store.byRef(SINKS, AGGREGATED, MAX_AGGREGATED).map(sinkOf);

/** Stores a new sink. @throws Refusal where its name is taken, or the container has as many as it may */
export function addSink(container: string, id: string, body: JsonObject, context: Context): Sink {
  const name = sinkName({ container, id });
  if (isDefault(id)) throw alreadyExists(name);
  const sink = { container, id, body, isStored: true };
  requireRoomFor(sink, context);
  const now = timestamp(context.now());
  const dated: JsonObject = { ...body, createTime: now, updateTime: now };
  const row = context.store.insert({ ...addressOf(sink), ...refOf(dated), body: dated });
  if (row === undefined) throw alreadyExists(name);
  moveHost(undefined, dated['destination'], name, context);
  return sinkOf(row);
}

/** Stores a changed sink. One that says the same as before is left alone. @throws Refusal as addSink */
export function putSink(before: Sink, body: JsonObject, context: Context): Sink {
  if (isSame(before.body, body)) return before;
  const after = { ...before, body: { ...body, updateTime: timestamp(context.now()) }, isStored: true };
  requireRoomFor(after, context);
  const row = { ...addressOf(after), ...refOf(after.body), body: after.body };
  if (before.isStored) context.store.put(row);
  else context.store.insert(row);
  moveHost(before.body['destination'], body['destination'], sinkName(before), context);
  return after;
}

/** Deletes a sink. @throws Refusal for one that is always there */
export function dropSink(sink: Sink, context: Context): void {
  if (isDefault(sink.id)) throw refuse.failedPrecondition(`The sink ${sink.id} cannot be deleted.`);
  context.store.remove(addressOf(sink));
  moveHost(sink.body['destination'], undefined, sinkName(sink), context);
}

const addressOf = ({ container, id }: Sink) => ({ collection: SINKS, parent: container, id });

const refOf = (body: JsonObject) => (body['includeChildren'] === true ? { ref: AGGREGATED } : {});

const sinkOf = ({ parent, id, body }: StoredRow): Sink => ({ container: parent, id, body, isStored: true });

/** A default sink as the container's settings make it, as long as nobody has changed it. */
function unchanged(container: string, id: keyof typeof DEFAULT_FILTERS, context: Context): Sink {
  const destination = `logging.googleapis.com/${container}/locations/global/buckets/${id}`;
  const plain = { destination, filter: DEFAULT_FILTERS[id] };
  if (id === REQUIRED_SINK) return { container, id, body: plain, isStored: false };
  const { isDisabled, mode, filter, exclusions } = defaultSinkSettings(container, context);
  const body = {
    destination,
    filter:
      mode === 'OVERWRITE' ? filter : [plain.filter, ...(filter.trim() === '' ? [] : [`(${filter}\n)`])].join(' AND '),
    ...(isDisabled && { disabled: true }),
    ...(exclusions.length > 0 && { exclusions: [...exclusions] }),
  };
  return { container, id, body, isStored: false };
}

function requireRoomFor(sink: Sink, context: Context): void {
  const own = sinksOf(sink.container, context).filter(({ id }) => id !== sink.id);
  if (own.filter(({ id }) => !isDefault(id)).length >= MAX_SINKS && !isDefault(sink.id))
    throw exhausted(`A container has at most ${MAX_SINKS} sinks`);
  requireReadable([...own, sink]);
  if (sink.body['includeChildren'] !== true) return;
  const aggregated = aggregatedSinks(context).filter((each) => sinkName(each) !== sinkName(sink));
  if (aggregated.length >= MAX_AGGREGATED)
    throw exhausted(`There may be at most ${MAX_AGGREGATED} sinks that include children`);
  requireReadable([...aggregated, sink]);
}

/**
 * The sinks of a container as they route. Those that are disabled, and those whose destination only the vendor has, are
 * left out.
 */
export const routesOf = (container: string, context: Context): readonly Route[] =>
  sinksOf(container, context).flatMap((sink) => routeOf(sink, context));

/** The same of all organizations and folders: their sinks that include what is below them (entries/tree.ts). */
export const routesAbove = (context: Context): readonly Route[] =>
  aggregatedSinks(context).flatMap((sink) => routeOf(sink, context));

function routeOf(sink: Sink, context: Context): readonly Route[] {
  const { filter, exclusions, disabled, interceptChildren } = sink.body;
  const target = disabled === true ? undefined : targetOf(sink, context);
  if (target === undefined) return [];
  return [
    {
      sink: sinkName(sink),
      filter: textOf(filter),
      exclusions: exclusionsOf({ exclusions: exclusions ?? [] }),
      target,
      ...(interceptChildren === true && { intercepts: true }),
    },
  ];
}

function targetOf({ body }: Sink, context: Context): SinkTarget | undefined {
  const destination = destinationOf(textOf(body['destination']), context.channels.rules().policy);
  return destination.kind === 'elsewhere' || destination.kind === 'none' ? undefined : destination;
}

const exclusionsOf = ({ exclusions }: JsonObject): readonly string[] =>
  objectsIn(exclusions)
    .filter(({ disabled }) => disabled !== true)
    .map(({ filter }) => textOf(filter));
