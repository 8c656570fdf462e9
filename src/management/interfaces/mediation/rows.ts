import { isText, type JsonObject, getMember } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { refuseViolations, truncateSentText } from '../../core/conventions/invalid.ts';
import {
  listAtHand,
  listNamed,
  type CollectionDefinition,
  refuseMissingName,
} from '../../core/engine/named-collection.ts';
import type { Context, Handlers } from '../../core/engine/operation.ts';
import { AD_SOURCES, type AdSourceRow, PLATFORMS } from './adapters-data.ts';

/** Our own network: mediation groups have a line of it from the start, and its lines need no mappings. */
export const ADMOB_NETWORK = '5450213213286189855';

type AdSource = Pick<AdSourceRow, 'id' | 'title' | 'kind'>;

/** A setting of an adapter: a key that mappings give a value for. */
type AdapterSetting = { id: string; label: string; isRequired: boolean };

/** What lets an app show ads of a source. */
export type Adapter = {
  id: string;
  adSourceId: string;
  title: string;
  platform: (typeof PLATFORMS)[number];
  formats: readonly string[];
  settings: readonly AdapterSetting[];
};

const adSources: ReadonlyMap<string, AdSource> = new Map(
  AD_SOURCES.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, title, kind }) => [id, { id, title, kind }]),
);
const adapters: ReadonlyMap<string, Adapter> = new Map(
  AD_SOURCES.flatMap(buildAdapters).map((adapter) => [adapter.id, adapter]),
);

/** The ad source of an id; undefined for one that is not in the catalogue. */
export const findAdSource = (id: string): AdSource | undefined => adSources.get(id);

/** The adapter of an id, whatever its source; undefined for one that is not in the catalogue. */
export const findAdapter = (id: string): Adapter | undefined => adapters.get(id);

/** All ad sources in the order of their ids. */
const listAllAdSources = (): readonly AdSource[] => [...adSources.values()];

/** The adapters of a source in the order of their ids: one for each platform. */
export const listSourceAdapters = (adSourceId: string): readonly Adapter[] =>
  [...adapters.values()].filter((adapter) => adapter.adSourceId === adSourceId);

function buildAdapters({ id, title, formats, settings, adapter, firstSetting }: AdSourceRow): Adapter[] {
  return PLATFORMS.map((platform, place) => {
    const adapterId = String(adapter + place);
    const settingId = (at: number): string =>
      firstSetting === undefined ? `${adapterId}${at + 1}` : String(firstSetting + place * settings.length + at);
    return {
      id: adapterId,
      adSourceId: id,
      title: `${title} (${platform === 'IOS' ? 'iOS' : 'Android'})`,
      platform,
      formats,
      settings: settings.map(({ label, optional }, at) => ({
        id: settingId(at),
        label,
        isRequired: optional !== true,
      })),
    };
  });
}

/** Names in the store. Parents are full names: `accounts/pub-1`, or that of something below it. */
export const MEDIATION = {
  /** id = `pub-1`: publishers that a call named which was not refused. */
  publishers: 'mediation.publishers',
  /** parent = `accounts/pub-1`, id = `mediationGroupId`. */
  groups: 'mediation.groups',
  /** parent = `accounts/pub-1`, id = the ten digits of the app's id. */
  apps: 'mediation.apps',
  /** parent = `accounts/pub-1`, id = the ad unit's fragment; ref = `appId` (`ca-app-pub-1~2`). */
  adUnits: 'mediation.ad-units',
  /** parent = `accounts/pub-1`, id = digits; s1 = the ad unit's fragment. */
  mappings: 'mediation.ad-unit-mappings',
  /** parent = `accounts/pub-1/mediationGroups/2`, id = digits; s1 = `RUNNING` while it runs. */
  experiments: 'mediation.ab-experiments',
} as const;

/** Limits of a page of every list (the vendor's). */
export const MEDIATION_PAGE = { default: 10_000, max: 20_000 } as const;

/** An AdMob account: `accounts/pub-1` and the digits of it, which its ad units and apps begin with. */
export type Publisher = { name: string; digits: string };

const PUBLISHER = /^accounts\/pub-(\d{1,30})(?:\/|$)/;
const AD_UNIT = /^ca-app-pub-(\d{1,30})\/(\d{10})$/;
const FRAGMENT = /^\d{10}$/;
const ID_BYTES = 8;

/** The publisher of this name, or the owner of what the name refers to. @throws Refusal 400 for another form */
export function parsePublisher(name: string): Publisher {
  const [, digits] = PUBLISHER.exec(name) ?? [];
  if (digits === undefined)
    throw refuseMediationField('name', `"${truncateSentText(name)}" must begin with accounts/pub-[PUBLISHER_DIGITS]`);
  return { name: `accounts/pub-${digits}`, digits };
}

