import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { buildChangedBody } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { requireKeyName } from './access/key-names.ts';
import { logServiceAccount } from './access/service-accounts.ts';
import { parseLogContainer, defineParentHandlers } from './rows.ts';
import { requireLocation } from './locations.ts';
import { formatServiceAgent } from './sinks/identity.ts';
import { refuseLogField, requireFilter, requireId, toTextOrEmpty } from './texts.ts';

/** Settings of containers: one row each, once something is set. */
export const SETTINGS = 'logging.settings';
const ID = 'settings';

const findSettingsRow = (container: string, context: Context): ResourceRow | undefined =>
  context.store.get(SETTINGS, container, ID);

/** A container's settings, without the name and what the server adds. `{}` where none were set. */
export const readLogSettings = (container: string, context: Context): JsonObject =>
  findSettingsRow(container, context)?.body ?? {};

export function keepSettings(container: string, body: JsonObject, context: Context): void {
  const row = { collection: SETTINGS, parent: container, id: ID, body };
  if (findSettingsRow(container, context) === undefined) context.store.insert(row);
  else context.store.put(row);
}

const SCHEMA = { schema: 'Settings' };
/** Where settings can be changed; everything else has those of its parents, which containers do not have here. */
const CHANGEABLE = /^(?:organizations|folders)\//;
const MAX_EXCLUSIONS = 50;
/** Characters of what settings say of a `_Default` sink: each write of entries reads it (rule K9). */
const MAX_CONFIG_CHARS = 100_000;
const MODES = new Set<unknown>(['APPEND', 'OVERWRITE']);

/** A container's settings for its `_Default` sink, as long as that sink is unchanged. */
export type DefaultSinkSettings = {
  isDisabled: boolean;
  mode?: 'APPEND' | 'OVERWRITE';
  filter: string;
  exclusions: readonly JsonObject[];
};

/** For the routing of entries; `mode` is absent where the sink's built-in filter applies. */
export function readDefaultSinkSettings(container: string, context: Context): DefaultSinkSettings {
  const { disableDefaultSink, defaultSinkConfig } = readLogSettings(container, context);
  const config = isObject(defaultSinkConfig) ? defaultSinkConfig : {};
  const { mode } = config;
  const exclusions = Array.isArray(config['exclusions']) ? config['exclusions'].filter(isObject) : [];
  return {
    isDisabled: disableDefaultSink === true,
    ...((mode === 'APPEND' || mode === 'OVERWRITE') && { mode }),
    filter: toTextOrEmpty(config['filter']),
    exclusions,
  };
}

export const settingsHandlers: Handlers = {
  ...defineParentHandlers('getSettings', get),
  ...defineParentHandlers('updateSettings', update),
};

function get(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  return toSettingsResource(container, readLogSettings(container, context));
}

function update(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  if (!CHANGEABLE.test(container))
    throw vendorRefusals.invalid('Settings can be changed for organizations and folders only');
  const after = validateSettings(
    buildChangedBody(SCHEMA, readLogSettings(container, context), call.body, call, context),
  );
  keepSettings(container, after, context);
  return toSettingsResource(container, after);
}

function validateSettings(sent: JsonObject): JsonObject {
  const { kmsKeyName, storageLocation, defaultSinkConfig } = sent;
  if (toTextOrEmpty(kmsKeyName) !== '') requireKeyName(toTextOrEmpty(kmsKeyName), 'kmsKeyName');
  if (toTextOrEmpty(storageLocation) !== '') requireLocation(toTextOrEmpty(storageLocation));
  requireSinkConfig(defaultSinkConfig);
  const said = Object.entries(sent).filter(([, value]) => value !== '' && value !== false);
  return Object.fromEntries(said);
}

/** @throws Refusal without a mode, for a filter that is none, for OVERWRITE without one, for an exclusion without filter */
function requireSinkConfig(config: Json | undefined): void {
  if (!isObject(config)) return;
  const { mode, filter, exclusions } = config;
  if (JSON.stringify(config).length > MAX_CONFIG_CHARS)
    throw refuseLogField('defaultSinkConfig', `defaultSinkConfig has more than ${MAX_CONFIG_CHARS} characters.`);
  if (!MODES.has(mode)) throw refuseLogField('defaultSinkConfig.mode', 'mode must be APPEND or OVERWRITE.');
  if (mode === 'OVERWRITE' && toTextOrEmpty(filter) === '')
    throw refuseLogField('defaultSinkConfig.filter', 'filter must not be empty where mode is OVERWRITE.');
  requireFilter(filter, 'defaultSinkConfig.filter');
  const listed = Array.isArray(exclusions) ? exclusions.filter(isObject) : [];
  if (listed.length > MAX_EXCLUSIONS)
    throw refuseLogField('defaultSinkConfig.exclusions', `A sink has at most ${MAX_EXCLUSIONS} exclusions.`);
  for (const exclusion of listed) {
    requireId(exclusion['name'], 'defaultSinkConfig.exclusions.name');
    const field = 'defaultSinkConfig.exclusions.filter';
    if (!isText(exclusion['filter']) || exclusion['filter'] === '') throw refuseLogField(field, 'filter is required.');
    requireFilter(exclusion['filter'], field);
  }
}

const toSettingsResource = (container: string, body: JsonObject): JsonObject => ({
  name: `${container}/settings`,
  ...body,
  kmsServiceAccountId: logServiceAccount('cmek-p', container),
  loggingServiceAccountId: formatServiceAgent(container).replace('serviceAccount:', ''),
});
