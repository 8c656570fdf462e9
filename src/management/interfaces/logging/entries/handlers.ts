import { toTexts, type JsonObject } from '../../../../lib/json.ts';
import { refuseViolation } from '../../../core/conventions/invalid.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { refuseMissingName } from '../../../core/engine/named-collection.ts';
import { parseLogName } from '../../../log-store/log-name.ts';
import type { BucketFacts, EntrySource, Route } from '../../../log-store/order.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { findBucketFacts, listBucketFacts, listGoneBucketFacts } from '../buckets/rows.ts';
import { defineParentHandlers } from '../handlers.ts';
import { recordRecentQuery } from '../queries/rows.ts';
import { refuseLogLimit } from '../refusals.ts';
import {
  beginOperation,
  formatServiceAgent,
  generateOperationName,
  parseBucketName,
  parseLogContainer,
} from '../rows.ts';
import { requireFilter, toTextOrEmpty } from '../schemas.ts';
import { parseSinkDestination } from '../sinks/destination.ts';
import { listAncestorRoutes, listSinkRoutes, MAX_ORDER_CHARS } from '../sinks/rows.ts';
import { requireViewSource } from '../views/rows.ts';
import { getEntries, requireEntryPageSize, requireFewResources, requireResourceNames, writeBrief } from './schemas.ts';

const CONTAINER = /^(?:projects|folders|organizations|billingAccounts)\/[^/]+$/;
const TYPES = 'type.googleapis.com/google.logging.v2.';

/** What the store of entries is to do: most of these answer nothing of their own. */
export const handlers: Handlers = {
  'logging.entries.write': writeEntries,
  'logging.entries.list': listEntries,
  'logging.entries.tail': tailEntries,
  'logging.entries.copy': copyEntries,
  ...defineParentHandlers('logs.list', listLogs),
  ...defineParentHandlers('logs.delete', deleteLog),
  ...defineParentHandlers('locations.buckets.views.logs.list', listLogs),
};

export const entryBriefs: Readonly<Record<string, (call: Call) => Call>> = { 'logging.entries.write': writeBrief };

function writeEntries(call: Call, context: Context): JsonObject {
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
 * @throws Refusal for more than one order may hold: what the limits of sinks (sinks/rows.ts) leave to one container is less
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

function listEntries(call: Call, context: Context): JsonObject {
  const { pageSize, filter, pageToken } = call.body;
  const names = requireResourceNames(call);
  requireFilter(filter);
  requireEntryPageSize(pageSize);
  const reading = resolveEntrySources(names, context);
  const [first = ''] = names;
  if (toTextOrEmpty(filter).trim() !== '' && toTextOrEmpty(pageToken) === '' && call.isOwn !== true)
    recordRecentQuery(parseLogContainer(first), toTextOrEmpty(filter), call, context);
  context.hand({ do: 'list', ...reading });
  return {};
}

function tailEntries(call: Call, context: Context): JsonObject {
  const names = requireResourceNames(call);
  requireFilter(call.body['filter']);
  context.hand({ do: 'tail', ...resolveEntrySources(names, context) });
  return {};
}

/** What is read: all buckets of a container, or what a view shows. @throws Refusal 404 for a view that is not there */
function resolveEntrySources(names: readonly string[], context: Context) {
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

/** Copies what a bucket has to files. The operation is of the bucket's location; the store of entries does the work. */
function copyEntries(call: Call, context: Context): JsonObject {
  const { name: sent, destination: to, filter } = call.body;
  if (toTextOrEmpty(sent) === '') throw vendorRefusals.required('name');
  if (toTextOrEmpty(to) === '') throw vendorRefusals.required('destination');
  const { name, container, location } = parseBucketName(toTextOrEmpty(sent));
  requireFilter(filter);
  const destination = parseSinkDestination(toTextOrEmpty(to), context.channels.rules().policy);
  if (destination.kind !== 'storage')
    throw refuseViolation('destination', 'Entries are copied to storage.googleapis.com/<bucket>.');
  const facts = findBucketFacts(name, context);
  if (facts === undefined) throw refuseMissingName(name);
  const operation = generateOperationName(`${container}/locations/${location}`, context);
  context.hand({
    do: 'copy',
    filter: toTextOrEmpty(filter),
    bucket: destination.bucket,
    operation,
    nowMs: context.now(),
    sources: [{ bucket: name }],
    buckets: [facts],
    salt: context.salt,
  });
  const metadata = {
    '@type': `${TYPES}CopyLogEntriesMetadata`,
    verb: 'copy',
    source: name,
    destination: toTextOrEmpty(to),
    writerIdentity: formatServiceAgent(container),
  };
  return beginOperation(operation, { metadata, response: { '@type': `${TYPES}CopyLogEntriesResponse` } }, context);
}

/** Names of the logs that have entries, in what the parent and `resourceNames` say: containers, or views of buckets. */
function listLogs(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  const { resourceNames = [] } = call.query;
  const others = Array.isArray(resourceNames) ? resourceNames.map(String) : [];
  const names = [...new Set([parent, ...others])];
  requireFewResources(names);
  // A view shows logs of any container; a container that is named itself shows its own.
  const containers = names.every((name) => parseLogContainer(name) === name) ? names : [];
  context.hand({ do: 'logs', containers, ...resolveEntrySources(names, context) });
  return {};
}

function deleteLog(call: Call, context: Context): JsonObject {
  const log = parseLogName(toTextOrEmpty(call.path['logName']));
  if (log === undefined) throw refuseViolation('logName', 'logName is not the name of a log.');
  context.hand({ do: 'deleteLog', logName: log.name, buckets: listBucketFacts(log.container, context) });
  return {};
}
