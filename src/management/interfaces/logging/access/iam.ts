import { maskPaths } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { findBucket } from '../buckets/stored.ts';
import { type BelowBucket, parseBelowBucketName, defineParentHandlers } from '../rows.ts';
import { PERMISSIONS } from './iam-permissions-data.ts';
import {
  validatePolicyBindings,
  CONDITIONAL,
  POLICIES,
  type PolicyBinding,
  VERSIONS,
  withoutConditions,
} from './iam-policy.ts';
import { refuseLogField, toTextOrEmpty } from '../texts.ts';
import { requireLogView } from '../views/views.ts';
import { findView } from '../views/stored.ts';

/** The vendor's etag of a policy that was never set. */
const NO_POLICY_ETAG = 'ACAB';
const MAX_PERMISSIONS = 100;
/** One permission: wildcards are none. */
const PERMISSION = /^[a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+){2}$/;

/**
 * Policies of views (google.iam.v1.IAMPolicy). They are kept and shown; who may read is decided by the token alone, and
 * a tenant's tokens may read all of its views.
 */
export const iamHandlers: Handlers = {
  ...defineParentHandlers('locations.buckets.views.getIamPolicy', getPolicy),
  ...defineParentHandlers('locations.buckets.views.setIamPolicy', setPolicy),
  ...defineParentHandlers('locations.buckets.views.testIamPermissions', checkPermissions),
};

function getPolicy(call: Call, context: Context): JsonObject {
  const view = parseViewName(call);
  requireLogView(view, context);
  const { options } = call.body;
  const version = validateVersion(
    isObject(options) ? options['requestedPolicyVersion'] : 0,
    'options.requestedPolicyVersion',
  );
  return toPolicyResource(findPolicyRow(view, context), version, context);
}

/**
 * Replaces a policy. With an etag it is that of the policy that was read, else it is replaced whatever was changed
 * meanwhile. The mask may leave bindings out; the vendor's default is `bindings, etag`.
 */
function setPolicy(call: Call, context: Context): JsonObject {
  const view = parseViewName(call);
  requireLogView(view, context);
  const before = findPolicyRow(view, context);
  const { policy } = call.body;
  if (!isObject(policy)) throw vendorRefusals.required('policy');
  const version = validateVersion(policy['version'], 'policy.version');
  const etag = toTextOrEmpty(policy['etag']);
  if (etag !== '' && etag !== formatEtag(before, context))
    throw vendorRefusals.aborted('There were concurrent policy changes. Please retry the whole read-modify-write.');
  const bindings = validatePolicyBindings(policy['bindings'], version);
  if (!isBindingsUpdate(call, context)) return toPolicyResource(before, version, context);
  const address = { collection: POLICIES, parent: view.bucket.name, id: view.id };
  const next = { ...address, body: { bindings: bindings as readonly Json[] as Json[] } };
  const row = before === undefined ? context.store.insert(next) : context.store.put(next);
  return toPolicyResource(row, CONDITIONAL, context);
}

/** The asked permissions that the caller has: all that there are for logging. None on a view that is not there. */
function checkPermissions(call: Call, context: Context): JsonObject {
  const view = parseViewName(call);
  const asked = Array.isArray(call.body['permissions']) ? call.body['permissions'].filter(isText) : [];
  if (asked.length > MAX_PERMISSIONS) throw refuseLogField('permissions', `At most ${MAX_PERMISSIONS} permissions.`);
  if (asked.some((permission) => !PERMISSION.test(permission)))
    throw refuseLogField('permissions', 'A permission is like logging.views.access, without wildcards.');
  const isThere =
    findBucket(view.bucket, context) !== undefined && findView(view.bucket, view.id, context) !== undefined;
  const permissions = isThere ? [...new Set(asked)].filter((permission) => PERMISSIONS.has(permission)) : [];
  return permissions.length > 0 ? { permissions } : {};
}

const parseViewName = (call: Call): BelowBucket => parseBelowBucketName(call.path['resource'] ?? '', 'views');

const findPolicyRow = ({ bucket, id }: BelowBucket, context: Context): ResourceRow | undefined =>
  context.store.get(POLICIES, bucket.name, id);

/** A policy is of the lowest version that can say it. */
function toPolicyResource(row: ResourceRow | undefined, wanted: number, context: Context): JsonObject {
  const bindings = (row?.body['bindings'] ?? []) as PolicyBinding[]; // Written here; judged by a restore.
  const isConditional = wanted === CONDITIONAL && bindings.some(({ condition }) => condition !== undefined);
  const listed = isConditional ? bindings : withoutConditions(bindings);
  return {
    ...(bindings.length > 0 && { version: isConditional ? CONDITIONAL : 1, bindings: [...listed] }),
    etag: formatEtag(row, context),
  };
}

/** Base64, as the schema wants it: of the revision's entity tag. */
const formatEtag = (row: ResourceRow | undefined, context: Context): string =>
  row === undefined ? NO_POLICY_ETAG : btoa(context.etagOf(row.revision));

function validateVersion(asked: Json | undefined, field: string): number {
  const version = VERSIONS.find((each) => each === (asked ?? 0));
  if (version === undefined) throw refuseLogField(field, 'The version of a policy is 0, 1 or 3.');
  return version;
}

/** The mask is in the body and names fields of the policy. */
function isBindingsUpdate(call: Call, context: Context): boolean {
  const updateMask = toTextOrEmpty(call.body['updateMask']);
  const paths = maskPaths({ ...call, query: { updateMask } }, 'Policy', context);
  return paths === undefined || paths.some(([name]) => name === 'bindings');
}
