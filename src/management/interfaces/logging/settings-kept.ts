import type { Context } from '../../core/engine/operation.ts';
import type { StoredRow } from '../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** Settings of containers: one row each, once something is set. */
export const SETTINGS = 'logging.settings';
const ID = 'settings';

export const settingsRow = (container: string, context: Context): StoredRow | undefined =>
  context.store.get(SETTINGS, container, ID);

/** What a container's settings say, without name and what the server adds. `{}` where nobody set anything. */
export const settingsOf = (container: string, context: Context): JsonObject =>
  settingsRow(container, context)?.body ?? {};

export function keepSettings(container: string, body: JsonObject, context: Context): void {
  const row = { collection: SETTINGS, parent: container, id: ID, body };
  if (settingsRow(container, context) === undefined) context.store.insert(row);
  else context.store.put(row);
}
