import {
  refuseExistingName,
  buildChangedBody,
  listAtHand,
  buildNewBody,
  refuseMissingName,
  splitName,
  formatIsoTimestamp,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import { isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { parseBelowBucketName, defineParentHandlers, parseLocationName } from '../rows.ts';
import {
  compareIds,
  refuseLogLimit,
  refuseLogField,
  PAGE,
  requireDescription,
  requireId,
  toTextOrEmpty,
} from '../texts.ts';

/** Rows of log scopes: parent = `projects/p/locations/global`. */
export const LOG_SCOPES = 'logging.logScopes';
/** Log scopes of a container (the vendor's). */
const MAX_SCOPES = 100;
/** What a scope may name: so many resources, and of those so many projects. */
const MAX_RESOURCES = 100;
const MAX_PROJECTS = 5;
/** The scope that every container has without a row: itself. */
const DEFAULT_SCOPE = '_Default';
/** The only place of log scopes. */
const LOCATION = 'global';
const PROJECT = /^projects\/[^/]+$/;
const SCHEMA = { schema: 'LogScope' };
const LIST = { items: 'logScopes', page: PAGE };

type Scope = { parent: string; id: string; body: JsonObject; isStored: boolean };

export const logScopeHandlers: Handlers = {
  ...defineParentHandlers('locations.logScopes.list', list),
  ...defineParentHandlers('locations.logScopes.get', ({ path }, context) =>
    toScopeResource(requireNamedScope(toTextOrEmpty(path['name']), context)),
  ),
  ...defineParentHandlers('locations.logScopes.create', create),
  ...defineParentHandlers('locations.logScopes.patch', patch),
  ...defineParentHandlers('locations.logScopes.delete', remove),
};

function list(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  requireGlobal(parent, ['-']);
  const scopes = listScopes(parent.replace(/\/-$/, `/${LOCATION}`), context);
  const items = scopes.map((scope) => ({ id: scope.id, body: toScopeResource(scope) }));
  return listAtHand(LIST, items.toSorted(compareIds), call, context);
}

function create(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  requireGlobal(parent);
  const id = requireId(call.query['logScopeId'] === undefined ? '' : String(call.query['logScopeId']), 'logScopeId');
  const body = buildNewBody(SCHEMA, call.body, context);
  requireScope(body);
  if (context.store.count(LOG_SCOPES, parent) >= MAX_SCOPES)
    throw refuseLogLimit(`A container has at most ${MAX_SCOPES} log scopes`);
  const now = formatIsoTimestamp(context.now());
  const dated = { ...body, createTime: now, updateTime: now };
  const row = context.store.insert({ collection: LOG_SCOPES, parent, id, body: dated });
  if (row === undefined) throw refuseExistingName(`${parent}/logScopes/${id}`);
  return toScopeResource({ parent, id, body: dated, isStored: true });
}

function patch(call: Call, context: Context): JsonObject {
  const before = requireNamedScope(toTextOrEmpty(call.path['name']), context);
  const changed = buildChangedBody(SCHEMA, before.body, call.body, call, context);
  requireScope(changed);
  if (isSameJson(before.body, changed)) return toScopeResource(before);
  const { parent, id } = before;
  const body = { ...changed, updateTime: formatIsoTimestamp(context.now()) };
  const row = { collection: LOG_SCOPES, parent, id, body };
  if (before.isStored) context.store.put(row);
  else context.store.insert(row);
  return toScopeResource({ ...before, body });
}

function remove(call: Call, context: Context): JsonObject {
  const { parent, id } = requireNamedScope(toTextOrEmpty(call.path['name']), context);
  if (id === DEFAULT_SCOPE)
    throw vendorRefusals.failedPrecondition(`The log scope ${DEFAULT_SCOPE} cannot be deleted.`);
  context.store.remove({ collection: LOG_SCOPES, parent, id });
  return {};
}

function listScopes(parent: string, context: Context): readonly Scope[] {
  const rows = context.store.list({ collection: LOG_SCOPES, parent, limit: MAX_SCOPES + 1 });
  const stored = rows.map(({ row: { id, body } }): Scope => ({ parent, id, body, isStored: true }));
  return stored.some(({ id }) => id === DEFAULT_SCOPE) ? stored : [...stored, buildDefaultScope(parent)];
}

/** @throws Refusal 404 */
function requireNamedScope(name: string, context: Context): Scope {
  const { parent, id } = splitName(name);
  requireGlobal(parent);
  const row = context.store.get(LOG_SCOPES, parent, id);
  if (row !== undefined) return { parent, id, body: row.body, isStored: true };
  if (id === DEFAULT_SCOPE) return buildDefaultScope(parent);
  throw refuseMissingName(name);
}

const buildDefaultScope = (parent: string): Scope => ({
  parent,
  id: DEFAULT_SCOPE,
  body: { resourceNames: [parseLocationName(parent).container] },
  isStored: false,
});

function requireGlobal(parent: string, others: readonly string[] = []): void {
  const { location } = parseLocationName(parent);
  if (location !== LOCATION && !others.includes(location))
    throw refuseLogField('parent', `Log scopes are only in the location ${LOCATION}.`);
}

/** @throws Refusal for a scope that names nothing, too much, or what is neither a project nor a view */
function requireScope({ resourceNames, description }: JsonObject): void {
  requireDescription(description);
  const names = toNames(resourceNames);
  if (names.length === 0) throw vendorRefusals.required('resourceNames');
  const projects = new Set(names.filter((name) => PROJECT.test(name)));
  if (new Set(names).size > MAX_RESOURCES || projects.size > MAX_PROJECTS)
    throw refuseLogField(
      'resourceNames',
      `A log scope has at most ${MAX_PROJECTS} projects, and ${MAX_RESOURCES} resources in all.`,
    );
  for (const name of names) if (!projects.has(name)) parseBelowBucketName(name, 'views');
}

const toNames = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? value.filter(isText) : []);

const toScopeResource = ({ parent, id, body }: Scope): JsonObject => ({ name: `${parent}/logScopes/${id}`, ...body });
