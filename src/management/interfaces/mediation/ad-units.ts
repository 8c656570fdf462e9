import { truncateSentText, refuseExhausted } from '../../core/conventions/invalid.ts';
import { type CollectionDefinition, buildNewBody } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { type JsonObject, getMember, getObjectMember, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { findPublisherApp } from './apps.ts';
import { insertFresh } from './groups/fresh-id.ts';
import { listMatching } from './matching-list.ts';
import {
  formatAdUnitId,
  refuseMediationField,
  MEDIATION,
  MEDIATION_PAGE,
  type Publisher,
  parsePublisher,
  requireMaxChars,
  getTextList,
} from './rows.ts';

/** Ad units of one publisher, over all its apps. */
export const MAX_PUBLISHER_AD_UNITS = 10_000;
const MAX_NAME_CHARS = 80;
const MAX_UNIT_TYPE_CHARS = 80;
const MAX_UNIT_AMOUNT = 2_147_483_647;
const FRAGMENT_DIGITS = 10;

/**
 * Formats that can be made, each with the ad types that it may have and those that it cannot be without (the vendor's
 * description of `adFormat`). BANNER_INTERSTITIAL can only be targeted.
 */
const FORMATS: ReadonlyMap<string, { types: readonly string[]; always: readonly string[] }> = new Map([
  ['APP_OPEN', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['BANNER', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['INTERSTITIAL', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['NATIVE', { types: ['RICH_MEDIA', 'VIDEO'], always: [] }],
  ['REWARDED', { types: ['RICH_MEDIA', 'VIDEO'], always: ['VIDEO'] }],
  ['REWARDED_INTERSTITIAL', { types: ['VIDEO'], always: ['VIDEO'] }],
]);

const adUnits: CollectionDefinition = {
  name: MEDIATION.adUnits,
  schema: 'AdUnit',
  items: 'adUnits',
  page: MEDIATION_PAGE,
  view: ({ body }) => body,
};

/** Ad units: the places of an app that show ads. */
export const adUnitHandlers: Handlers = {
  'admob.accounts.adUnits.create': create,
  'admob.accounts.adUnits.list': (call, context) =>
    listMatching(adUnits, { parent: parsePublisher(call.path['parent'] ?? '').name }, call, context),
};

function create(call: Call, context: Context): JsonObject {
  const publisher = parsePublisher(call.path['parent'] ?? '');
  const { name, digits } = publisher;
  const body = validateAdUnit(buildNewBody(adUnits, call.body, context), publisher, context);
  if (context.store.count(MEDIATION.adUnits, name) >= MAX_PUBLISHER_AD_UNITS)
    throw refuseExhausted(`A publisher has at most ${MAX_PUBLISHER_AD_UNITS} ad units`);
  const rowOf = (id: string) => ({
    collection: MEDIATION.adUnits,
    parent: name,
    id,
    ref: getTextMember(body, 'appId'),
    body: { name: `${name}/adUnits/${id}`, adUnitId: formatAdUnitId(digits, id), ...body },
  });
  return insertFresh(rowOf, FRAGMENT_DIGITS, context).body;
}

function validateAdUnit(sent: JsonObject, publisher: Publisher, context: Context): JsonObject {
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
  const format = FORMATS.get(adFormat);
  if (format === undefined)
    throw refuseMediationField('ad_format', `it must be one of ${[...FORMATS.keys()].join(', ')}`);
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
