import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { parseLogName } from '../../log-store/log-name.ts';
import type { BucketFacts, Route, EntrySource } from '../../log-store/order.ts';
import { isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { findBucketFacts, listBucketFacts, listGoneBucketFacts, requireViewSource } from './buckets/buckets.ts';
import { parseLogContainer } from './rows.ts';
import { refuseLogLimit, refuseLogField, requireFilter, toTextOrEmpty } from './texts.ts';
import { recordRecentQuery } from './queries/recent-queries.ts';
import { MAX_ORDER_CHARS, listAncestorRoutes, listSinkRoutes } from './sinks/rows.ts';

/** Containers and views that one call may name. */
export const MAX_RESOURCES = 100;
const MAX_PAGE = 1_000;
const CONTAINER = /^(?:projects|folders|organizations|billingAccounts)\/[^/]+$/;

/** What the store of entries is to do: these answer nothing of their own. */
export const entryHandlers: Handlers = {
  'logging.entries.write': write,
  'logging.entries.list': list,
  'logging.entries.tail': tail,
};

/**
 * A call of `entries:write` without its entries: `containers` has the containers of their log names; a call without
 * entries has none. They have all been claimed by then, as has every other name of the call (rule K1).
 */
export const writeBrief = (call: Call): Call => ({
  ...call,
  body: getEntries(call).length === 0 ? {} : { containers: [...listEntryContainers(call)] },
});

export const entryBriefs: Readonly<Record<string, (call: Call) => Call>> = { 'logging.entries.write': writeBrief };

const getEntries = ({ body: { entries } }: Call): readonly Json[] => (Array.isArray(entries) ? entries : []);

function listEntryContainers(call: Call): ReadonlySet<string> {
  const whole = call.body['logName'] ?? null;
  const names = new Set(getEntries(call).map((entry) => getLogName(entry) || whole));
  return new Set([...names].flatMap((name) => (isText(name) ? (parseLogName(name)?.container ?? []) : [])));
}

const getLogName = (entry: Json): string =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? toTextOrEmpty(entry['logName']) : '';

function write(call: Call, context: Context): JsonObject {
  const { body } = getEntries(call).length === 0 ? call : writeBrief(call);
  if (body['containers'] === undefined) return {}; // Nothing to write.
  const { routes, above } = collectRoutes(toTexts(body['containers']), context);
  const all = [...Object.values(routes).flat(), ...above];
  const wanted = new Set(all.flatMap(({ target }) => (target.kind === 'bucket' ? [target.bucket] : [])));
  const buckets = [...wanted].flatMap((name) => findBucketFacts(name, context) ?? []);
  const known = new Set(buckets.map(({ name }) => name));
  const there = (found: readonly Route[]): readonly Route[] => found.filter((route) => isThere(route, known));
  context.hand({
    do: 'write',
    nowMs: context.now(),
    routes: Object.fromEntries(Object.entries(routes).map(([name, found]) => [name, there(found)])),
    ...(above.length > 0 && { above: there(above) }),
    buckets: [...buckets, ...Object.keys(routes).flatMap((name) => listGoneBucketFacts(name, context))],
    ...(call.isOwn === true && { isOwn: true }),
  });
  return {};
}

/**
 * The sinks of containers, of those that they send to, and above them all.
 * @throws Refusal for more than one order may hold: what the limits of sinks (sinks-limits.ts) leave to one container is less
 */
function collectRoutes(named: readonly string[], context: Context) {
  const above = listAncestorRoutes(context);
  const routes = new Map<string, readonly Route[]>();
  let chars = JSON.stringify(above).length;
  const add = (container: string): void => {
    if (routes.has(container)) return;
    const found = listSinkRoutes(container, context);
    routes.set(container, found);
    chars += JSON.stringify(found).length;
    if (chars > MAX_ORDER_CHARS)
      throw refuseLogLimit('The sinks of these logs are too long together: write to fewer projects');
  };
  for (const container of named) add(container);
  const reached = [...routes.values(), above].flat();
  for (const { target } of reached) if (target.kind === 'container') add(target.container);
  return { routes: Object.fromEntries(routes), above };
}

/** A sink whose bucket is not there loses what it takes. */
const isThere = ({ target }: Route, buckets: ReadonlySet<string>): boolean =>
  target.kind !== 'bucket' || buckets.has(target.bucket);

function list(call: Call, context: Context): JsonObject {
  const { pageSize, filter, pageToken } = call.body;
  const names = requireResourceNames(call);
  requireFilter(filter);
  if (typeof pageSize === 'number' && (pageSize < 0 || pageSize > MAX_PAGE))
    throw refuseLogField('pageSize', `pageSize must be between 0 and ${MAX_PAGE}.`);
  const reading = resolveEntrySources(names, context);
  const [first = ''] = names;
  if (toTextOrEmpty(filter).trim() !== '' && toTextOrEmpty(pageToken) === '' && call.isOwn !== true)
    recordRecentQuery(parseLogContainer(first), toTextOrEmpty(filter), call, context);
  context.hand({ do: 'list', ...reading });
  return {};
}

function tail(call: Call, context: Context): JsonObject {
  const names = requireResourceNames(call);
  requireFilter(call.body['filter']);
  context.hand({ do: 'tail', ...resolveEntrySources(names, context) });
  return {};
}

/** The containers and views of a call, those of the older `projectIds` too. @throws Refusal for none, or too many */
function requireResourceNames({ body }: Call): readonly string[] {
  const projects = toTexts(body['projectIds']).map((id) => (id.startsWith('projects/') ? id : `projects/${id}`));
  const names = [...new Set([...toTexts(body['resourceNames']), ...projects])];
  if (names.length === 0) throw vendorRefusals.required('resourceNames');
  requireFew(names);
  return names;
}

/** @throws Refusal for more resources than a call may name */
export function requireFew(names: readonly string[]): void {
  if (names.length > MAX_RESOURCES)
    throw refuseLogField('resourceNames', `A request names at most ${MAX_RESOURCES} resources.`);
}

/** What is read: all buckets of a container, or what a view shows. @throws Refusal 404 for a view that is not there */
export function resolveEntrySources(names: readonly string[], context: Context) {
  const buckets = new Map<string, BucketFacts>();
  const sources: EntrySource[] = [];
  for (const name of names) {
    const isContainer = CONTAINER.test(parseLogContainer(name)) && parseLogContainer(name) === name;
    const found = isContainer ? listBucketFacts(name, context) : [];
    for (const gone of isContainer ? listGoneBucketFacts(name, context) : []) buckets.set(gone.name, gone);
    const view = isContainer ? undefined : requireViewSource(name, context);
    for (const facts of found) sources.push({ bucket: facts.name });
    if (view !== undefined) sources.push(view);
    const of = view === undefined ? undefined : findBucketFacts(view.bucket, context);
    for (const facts of of === undefined ? found : [of]) buckets.set(facts.name, facts);
  }
  return { nowMs: context.now(), sources, buckets: [...buckets.values()], salt: context.salt };
}

const toTexts = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? value.filter(isText) : []);
