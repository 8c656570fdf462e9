import { toObjects, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuseViolation } from '../../../core/conventions/invalid.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { MAX_EXCLUSIONS, requireDescription, requireFilter, requireId, toTextOrEmpty } from '../schemas.ts';
import { requireDestination } from './destination.ts';
import { resolveWriterIdentity } from './identity.ts';
import { OWN_FIELDS, withExclusionTimes } from './rows.ts';

const SCOPES = {
  '': 'DEFAULT',
  'in_scope("DEFAULT")': 'DEFAULT',
  'in_scope("ANCESTOR")': 'ANCESTOR',
  'in_scope("ALL")': 'ALL',
} as const;

/** Which sinks a list is of: those of the container, those above it, or both. @throws Refusal for any other filter */
export function parseSinkScope(sent: unknown): 'DEFAULT' | 'ANCESTOR' | 'ALL' {
  const filter = toTextOrEmpty(sent).trim();
  if (Object.hasOwn(SCOPES, filter)) return SCOPES[filter as keyof typeof SCOPES];
  throw refuseViolation('filter', `filter must be one of ${Object.keys(SCOPES).slice(1).join(', ')}.`);
}

const UNSPECIFIED = 'VERSION_FORMAT_UNSPECIFIED';

export const isWebSink = ({ destination }: JsonObject): boolean => /^https?:/i.test(toTextOrEmpty(destination));

/** What is stored of a sink: valid, with the identity that follows from the call. @throws Refusal */
export function validateSink(
  before: JsonObject,
  body: JsonObject,
  container: string,
  call: Call,
  context: Context,
): JsonObject {
  if (toTextOrEmpty(body['destination']) === '') throw vendorRefusals.required('destination');
  requireDescription(body['description']);
  requireFilter(body['filter']);
  const destination = requireDestination(toTextOrEmpty(body['destination']), context.channels.rules());
  if (destination.kind === 'container' && destination.container === container)
    throw refuseViolation('destination', 'A sink cannot send to the project that it belongs to.');
  requireChildren(body, container, destination.kind);
  const kept = Object.entries(body).filter(
    ([name, value]) =>
      !OWN_FIELDS.includes(name) && name !== 'writerIdentity' && value !== UNSPECIFIED && name !== 'exclusions',
  );
  const exclusions = withExclusionTimes(before['exclusions'], requireExclusions(body['exclusions']), context);
  return {
    ...Object.fromEntries(kept),
    ...(exclusions.length > 0 && { exclusions: [...exclusions] }),
    ...resolveWriterIdentity(before, call, container, destination),
  };
}

function requireChildren({ includeChildren, interceptChildren }: JsonObject, container: string, kind: string): void {
  const hasChildren = /^(?:organizations|folders)\//.test(container);
  if ((includeChildren === true || interceptChildren === true) && !hasChildren)
    throw refuseViolation('includeChildren', 'Only sinks of organizations and folders include children.');
  if (interceptChildren !== true) return;
  if (includeChildren !== true)
    throw refuseViolation('interceptChildren', 'A sink that intercepts children must include them.');
  if (kind !== 'container')
    throw refuseViolation('interceptChildren', 'A sink that intercepts children must send to a project.');
}

/** The exclusions of a sink that was sent. @throws Refusal for an invalid one, two of one name, or too many */
function requireExclusions(sent: Json | undefined): readonly JsonObject[] {
  const exclusions = toObjects(sent);
  if (exclusions.length > MAX_EXCLUSIONS)
    throw refuseViolation('exclusions', `A sink has at most ${MAX_EXCLUSIONS} exclusions.`);
  const ids = new Set(exclusions.map(requireExclusion));
  if (ids.size < exclusions.length) throw refuseViolation('exclusions', 'Two exclusions have the same name.');
  return exclusions;
}

/** The name of a valid exclusion. @throws Refusal */
export function requireExclusion(exclusion: JsonObject): string {
  const id = requireId(exclusion['name'], 'name');
  if (toTextOrEmpty(exclusion['filter']) === '') throw vendorRefusals.required('filter');
  requireFilter(exclusion['filter']);
  requireDescription(exclusion['description']);
  return id;
}
