import {
  getMember,
  getObjectMember,
  getTextMember,
  isObject,
  isText,
  type Json,
  type JsonObject,
  getTextList,
} from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { truncateSentText } from '../../core/conventions/invalid.ts';
import { MAX_LONG_TEXT_CHARS } from '../../core/conventions/names.ts';
import { buildNewBody } from '../../core/engine/named-collection.ts';
import type { Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { refuseMediationField, refuseMediationFilter } from './refusals.ts';
import { type Adapter, findAdapter, findPublisherApp, mappings, parsePublisher, type Publisher } from './rows.ts';

/** Characters of the names of apps and ad units. */
const MAX_NAME_CHARS = 80;

/** A display name as it is kept. @throws Refusal 400 for an empty one, and for one that is longer */
export function requireName(text: string, field: string, maxChars: number): string {
  if (text.trim() === '') throw refuseMediationField(field, 'it must not be empty');
  requireMaxChars(text, field, maxChars);
  return text;
}

/** @throws Refusal 400 for a text of more characters; one that takes two places of a string is one */
export function requireMaxChars(text: string, field: string, maxChars: number): void {
  const isLong = text.length > maxChars && (text.length > 2 * maxChars || Array.from(text).length > maxChars);
  if (isLong) throw refuseMediationField(field, `it has more than ${maxChars} characters`);
}

const MAX_STORE_ID_CHARS = 255;
/** App stores that one app can be in. */
const MAX_STORES = 20;
const STORE = /^[A-Z][A-Z_]{0,63}$/;
const DEFAULT_STORE = 'GOOGLE_PLAY_APP_STORE';
const UNNAMED = 'Unnamed app';

/** By platform: what an id in its store looks like. */
const STORE_IDS: ReadonlyMap<string, RegExp> = new Map([
  ['ANDROID', /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/],
  ['IOS', /^\d{1,20}$/],
]);

/** An app of a store waits to be looked at; one that is in none yet is its owner's to link. */
export function validateApp(sent: JsonObject): JsonObject {
  const platform = requirePlatform(sent);
  const displayName = getTextMember(getObjectMember(sent, 'manualAppInfo'), 'displayName').trim();
  requireMaxChars(displayName, 'manual_app_info.display_name', MAX_NAME_CHARS);
  const isLinked = getMember(sent, 'linkedAppInfo') !== undefined;
  return {
    platform,
    manualAppInfo: { displayName: displayName === '' ? UNNAMED : displayName },
    ...(isLinked && { linkedAppInfo: validateStoreLink(getObjectMember(sent, 'linkedAppInfo'), platform) }),
    appApprovalState: isLinked ? 'IN_REVIEW' : 'ACTION_REQUIRED',
  };
}

function requirePlatform(sent: JsonObject): string {
  const platform = getTextMember(sent, 'platform').toUpperCase();
  if (platform === '') throw vendorRefusals.required('platform');
  if (!STORE_IDS.has(platform))
    throw refuseMediationField('platform', `it must be one of ${[...STORE_IDS.keys()].join(', ')}`);
  return platform;
}

/** `androidAppStores` applies to Android only: the vendor ignores it for iOS. */
function validateStoreLink(sent: JsonObject, platform: string): JsonObject {
  const field = 'linked_app_info.app_store_id';
  const appStoreId = getTextMember(sent, 'appStoreId');
  if (appStoreId === '') throw vendorRefusals.required('linkedAppInfo.appStoreId');
  requireMaxChars(appStoreId, field, MAX_STORE_ID_CHARS);
  if (STORE_IDS.get(platform)?.test(appStoreId) !== true)
    throw refuseMediationField(
      field,
      `"${truncateSentText(appStoreId)}" is no id of an app in a store for ${platform}`,
    );
  if (platform !== 'ANDROID') return { appStoreId };
  const stores = [...new Set(getTextList(sent, 'androidAppStores'))];
  if (stores.length > MAX_STORES || !stores.every((store) => STORE.test(store)))
    throw refuseMediationField(
      'linked_app_info.android_app_stores',
      `it must be up to ${MAX_STORES} names of app stores`,
    );
  return { appStoreId, androidAppStores: stores.length === 0 ? [DEFAULT_STORE] : stores };
}

const MAX_UNIT_TYPE_CHARS = 80;
const MAX_UNIT_AMOUNT = 2_147_483_647;

/**
 * Formats that can be made, each with the ad types that it may have and those that it cannot be without (the vendor's
 * description of `adFormat`). BANNER_INTERSTITIAL can only be targeted.
 */
const AD_FORMATS: ReadonlyMap<string, { types: readonly string[]; always: readonly string[] }> = new Map([
  ['APP_OPEN', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['BANNER', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['INTERSTITIAL', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['NATIVE', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['REWARDED', { types: ['RICH_MEDIA', 'VIDEO'], always: ['VIDEO'] }],
  ['REWARDED_INTERSTITIAL', { types: ['VIDEO'], always: ['VIDEO'] }],
]);

export function validateAdUnit(sent: JsonObject, publisher: Publisher, context: Context): JsonObject {
  const appId = getTextMember(sent, 'appId');
  if (appId === '') throw vendorRefusals.required('appId');
  if (findPublisherApp(appId, publisher, context) === undefined)
    throw refuseMediationField('app_id', `"${truncateSentText(appId)}" is no app of ${publisher.name}`);
  const displayName = getTextMember(sent, 'displayName').trim();
  if (displayName === '') throw vendorRefusals.required('displayName');
  requireMaxChars(displayName, 'display_name', MAX_NAME_CHARS);
  const adFormat = getTextMember(sent, 'adFormat').toUpperCase();
  if (adFormat === '') throw vendorRefusals.required('adFormat');
  const adTypes = validateAdTypes(sent, adFormat);
  const reward = validateReward(sent, adFormat);
  return { appId, displayName, adFormat, adTypes, ...(reward && { rewardSettings: reward }) };
}

/** All types that the format may have, where none are sent. */
function validateAdTypes(sent: JsonObject, adFormat: string): string[] {
  const format = AD_FORMATS.get(adFormat);
  if (format === undefined)
    throw refuseMediationField('ad_format', `it must be one of ${[...AD_FORMATS.keys()].join(', ')}`);
  const types = [...new Set(getTextList(sent, 'adTypes'))];
  if (types.length === 0) return [...format.types];
  const fits =
    types.every((type) => format.types.includes(type)) && format.always.every((type) => types.includes(type));
  if (!fits) throw refuseMediationField('ad_types', `they are not what an ad unit of the format ${adFormat} can have`);
  return types;
}

function validateReward(sent: JsonObject, adFormat: string): JsonObject | undefined {
  if (getMember(sent, 'rewardSettings') === undefined) return undefined;
  if (adFormat !== 'REWARDED')
    throw refuseMediationField('reward_settings', 'only ad units of the format REWARDED have them');
  const reward = getObjectMember(sent, 'rewardSettings');
  const unitAmount = getTextMember(reward, 'unitAmount');
  const unitType = getTextMember(reward, 'unitType').trim();
  if (!/^\d{1,10}$/.test(unitAmount) || Number(unitAmount) < 1 || Number(unitAmount) > MAX_UNIT_AMOUNT)
    throw refuseMediationField('reward_settings.unit_amount', `it must be from 1 to ${MAX_UNIT_AMOUNT}`);
  if (unitType === '') throw vendorRefusals.required('rewardSettings.unitType');
  requireMaxChars(unitType, 'reward_settings.unit_type', MAX_UNIT_TYPE_CHARS);
  return { unitAmount: String(Number(unitAmount)), unitType };
}

/** Characters of a mapping's name. */
const MAX_MAPPING_NAME_CHARS = 255;
/** Characters of one value. */
const MAX_VALUE_CHARS = 1_024;

const UNIT_NAME = /^accounts\/pub-\d+\/adUnits\/(\d{10})$/;

/** What mappings belong to: an ad unit of a publisher, which need not have been made here. */
export type AdUnitPlace = { name: string; publisher: Publisher; fragment: string };

/** The ad unit of a parent's name. @throws Refusal 400 for another form */
export function parseAdUnitName(name: string, field: string): AdUnitPlace {
  const [, fragment] = UNIT_NAME.exec(name) ?? [];
  if (fragment === undefined)
    throw refuseMediationField(
      field,
      `"${truncateSentText(name)}" is not accounts/pub-[PUBLISHER_DIGITS]/adUnits/[10 DIGITS]`,
    );
  return { name, publisher: parsePublisher(name), fragment };
}

/**
 * The part of a sent mapping that is stored. Its name is ours, whatever was sent.
 * @param at the path of its fields
 */
export function validateMapping(sent: JsonObject, at: string, context: Context): JsonObject {
  const { name: _ours, state: _ourState, ...body } = buildNewBody(mappings, sent, context);
  const adapterId = getTextMember(body, 'adapterId');
  if (adapterId === '') throw vendorRefusals.required(`${at}adapterId`);
  const adapter = findAdapter(adapterId);
  if (adapter === undefined)
    throw refuseMediationField(`${at}adapterId`, `"${truncateSentText(adapterId)}" is the id of no adapter`);
  requireMaxChars(getTextMember(body, 'displayName'), `${at}displayName`, MAX_MAPPING_NAME_CHARS);
  const field = `${at}adUnitConfigurations`;
  const adUnitConfigurations = validateSettings(getMember(body, 'adUnitConfigurations'), adapter, field);
  return { ...body, adUnitConfigurations };
}

/**
 * The `adUnitConfigurations` of a mapping, judged by what its adapter asks for.
 * @throws Refusal 400 for a key that the adapter has not, an empty or long value, a required key that is missing
 */
function validateSettings(sent: Json | undefined, adapter: Adapter, field: string): JsonObject {
  const values = isObject(sent) ? sent : {};
  for (const [key, value] of Object.entries(values)) {
    if (!adapter.settings.some(({ id }) => id === key))
      throw refuseMediationField(field, `"${truncateSentText(key)}" is none of ${formatKnownKeys(adapter)}`);
    if (!isText(value) || value.trim() === '') throw refuseMediationField(field, `the value of "${key}" is empty`);
    requireMaxChars(value, field, MAX_VALUE_CHARS);
  }
  const missing = adapter.settings.find(({ id, isRequired }) => isRequired && !Object.hasOwn(values, id));
  if (missing !== undefined) throw refuseMediationField(field, `"${missing.id}" (${missing.label}) is missing`);
  return { ...values };
}

const formatKnownKeys = ({ id, settings }: Adapter): string =>
  `the settings of adapter ${id}: ${settings.map((setting) => setting.id).join(', ')}`;

/** Fields of mappings that a list can be filtered by, beside the vendor's DISPLAY_NAME also the adapter. */
const FILTER_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['DISPLAY_NAME', 'displayName'],
  ['ADAPTER_ID', 'adapterId'],
]);
const MAPPING_FIELDS: ReadonlyMap<string, FilterCall> = new Map(
  [...FILTER_MEMBERS.keys()].map((field) => [field, 'IN']),
);

/**
 * What a list's filter lets through: `IN(DISPLAY_NAME, "a", "b") AND IN(ADAPTER_ID, "107")`.
 * @throws Refusal 400 for anything else
 */
export function createMappingTest(filter: unknown): (row: ResourceRow) => boolean {
  const terms = readFilter(isText(filter) ? filter : '', MAPPING_FIELDS).map(({ field, values }) => ({
    member: FILTER_MEMBERS.get(field) ?? '',
    wanted: new Set(values),
  }));
  return ({ body }) => terms.every(({ member, wanted }) => wanted.has(getTextMember(body, member)));
}

/** Functions of one filter, and values of all of them. */
const MAX_TERMS = 20;
const MAX_VALUES = 1_000;

const WORDS = /(IN|CONTAINS_ANY)[ \t\r\n]*\([ \t\r\n]*(\w+)/y;
const VALUE = /[ \t\r\n]*,[ \t\r\n]*(?:"((?:[^"\\]|\\["'\\])*)"|'((?:[^'\\]|\\["'\\])*)'|([\w./~-]+))[ \t\r\n]*/y;
const END = /\)[ \t\r\n]*/y;
const AND = /AND[ \t\r\n]+/y;
const ESCAPE = /\\(["'\\])/g;

/** `IN` is for fields with one value, `CONTAINS_ANY` for those with several. */
export type FilterCall = 'IN' | 'CONTAINS_ANY';

/** One function of a filter. */
export type FilterTerm = { call: FilterCall; field: string; values: readonly string[] };

/**
 * The functions of a filter, all of which must hold: `IN(PLATFORM, "IOS") AND CONTAINS_ANY(AD_UNIT_IDS, "a", "b")`. There
 * is no OR. No text is none.
 * @param fields what can be filtered by, each with its function
 * @throws Refusal 400 for what is no such filter
 */
export function readFilter(filter: string, fields: ReadonlyMap<string, FilterCall>): readonly FilterTerm[] {
  const text = filter.trim();
  if (text.length > MAX_LONG_TEXT_CHARS)
    throw refuseMediationFilter(`it has more than ${MAX_LONG_TEXT_CHARS} characters`);
  const terms: FilterTerm[] = [];
  for (let at = 0; at < text.length;) {
    if (terms.length === MAX_TERMS) throw refuseMediationFilter(`it has more than ${MAX_TERMS} functions`);
    const start = terms.length > 0 ? requireToken(AND, text, at).end : at;
    const { term, end } = parseTerm(text, start, fields);
    terms.push(term);
    at = end;
  }
  if (terms.reduce((sum, { values }) => sum + values.length, 0) > MAX_VALUES)
    throw refuseMediationFilter(`it has more than ${MAX_VALUES} values`);
  return terms;
}

function parseTerm(
  text: string,
  start: number,
  fields: ReadonlyMap<string, FilterCall>,
): { term: FilterTerm; end: number } {
  const head = requireToken(WORDS, text, start);
  const [, call = '', field = ''] = head.match;
  const fits = fields.get(field);
  if (fits === undefined)
    throw refuseMediationFilter(`"${truncateSentText(field)}" is none of ${[...fields.keys()].join(', ')}`);
  if (call !== fits) throw refuseMediationFilter(`${field} is filtered by ${fits}`);
  const values: string[] = [];
  let at = head.end;
  do {
    const { match, end } = requireToken(VALUE, text, at);
    const [, double, single, bare] = match;
    values.push(bare ?? (double ?? single ?? '').replaceAll(ESCAPE, '$1'));
    at = end;
  } while (text[at] === ',');
  return { term: { call: fits, field, values }, end: requireToken(END, text, at).end };
}

function requireToken(form: RegExp, text: string, at: number): { match: RegExpExecArray; end: number } {
  form.lastIndex = at;
  const match = form.exec(text);
  if (match === null)
    throw refuseMediationFilter(
      `${JSON.stringify(truncateSentText(text.slice(at)))} at character ${at + 1} is not understood`,
    );
  return { match, end: at + match[0].length };
}
