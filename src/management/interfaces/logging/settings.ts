import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import { changedBody } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { StoredRow } from '../../core/engine/stored-row.ts';
import { requireKeyName } from './access/key-names.ts';
import { logServiceAccount } from './access/service-accounts.ts';
import { containerOf, forAllParents } from './rows.ts';
import { requireLocation } from './locations.ts';
import { agentOf } from './sinks/identity.ts';
import { invalidField, requireFilter, requireId, textOf } from './texts.ts';

/** Settings of containers: one row each, once something is set. */
export const SETTINGS = 'logging.settings';
const ID = 'settings';

const settingsRow = (container: string, context: Context): StoredRow | undefined =>
  context.store.get(SETTINGS, container, ID);

/** What a container's settings say, without name and what the server adds. `{}` where nobody set anything. */
export const settingsOf = (container: string, context: Context): JsonObject =>
  settingsRow(container, context)?.body ?? {};

export function keepSettings(container: string, body: JsonObject, context: Context): void {
  const row = { collection: SETTINGS, parent: container, id: ID, body };
  if (settingsRow(container, context) === undefined) context.store.insert(row);
  else context.store.put(row);
}

const SCHEMA = { schema: 'Settings' };
/** Where settings can be changed; everything else has those of its parents, which containers do not have here. */
const CHANGEABLE = /^(?:organizations|folders)\//;
const MAX_EXCLUSIONS = 50;
/** Characters of what settings say of a `_Default` sink: each write of entries reads it (rule K9). */
const MAX_CONFIG_CHARS = 100_000;
const MODES = new Set<unknown>(['APPEND', 'OVERWRITE']);

/** What a container's settings say about its `_Default` sink, as long as nobody has changed that sink. */
export type DefaultSinkSettings = {
  isDisabled: boolean;
  mode?: 'APPEND' | 'OVERWRITE';
  filter: string;
  exclusions: readonly JsonObject[];
};

/** Read by whoever routes; `mode` is absent where the sink's built-in filter holds. */
export function defaultSinkSettings(container: string, context: Context): DefaultSinkSettings {
  const { disableDefaultSink, defaultSinkConfig } = settingsOf(container, context);
  const config = isObject(defaultSinkConfig) ? defaultSinkConfig : {};
  const { mode } = config;
  const exclusions = Array.isArray(config['exclusions']) ? config['exclusions'].filter(isObject) : [];
  return {
    isDisabled: disableDefaultSink === true,
    ...((mode === 'APPEND' || mode === 'OVERWRITE') && { mode }),
    filter: textOf(config['filter']),
    exclusions,
  };
}

export const settingsHandlers: Handlers = {
  ...forAllParents('getSettings', get),
  ...forAllParents('updateSettings', update),
};

function get(call: Call, context: Context): JsonObject {
  const container = containerOf(call.path['name'] ?? '');
  return shown(container, settingsOf(container, context));
}

function update(call: Call, context: Context): JsonObject {
  const container = containerOf(call.path['name'] ?? '');
  if (!CHANGEABLE.test(container)) throw refuse.invalid('Settings can be changed for organizations and folders only');
  const after = judged(changedBody(SCHEMA, settingsOf(container, context), call.body, call, context));
  keepSettings(container, after, context);
  return shown(container, after);
}

function judged(sent: JsonObject): JsonObject {
  const { kmsKeyName, storageLocation, defaultSinkConfig } = sent;
  if (textOf(kmsKeyName) !== '') requireKeyName(textOf(kmsKeyName), 'kmsKeyName');
  if (textOf(storageLocation) !== '') requireLocation(textOf(storageLocation));
  requireSinkConfig(defaultSinkConfig);
  const said = Object.entries(sent).filter(([, value]) => value !== '' && value !== false);
  return Object.fromEntries(said);
}

/** @throws Refusal without a mode, for a filter that is none, for OVERWRITE without one, for an exclusion without filter */
function requireSinkConfig(config: Json | undefined): void {
  if (!isObject(config)) return;
  const { mode, filter, exclusions } = config;
  if (JSON.stringify(config).length > MAX_CONFIG_CHARS)
    throw invalidField('defaultSinkConfig', `defaultSinkConfig has more than ${MAX_CONFIG_CHARS} characters.`);
  if (!MODES.has(mode)) throw invalidField('defaultSinkConfig.mode', 'mode must be APPEND or OVERWRITE.');
  if (mode === 'OVERWRITE' && textOf(filter) === '')
    throw invalidField('defaultSinkConfig.filter', 'filter must not be empty where mode is OVERWRITE.');
  requireFilter(filter, 'defaultSinkConfig.filter');
  const listed = Array.isArray(exclusions) ? exclusions.filter(isObject) : [];
  if (listed.length > MAX_EXCLUSIONS)
    throw invalidField('defaultSinkConfig.exclusions', `A sink has at most ${MAX_EXCLUSIONS} exclusions.`);
  for (const exclusion of listed) {
    requireId(exclusion['name'], 'defaultSinkConfig.exclusions.name');
    const field = 'defaultSinkConfig.exclusions.filter';
    if (!isText(exclusion['filter']) || exclusion['filter'] === '') throw invalidField(field, 'filter is required.');
    requireFilter(exclusion['filter'], field);
  }
}

const shown = (container: string, body: JsonObject): JsonObject => ({
  name: `${container}/settings`,
  ...body,
  kmsServiceAccountId: logServiceAccount('cmek-p', container),
  loggingServiceAccountId: agentOf(container).replace('serviceAccount:', ''),
});
