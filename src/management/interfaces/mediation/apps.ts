import { truncateSentText, refuseExhausted } from '../../core/conventions/invalid.ts';
import { type CollectionDefinition, buildNewBody } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { type JsonObject, getMember, getObjectMember, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { insertFresh } from './groups/fresh-id.ts';
import { listMatching } from './matching-list.ts';
import {
  refuseMediationField,
  MEDIATION,
  MEDIATION_PAGE,
  type Publisher,
  parsePublisher,
  requireMaxChars,
  getTextList,
} from './rows.ts';

/** Apps of one publisher. */
export const MAX_APPS = 1_000;
const MAX_NAME_CHARS = 80;
const MAX_STORE_ID_CHARS = 255;
/** App stores that one app can be in. */
const MAX_STORES = 20;
const FRAGMENT_DIGITS = 10;

const APP_ID = /^ca-app-pub-(\d{1,30})~(\d{10})$/;
const STORE = /^[A-Z][A-Z_]{0,63}$/;
const DEFAULT_STORE = 'GOOGLE_PLAY_APP_STORE';
const UNNAMED = 'Unnamed app';

/** By platform: what an id in its store looks like. */
const STORE_IDS: ReadonlyMap<string, RegExp> = new Map([
  ['ANDROID', /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/],
  ['IOS', /^\d{1,20}$/],
]);

const apps: CollectionDefinition = {
  name: MEDIATION.apps,
  schema: 'App',
  items: 'apps',
  page: MEDIATION_PAGE,
  view: ({ body }) => body,
};

/** Apps: what ad units belong to. */
export const appHandlers: Handlers = {
  'admob.accounts.apps.create': create,
  'admob.accounts.apps.list': (call, context) =>
    listMatching(apps, { parent: parsePublisher(call.path['parent'] ?? '').name }, call, context),
};

/** The app of an id `ca-app-pub-1~2`; undefined for another publisher's, and for what is no such id. */
export function findPublisherApp(
  appId: string,
  { name, digits }: Publisher,
  { store }: Context,
): ResourceRow | undefined {
  const [, owner, fragment] = APP_ID.exec(appId) ?? [];
  return owner === digits && fragment !== undefined ? store.get(MEDIATION.apps, name, fragment) : undefined;
}

function create(call: Call, context: Context): JsonObject {
  const { name, digits } = parsePublisher(call.path['parent'] ?? '');
  const body = validateApp(buildNewBody(apps, call.body, context));
  if (context.store.count(MEDIATION.apps, name) >= MAX_APPS)
    throw refuseExhausted(`A publisher has at most ${MAX_APPS} apps`);
  const rowOf = (id: string) => ({
    collection: MEDIATION.apps,
    parent: name,
    id,
    body: { name: `${name}/apps/${id}`, appId: `ca-app-pub-${digits}~${id}`, ...body },
  });
  return insertFresh(rowOf, FRAGMENT_DIGITS, context).body;
}

/** An app of a store waits to be looked at; one that is in none yet is its owner's to link. */
function validateApp(sent: JsonObject): JsonObject {
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
