import { buildChangedBody } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { parseLogContainer, defineParentHandlers } from '../rows.ts';
import { requireKeyName } from './key-names.ts';
import { logServiceAccount } from './service-accounts.ts';
import { keepSettings, readLogSettings } from '../settings.ts';
import { toTextOrEmpty } from '../texts.ts';

const SCHEMA = { schema: 'CmekSettings' };

/**
 * The key of a container's log router: the same as `kmsKeyName` of its settings. Its name is kept and shown; nothing here
 * is encrypted with it, and no version of it is looked up.
 */
export const cmekHandlers: Handlers = {
  ...defineParentHandlers('getCmekSettings', get),
  ...defineParentHandlers('updateCmekSettings', update),
};

function get(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  return toCmekSettingsResource(container, readLogSettings(container, context));
}

function update(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  if (!container.startsWith('organizations/'))
    throw vendorRefusals.invalid('CMEK settings can be changed for organizations only');
  const { kmsKeyName: before, ...settings } = readLogSettings(container, context);
  const own = before === undefined ? {} : { kmsKeyName: before };
  const key = toTextOrEmpty(buildChangedBody(SCHEMA, own, call.body, call, context)['kmsKeyName']);
  if (key !== '') requireKeyName(key, 'kmsKeyName');
  const after = { ...settings, ...(key !== '' && { kmsKeyName: key }) };
  keepSettings(container, after, context);
  return toCmekSettingsResource(container, after);
}

const toCmekSettingsResource = (container: string, { kmsKeyName }: JsonObject): JsonObject => ({
  name: `${container}/cmekSettings`,
  ...(kmsKeyName !== undefined && { kmsKeyName }),
  serviceAccountId: logServiceAccount('cmek-p', container),
});
