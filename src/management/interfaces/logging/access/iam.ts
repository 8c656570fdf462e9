import { maskPaths } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { findBucket } from '../buckets/stored.ts';
import { type BelowBucket, belowBucketOf, forAllParents } from '../rows.ts';
import { PERMISSIONS } from './iam-permissions-data.ts';
import { bindingsOf, CONDITIONAL, POLICIES, type PolicyBinding, VERSIONS, withoutConditions } from './iam-policy.ts';
import { invalidField, textOf } from '../texts.ts';
import { viewAt } from '../views/views.ts';
import { findView } from '../views/stored.ts';

/** The vendor's etag of a policy that nobody has set. */
const NO_POLICY_ETAG = 'ACAB';
const MAX_PERMISSIONS = 100;
/** One permission: wildcards are none. */
const PERMISSION = /^[a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+){2}$/;

/**
 * Policies of views (google.iam.v1.IAMPolicy). They are kept and shown; who may read is decided by the token alone, and
 * a tenant's tokens may read all of its views.
 */
export const iamHandlers: Handlers = {
  ...forAllParents('locations.buckets.views.getIamPolicy', getPolicy),
  ...forAllParents('locations.buckets.views.setIamPolicy', setPolicy),
  ...forAllParents('locations.buckets.views.testIamPermissions', testPermissions),
};

function getPolicy(call: Call, context: Context): JsonObject {
  const view = viewOf(call);
  viewAt(view, context);
  const { options } = call.body;
  const version = versionOf(
    isObject(options) ? options['requestedPolicyVersion'] : 0,
    'options.requestedPolicyVersion',
  );
  return shown(policyRow(view, context), version, context);
}

/**
 * Replaces a policy. With an etag it is that of the policy that was read, else it is replaced whatever was changed
 * meanwhile. The mask may leave bindings out; the vendor's default is `bindings, etag`.
 */
function setPolicy(call: Call, context: Context): JsonObject {
  const view = viewOf(call);
  viewAt(view, context);
  const before = policyRow(view, context);
  const { policy } = call.body;
  if (!isObject(policy)) throw refuse.required('policy');
  const version = versionOf(policy['version'], 'policy.version');
  const etag = textOf(policy['etag']);
  if (etag !== '' && etag !== etagOf(before, context))
    throw refuse.aborted('There were concurrent policy changes. Please retry the whole read-modify-write.');
  const bindings = bindingsOf(policy['bindings'], version);
  if (!setsBindings(call, context)) return shown(before, version, context);
  const address = { collection: POLICIES, parent: view.bucket.name, id: view.id };
  const next = { ...address, body: { bindings: bindings as readonly Json[] as Json[] } };
  const row = before === undefined ? context.store.insert(next) : context.store.put(next);
  return shown(row, CONDITIONAL, context);
}

/** The asked permissions that the caller has: all that there are for logging. None on a view that is not there. */
function testPermissions(call: Call, context: Context): JsonObject {
  const view = viewOf(call);
  const asked = Array.isArray(call.body['permissions']) ? call.body['permissions'].filter(isText) : [];
  if (asked.length > MAX_PERMISSIONS) throw invalidField('permissions', `At most ${MAX_PERMISSIONS} permissions.`);
  if (asked.some((permission) => !PERMISSION.test(permission)))
    throw invalidField('permissions', 'A permission is like logging.views.access, without wildcards.');
  const isThere =
    findBucket(view.bucket, context) !== undefined && findView(view.bucket, view.id, context) !== undefined;
  const permissions = isThere ? [...new Set(asked)].filter((permission) => PERMISSIONS.has(permission)) : [];
  return permissions.length > 0 ? { permissions } : {};
}

const viewOf = (call: Call): BelowBucket => belowBucketOf(call.path['resource'] ?? '', 'views');

const policyRow = ({ bucket, id }: BelowBucket, context: Context): StoredRow | undefined =>
  context.store.get(POLICIES, bucket.name, id);

/** A policy is of the lowest version that can say it. */
function shown(row: StoredRow | undefined, wanted: number, context: Context): JsonObject {
  const bindings = (row?.body['bindings'] ?? []) as PolicyBinding[]; // Written here; judged by a restore.
  const isConditional = wanted === CONDITIONAL && bindings.some(({ condition }) => condition !== undefined);
  const listed = isConditional ? bindings : withoutConditions(bindings);
  return {
    ...(bindings.length > 0 && { version: isConditional ? CONDITIONAL : 1, bindings: [...listed] }),
    etag: etagOf(row, context),
  };
}

/** Base64, as the schema wants it: of the revision's entity tag. */
const etagOf = (row: StoredRow | undefined, context: Context): string =>
  row === undefined ? NO_POLICY_ETAG : btoa(context.etagOf(row.revision));

function versionOf(asked: Json | undefined, field: string): number {
  const version = VERSIONS.find((each) => each === (asked ?? 0));
  if (version === undefined) throw invalidField(field, 'The version of a policy is 0, 1 or 3.');
  return version;
}

/** The mask stands in the body, and names fields of the policy. */
function setsBindings(call: Call, context: Context): boolean {
  const updateMask = textOf(call.body['updateMask']);
  const paths = maskPaths({ ...call, query: { updateMask } }, 'Policy', context);
  return paths === undefined || paths.some(([name]) => name === 'bindings');
}
