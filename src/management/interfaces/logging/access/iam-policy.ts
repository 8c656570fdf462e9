import { hashText } from '../../../core/engine/hash.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { toTextOrEmpty } from '../texts.ts';
import { refuseLogField } from '../texts.ts';

/** Policies of views: under their bucket, by the id of the view. */
export const POLICIES = 'logging.viewPolicies';

/** Versions of policies (google.iam.v1.Policy): 2 never was one. */
export const VERSIONS = [0, 1, 3] as const;
/** The first version that knows conditions. */
export const CONDITIONAL = 3;
const MAX_BINDINGS = 100;
/** Of all bindings of a policy (the vendor's limit). */
const MAX_MEMBERS = 1_500;
const MAX_MEMBER_CHARS = 300;
const MAX_EXPRESSION_CHARS = 12_288;
const MAX_TITLE_CHARS = 100;
const MAX_CONDITION_TEXT_CHARS = 256;
const ROLE = /^(?:(?:projects|organizations)\/[^/]{1,64}\/)?roles\/[A-Za-z0-9_.]{1,128}$/;
/** What older readers are shown in the place of a condition: it is no name of a role. */
const HIDDEN_CONDITION = '_withcond_';
const MEMBER =
  /^(?:allUsers|allAuthenticatedUsers|(?:deleted:)?(?:user|serviceAccount|group):[^\s@]+@[^\s@]+|domain:[^\s@:]+|project(?:Owner|Editor|Viewer):[^\s:]+|(?:deleted:)?principal(?:Set)?:\/\/[^\s]+)$/;

/** A valid binding: a role, its members, and when it holds. */
export type PolicyBinding = { role: string; members: string[]; condition?: JsonObject };

/**
 * The bindings of a sent policy, judged. Those without members are left out.
 * @throws Refusal for a role or member that is none, for conditions in a policy that is not of version 3
 */
export function validatePolicyBindings(sent: Json | undefined, version: number): readonly PolicyBinding[] {
  const bindings = Array.isArray(sent) ? sent.filter(isObject).map(validateBinding) : [];
  if (bindings.length > MAX_BINDINGS) throw refuseLogField('policy.bindings', `At most ${MAX_BINDINGS} bindings.`);
  const members = bindings.reduce((sum, binding) => sum + binding.members.length, 0);
  if (members > MAX_MEMBERS) throw refuseLogField('policy.bindings', `At most ${MAX_MEMBERS} members.`);
  if (version !== CONDITIONAL && bindings.some(({ condition }) => condition !== undefined))
    throw refuseLogField('policy.version', 'A policy with conditions must have the version 3.');
  return bindings.filter((binding) => binding.members.length > 0);
}

/** Bindings as a reader sees them who did not ask for version 3: conditions show as an ending of their role. */
export const withoutConditions = (bindings: readonly PolicyBinding[]): readonly PolicyBinding[] =>
  bindings.map(({ role, members, condition }) => {
    if (condition === undefined) return { role, members };
    return { role: `${role}${HIDDEN_CONDITION}${hashText(JSON.stringify(condition))}`, members };
  });

function validateBinding(sent: JsonObject): PolicyBinding {
  const role = toTextOrEmpty(sent['role']);
  if (!ROLE.test(role) || role.includes(HIDDEN_CONDITION))
    throw refuseLogField('policy.bindings.role', `Role ${JSON.stringify(role.slice(0, MAX_MEMBER_CHARS))} is no role.`);
  const members = Array.isArray(sent['members']) ? sent['members'].filter(isText) : [];
  const stranger = members.find((member) => member.length > MAX_MEMBER_CHARS || !MEMBER.test(member));
  if (stranger !== undefined)
    throw refuseLogField('policy.bindings.members', 'A member is not like user:a@b, group:a@b or domain:b.');
  const condition = validateCondition(sent['condition']);
  return { role, members: [...new Set(members)], ...(condition !== undefined && { condition }) };
}

/** A condition's form is judged; its expression (CEL) is kept as it is, and not evaluated. */
function validateCondition(sent: Json | undefined): JsonObject | undefined {
  if (!isObject(sent)) return undefined;
  const { expression, title, description, location } = sent;
  const isLong = [description, location].some((text) => toTextOrEmpty(text).length > MAX_CONDITION_TEXT_CHARS);
  if (toTextOrEmpty(expression) === '' || toTextOrEmpty(expression).length > MAX_EXPRESSION_CHARS || isLong)
    throw refuseLogField(
      'policy.bindings.condition',
      'A condition has an expression, and texts that are not too long.',
    );
  if (toTextOrEmpty(title) === '' || toTextOrEmpty(title).length > MAX_TITLE_CHARS)
    throw refuseLogField(
      'policy.bindings.condition.title',
      `A condition has a title of ${MAX_TITLE_CHARS} characters.`,
    );
  const texts = { title, description, expression, location };
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => isText(entry[1])));
}
