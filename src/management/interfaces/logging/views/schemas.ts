import { refuseViolation } from '../../../core/conventions/invalid.ts';
import * as z from 'zod';
import { maskPaths } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { findViewFilterProblem } from '../../../core/filter/index.ts';
import { isObject, isText, type Json, type JsonObject, toObjects, toTexts } from '../../../../lib/json.ts';
import {
  createSchemaTest,
  objectSchema,
  requireDescription,
  requireFilter,
  timeSchema,
  toTextOrEmpty,
} from '../schemas.ts';
import { CONDITIONAL, HIDDEN_CONDITION, type PolicyBinding } from './rows.ts';

/** Letters, digits, underscores and hyphens (the vendor's documents): no dots, other than in ids of buckets. */
const VIEW_ID = /^[A-Za-z0-9_-]{1,100}$/;
/** Letters, digits and underscores: the name of a dataset too. */
const LINK_ID = /^[A-Za-z0-9_]{1,100}$/;

/** The id of a new view. @throws Refusal */
export function requireViewId(sent: unknown): string {
  const id = toTextOrEmpty(sent);
  if (VIEW_ID.test(id)) return id;
  throw refuseViolation('viewId', 'viewId must have 1 to 100 letters, digits, underscores and hyphens.');
}

/** The id of a new link. @throws Refusal */
export function requireLinkId(sent: unknown): string {
  const id = toTextOrEmpty(sent);
  if (LINK_ID.test(id)) return id;
  throw refuseViolation('linkId', 'linkId must have 1 to 100 letters, digits and underscores.');
}

/** A body without empty texts. @throws Refusal for a filter that is none, or more than a view may have */
export function validateView(body: JsonObject): JsonObject {
  requireDescription(body['description']);
  const problem = findViewFilterProblem(requireFilter(body['filter']));
  if (problem !== undefined) throw refuseViolation('filter', `Invalid filter of a view: ${problem}`);
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

/** Versions of policies (google.iam.v1.Policy): 2 never was one. */
const VERSIONS = [0, 1, 3] as const;
const MAX_BINDINGS = 100;
/** Of all bindings of a policy (the vendor's limit). */
const MAX_MEMBERS = 1_500;
const MAX_MEMBER_CHARS = 300;
const MAX_EXPRESSION_CHARS = 12_288;
const MAX_TITLE_CHARS = 100;
const MAX_CONDITION_TEXT_CHARS = 256;
const ROLE = /^(?:(?:projects|organizations)\/[^/]{1,64}\/)?roles\/[A-Za-z0-9_.]{1,128}$/;
const MEMBER =
  /^(?:allUsers|allAuthenticatedUsers|(?:deleted:)?(?:user|serviceAccount|group):[^\s@]+@[^\s@]+|domain:[^\s@:]+|project(?:Owner|Editor|Viewer):[^\s:]+|(?:deleted:)?principal(?:Set)?:\/\/[^\s]+)$/;
const MAX_PERMISSIONS = 100;
/** One permission: wildcards are none. */
const PERMISSION = /^[a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+){2}$/;

/**
 * The bindings of a sent policy, judged. Those without members are left out.
 * @throws Refusal for a role or member that is none, for conditions in a policy that is not of version 3
 */
export function validatePolicyBindings(sent: Json | undefined, version: number): readonly PolicyBinding[] {
  const bindings = toObjects(sent).map(validateBinding);
  if (bindings.length > MAX_BINDINGS) throw refuseViolation('policy.bindings', `At most ${MAX_BINDINGS} bindings.`);
  const members = bindings.reduce((sum, binding) => sum + binding.members.length, 0);
  if (members > MAX_MEMBERS) throw refuseViolation('policy.bindings', `At most ${MAX_MEMBERS} members.`);
  if (version !== CONDITIONAL && bindings.some(({ condition }) => condition !== undefined))
    throw refuseViolation('policy.version', 'A policy with conditions must have the version 3.');
  return bindings.filter((binding) => binding.members.length > 0);
}

function validateBinding(sent: JsonObject): PolicyBinding {
  const role = toTextOrEmpty(sent['role']);
  if (!ROLE.test(role) || role.includes(HIDDEN_CONDITION))
    throw refuseViolation(
      'policy.bindings.role',
      `Role ${JSON.stringify(role.slice(0, MAX_MEMBER_CHARS))} is no role.`,
    );
  const members = toTexts(sent['members']);
  const stranger = members.find((member) => member.length > MAX_MEMBER_CHARS || !MEMBER.test(member));
  if (stranger !== undefined)
    throw refuseViolation('policy.bindings.members', 'A member is not like user:a@b, group:a@b or domain:b.');
  const condition = validateCondition(sent['condition']);
  return { role, members: [...new Set(members)], ...(condition !== undefined && { condition }) };
}

/** A condition's form is judged; its expression (CEL) is kept as it is, and not evaluated. */
function validateCondition(sent: Json | undefined): JsonObject | undefined {
  if (!isObject(sent)) return undefined;
  const { expression, title, description, location } = sent;
  const isLong = [description, location].some((text) => toTextOrEmpty(text).length > MAX_CONDITION_TEXT_CHARS);
  if (toTextOrEmpty(expression) === '' || toTextOrEmpty(expression).length > MAX_EXPRESSION_CHARS || isLong)
    throw refuseViolation(
      'policy.bindings.condition',
      'A condition has an expression, and texts that are not too long.',
    );
  if (toTextOrEmpty(title) === '' || toTextOrEmpty(title).length > MAX_TITLE_CHARS)
    throw refuseViolation(
      'policy.bindings.condition.title',
      `A condition has a title of ${MAX_TITLE_CHARS} characters.`,
    );
  const texts = { title, description, expression, location };
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => isText(entry[1])));
}

/** @throws Refusal for a version that no policy has */
export function validatePolicyVersion(asked: Json | undefined, field: string): number {
  const version = VERSIONS.find((each) => each === (asked ?? 0));
  if (version === undefined) throw refuseViolation(field, 'The version of a policy is 0, 1 or 3.');
  return version;
}

/** The mask is in the body and names fields of the policy. */
export function isBindingsUpdate(call: Call, context: Context): boolean {
  const updateMask = toTextOrEmpty(call.body['updateMask']);
  const paths = maskPaths({ ...call, query: { updateMask } }, 'Policy', context);
  return paths === undefined || paths.some(([name]) => name === 'bindings');
}

/** The permissions that a call asks for. @throws Refusal for too many, or for what is none */
export function requirePermissions(sent: Json | undefined): readonly string[] {
  const asked = toTexts(sent);
  if (asked.length > MAX_PERMISSIONS) throw refuseViolation('permissions', `At most ${MAX_PERMISSIONS} permissions.`);
  if (asked.some((permission) => !PERMISSION.test(permission)))
    throw refuseViolation('permissions', 'A permission is like logging.views.access, without wildcards.');
  return asked;
}

/** Whether a row of a snapshot is a policy as it is stored (rule K3). */
export const isStoredPolicy = createSchemaTest(
  z.strictObject({
    bindings: z.array(
      z.strictObject({ role: z.string(), members: z.array(z.string()), condition: objectSchema.optional() }),
    ),
  }),
);

/** Whether a row of a snapshot is a link as it is stored (rule K3). */
export const isStoredLink = createSchemaTest(
  z.strictObject({
    createTime: z.string(),
    description: z.string().optional(),
    pending: z
      .strictObject({ operation: z.string(), untilMs: timeSchema, isDeleting: z.literal(true).optional() })
      .optional(),
  }),
);
