import { refuseViolation } from '../../../core/conventions/invalid.ts';
import type { Call } from '../../../core/engine/operation.ts';
import { isObject, isText, type Json, toTexts } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { parseLogName } from '../../../log-store/log-name.ts';
import { toTextOrEmpty } from '../schemas.ts';

/** Containers and views that one call may name. */
const MAX_RESOURCES = 100;
const MAX_PAGE = 1_000;

/**
 * A call of `entries:write` without its entries: `containers` has the containers of their log names; a call without
 * entries has none. They have all been claimed by then, as has every other name of the call (rule K1).
 */
export const writeBrief = (call: Call): Call => ({
  ...call,
  body: getEntries(call).length === 0 ? {} : { containers: [...listEntryContainers(call)] },
});

export const getEntries = ({ body: { entries } }: Call): readonly Json[] => (Array.isArray(entries) ? entries : []);

function listEntryContainers(call: Call): ReadonlySet<string> {
  const whole = call.body['logName'] ?? null;
  const names = new Set(getEntries(call).map((entry) => getLogName(entry) || whole));
  return new Set([...names].flatMap((name) => (isText(name) ? (parseLogName(name)?.container ?? []) : [])));
}

const getLogName = (entry: Json): string => (isObject(entry) ? toTextOrEmpty(entry['logName']) : '');

/** @throws Refusal for a page of entries that cannot be */
export function requireEntryPageSize(pageSize: Json | undefined): void {
  if (typeof pageSize === 'number' && (pageSize < 0 || pageSize > MAX_PAGE))
    throw refuseViolation('pageSize', `pageSize must be between 0 and ${MAX_PAGE}.`);
}

/** The containers and views of a call, those of the older `projectIds` too. @throws Refusal for none, or too many */
export function requireResourceNames({ body }: Call): readonly string[] {
  const projects = toTexts(body['projectIds']).map((id) => (id.startsWith('projects/') ? id : `projects/${id}`));
  const names = [...new Set([...toTexts(body['resourceNames']), ...projects])];
  if (names.length === 0) throw vendorRefusals.required('resourceNames');
  requireFewResources(names);
  return names;
}

/** @throws Refusal for more resources than a call may name */
export function requireFewResources(names: readonly string[]): void {
  if (names.length > MAX_RESOURCES)
    throw refuseViolation('resourceNames', `A request names at most ${MAX_RESOURCES} resources.`);
}
