import type { Handler, Handlers } from '../../core/engine/operation.ts';
import { methods } from '../../core/table/methods.ts';
import { requireContainer } from './containers.ts';

/** The parents that a method's id may name; the generic one (`logging.sinks.list`) is named by none. */
const PARENT = /^logging\.(?:(?:organizations|folders|projects|billingAccounts)\.)?(.+)$/;

/**
 * The handlers of one method under every parent that the table has it for: `forAllParents('locations.buckets.get', get)`.
 * Names of the path are judged first: the generic rows (`{name=*\/*}`) take the four real parent collections only.
 */
export function forAllParents(suffix: string, handler: Handler): Handlers {
  const ids = idsOf(suffix);
  if (ids.length === 0) throw new Error(`Logging has no method ${suffix}`);
  const guarded: Handler = (call, context) => {
    for (const name of Object.values(call.path)) requireContainer(name);
    return handler(call, context);
  };
  return Object.fromEntries(ids.map((id) => [id, guarded]));
}

/** Ids of all rows of one method, whatever the parent. */
export const idsOf = (suffix: string): readonly string[] =>
  methods.filter((row) => row.interface === 'logging' && PARENT.exec(row.id)?.[1] === suffix).map(({ id }) => id);
