import type { MachineSettings, OperatorRefusal } from './shapes.ts';
import { scopeClass } from '../oauth/scopes.ts';

/** Why a client or service account cannot be given these scopes and resources; undefined when it can. */
export function unknownOf(
  scopes: readonly string[],
  resources: readonly string[],
  settings: Pick<MachineSettings, 'resources'>,
): OperatorRefusal | undefined {
  if (scopes.some((scope) => scopeClass(scope) === undefined)) return { ok: false, reason: 'unknown_scope' };
  if (resources.some((resource) => !settings.resources.includes(resource)))
    return { ok: false, reason: 'unknown_resource' };
  return undefined;
}
