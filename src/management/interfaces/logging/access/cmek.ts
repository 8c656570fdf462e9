import { changedBody } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { containerOf, forAllParents } from '../rows.ts';
import { requireKeyName } from './key-names.ts';
import { logServiceAccount } from './service-accounts.ts';
import { keepSettings, settingsOf } from '../settings.ts';
import { textOf } from '../texts.ts';

const SCHEMA = { schema: 'CmekSettings' };

/**
 * The key of a container's log router: the same as `kmsKeyName` of its settings. Its name is kept and shown; nothing here
 * is encrypted with it, and no version of it is looked up.
 */
export const cmekHandlers: Handlers = {
  ...forAllParents('getCmekSettings', get),
  ...forAllParents('updateCmekSettings', update),
};

function get(call: Call, context: Context): JsonObject {
  const container = containerOf(call.path['name'] ?? '');
  return shown(container, settingsOf(container, context));
}

function update(call: Call, context: Context): JsonObject {
  const container = containerOf(call.path['name'] ?? '');
  if (!container.startsWith('organizations/'))
    throw refuse.invalid('CMEK settings can be changed for organizations only');
  const { kmsKeyName: before, ...settings } = settingsOf(container, context);
  const own = before === undefined ? {} : { kmsKeyName: before };
  const key = textOf(changedBody(SCHEMA, own, call.body, call, context)['kmsKeyName']);
  if (key !== '') requireKeyName(key, 'kmsKeyName');
  const after = { ...settings, ...(key !== '' && { kmsKeyName: key }) };
  keepSettings(container, after, context);
  return shown(container, after);
}

const shown = (container: string, { kmsKeyName }: JsonObject): JsonObject => ({
  name: `${container}/cmekSettings`,
  ...(kmsKeyName !== undefined && { kmsKeyName }),
  serviceAccountId: logServiceAccount('cmek-p', container),
});