/** The whole id of an ad unit: `ca-app-pub-1/1234567890`. */
export const formatAdUnitId = (digits: string, fragment: string): string => `ca-app-pub-${digits}/${fragment}`;

/**
 * The fragment of an ad unit of this publisher, by its whole id or by the fragment alone (ten digits).
 * @returns undefined for any other text, and for an ad unit of another publisher (rule K1)
 */
export function parseAdUnitFragment(adUnit: string, digits: string): string | undefined {
  if (FRAGMENT.test(adUnit)) return adUnit;
  const [, owner, fragment] = AD_UNIT.exec(adUnit) ?? [];
  return owner === digits ? fragment : undefined;
}

/** A new id of so many digits (at most 17), the first of which is no zero. Whether it is taken is for the caller to see. */
export function generateNumericId({ random }: Context, length: number): string {
  const first = 10n ** BigInt(length - 1);
  return String(first + (BigInt(`0x${random(ID_BYTES)}`) % (9n * first)));
}

/** 400 for a field, with what is wrong with it: `must be ...`. */
export const refuseMediationField = (field: string, why: string): Refusal =>
  new Refusal(refuseViolations([{ field, description: `Invalid value for ${field}: ${why}.` }]));

/** The texts of a list; none where it is missing or of another type. */
export function getTextList(body: JsonObject, name: string): readonly string[] {
  const value = getMember(body, name);
  return Array.isArray(value) ? value.filter(isText) : [];
}

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

/** What reports of a publisher are in: the same for all, as nothing here sets it. */
const REPORTING = { reportingTimeZone: 'America/Los_Angeles', currencyCode: 'USD' } as const;

const publishers: CollectionDefinition = {
  name: MEDIATION.publishers,
  schema: 'PublisherAccount',
  items: 'account',
  page: MEDIATION_PAGE,
  view: ({ body }) => body,
};

/** Publisher accounts. One that the caller may use is there; lists have those that a call named which was not refused. */
export const accountHandlers: Handlers = {
  'admob.accounts.get': ({ path }) => toPublisherResource(parsePublisher(path['name'] ?? '')),
  'admob.accounts.list': (call, context) => listNamed(publishers, '', call, context),
};

/** Puts the publisher of a name into the list of accounts: at the first call that names it, a read too. */
export function rememberPublisher(name: string, { store, remember }: Context): void {
  const publisher = parsePublisher(name);
  const address = { collection: MEDIATION.publishers, parent: '', id: `pub-${publisher.digits}` };
  if (store.get(address.collection, address.parent, address.id) !== undefined) return;
  remember({ ...address, body: toPublisherResource(publisher) });
}

const toPublisherResource = ({ name, digits }: Publisher): JsonObject => ({
  name,
  publisherId: `pub-${digits}`,
  ...REPORTING,
});

const SOURCE_NAME = /^accounts\/pub-\d+\/adSources\/([^/]+)$/;

/** Ad sources and their adapters: a catalogue that is the same for every publisher, under the name of the one asked for. */
export const adSourceHandlers: Handlers = {
  'admob.accounts.adSources.list': (call, context) => {
    const { name } = parsePublisher(call.path['parent'] ?? '');
    const found = listAllAdSources().map(({ id, title }) => ({
      id,
      body: { name: `${name}/adSources/${id}`, adSourceId: id, title },
    }));
    return listAtHand({ items: 'adSources', page: MEDIATION_PAGE }, found, call, context);
  },
  'admob.accounts.adSources.adapters.list': (call, context) => {
    const parent = call.path['parent'] ?? '';
    parsePublisher(parent);
    const [, id = ''] = SOURCE_NAME.exec(parent) ?? [];
    if (findAdSource(id) === undefined) throw refuseMissingName(parent);
    const found = listSourceAdapters(id).map((adapter) => ({
      id: adapter.id,
      body: toAdapterResource(adapter, parent),
    }));
    return listAtHand({ items: 'adapters', page: MEDIATION_PAGE }, found, call, context);
  },
};

const toAdapterResource = ({ id, title, platform, formats, settings }: Adapter, parent: string): JsonObject => ({
  name: `${parent}/adapters/${id}`,
  adapterId: id,
  title,
  platform,
  formats: [...formats],
  adapterConfigMetadata: settings.map((setting) => ({
    adapterConfigMetadataId: setting.id,
    adapterConfigMetadataLabel: setting.label,
    isRequired: setting.isRequired,
  })),
});
