import { isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { refuseExhausted, truncateSentText } from '../../core/conventions/invalid.ts';
import { readPageSize } from '../../core/engine/collection.ts';
import type { CollectionDefinition } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ListCursor, ListedRow, ListQuery, NewRow, ResourceRow } from '../../core/engine/stored-row.ts';
import { getSchemas } from '../../core/table/schemas.ts';
import { AD_SOURCES, type AdSourceRow, PLATFORMS } from './adapters-data.ts';
import { refuseMediationField } from './refusals.ts';

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

/** Apps of one publisher. */
export const MAX_APPS = 1_000;
/** Ad units of one publisher, over all its apps. */
export const MAX_PUBLISHER_AD_UNITS = 10_000;
/** Ad unit mappings of one publisher. */
export const MAX_MAPPINGS = 10_000;
/** Digits of the ids of all that a publisher has. */
const ID_DIGITS = 10;
const ID_BYTES = 8;
/** Draws of an id before the caller is asked to come again. */
const MAX_DRAWS = 5;

/** A collection of which a publisher has so many at most. */
type PublisherCollection = CollectionDefinition & { most: number; plural: string };

export const apps = { ...defineStored(MEDIATION.apps, 'App', 'apps'), most: MAX_APPS, plural: 'apps' };
export const adUnits = {
  ...defineStored(MEDIATION.adUnits, 'AdUnit', 'adUnits'),
  most: MAX_PUBLISHER_AD_UNITS,
  plural: 'ad units',
};
export const mappings = {
  ...defineStored(MEDIATION.mappings, 'AdUnitMapping', 'adUnitMappings'),
  most: MAX_MAPPINGS,
  plural: 'ad unit mappings',
};
export const publishers = defineStored(MEDIATION.publishers, 'PublisherAccount', 'account');

/** A collection whose rows are shown as they are stored. */
function defineStored(name: string, schema: string, items: string): CollectionDefinition {
  return { name, schema, items, page: MEDIATION_PAGE, view: ({ body }) => body };
}

/** The collection as the older version shows it. */
export const asV1 = (collection: CollectionDefinition): CollectionDefinition => ({
  ...collection,
  view: ({ body }) => selectKnownFields(body, collection.schema),
});

/** The members of a body that a schema of the older version has, at any depth. */
function selectKnownFields(body: JsonObject, schema: string): JsonObject {
  const fields = getSchemas('mediation', 'v1')[schema] ?? {};
  const known = Object.entries(body).flatMap(([name, value]): [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return [];
    return [[name, isObject(value) && field.ref !== undefined ? selectKnownFields(value, field.ref) : value]];
  });
  return Object.fromEntries(known);
}

/** @throws Refusal 429 where the publisher cannot have so many more */
export function requirePublisherRoom(
  { name: collection, most, plural }: PublisherCollection,
  { name }: Publisher,
  more: number,
  { store }: Context,
): void {
  if (store.count(collection, name) + more > most) throw refuseExhausted(`A publisher has at most ${most} ${plural}`);
}

/**
 * Stores a new row under an id that nothing else has there.
 * @param rowOf the row of an id
 * @throws Refusal 409 when every drawn id is taken
 */
export function insertFresh(rowOf: (id: string) => NewRow, context: Context): ResourceRow {
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const row = context.store.insert(rowOf(generateNumericId(context, ID_DIGITS)));
    if (row !== undefined) return row;
  }
  throw vendorRefusals.aborted('The new ids are taken: ask again');
}

/** A new id of so many digits (at most 17), the first of which is no zero. Whether it is taken is for the caller to see. */
export function generateNumericId({ random }: Context, length: number): string {
  const first = 10n ** BigInt(length - 1);
  return String(first + (BigInt(`0x${random(ID_BYTES)}`) % (9n * first)));
}

/** An AdMob account: `accounts/pub-1` and the digits of it, which its ad units and apps begin with. */
export type Publisher = { name: string; digits: string };

const PUBLISHER = /^accounts\/pub-(\d{1,30})(?:\/|$)/;
const AD_UNIT = /^ca-app-pub-(\d{1,30})\/(\d{10})$/;
const FRAGMENT = /^\d{10}$/;
const APP_ID = /^ca-app-pub-(\d{1,30})~(\d{10})$/;
const MAPPING_NAME = /^(accounts\/pub-\d+)\/adUnits\/\d{10}\/adUnitMappings\/(\d{1,20})$/;

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

/** The app of an id `ca-app-pub-1~2`; undefined for another publisher's, and for what is no such id. */
export function findPublisherApp(
  appId: string,
  { name, digits }: Publisher,
  { store }: Context,
): ResourceRow | undefined {
  const [, owner, fragment] = APP_ID.exec(appId) ?? [];
  return owner === digits && fragment !== undefined ? store.get(MEDIATION.apps, name, fragment) : undefined;
}

/** The mapping of a name, whose body has `name` and `adapterId`; undefined for one that is not there, and for no such name. */
export function findAdUnitMapping(name: string, { store }: Context): ResourceRow | undefined {
  const [, publisher = '', id = ''] = MAPPING_NAME.exec(name) ?? [];
  const row = store.get(MEDIATION.mappings, publisher, id);
  return row?.body['name'] === name ? row : undefined;
}

/** Puts the publisher of a name into the list of accounts: at the first call that names it, a read too. */
export function rememberPublisher(name: string, { store, remember }: Context): void {
  const publisher = parsePublisher(name);
  const address = { collection: MEDIATION.publishers, parent: '', id: `pub-${publisher.digits}` };
  if (store.get(address.collection, address.parent, address.id) !== undefined) return;
  remember({ ...address, body: toPublisherResource(publisher) });
}

/** What reports of a publisher are in: the same for all, as nothing here sets it. */
const REPORTING = { reportingTimeZone: 'America/Los_Angeles', currencyCode: 'USD' } as const;

export const toPublisherResource = ({ name, digits }: Publisher): JsonObject => ({
  name,
  publisherId: `pub-${digits}`,
  ...REPORTING,
});

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
export const listAllAdSources = (): readonly AdSource[] => [...adSources.values()];

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

export const toAdapterResource = ({ id, title, platform, formats, settings }: Adapter, parent: string): JsonObject => ({
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

/** Rows that one statement reads: as many of the largest as it may answer. */
const BATCH_ROWS = 200;
/** Rows that one call looks at, shown or not. */
const MAX_SCANNED_ROWS = 20_000;
/** Characters of the items of one page. */
const MAX_SHOWN_CHARS = 6_000_000;
/** Characters of an answer beside its items: their name, and the token of the next page. */
const AROUND_CHARS = 10_000;

/** Characters that the items of a page may have: fewer in a batch. A page that is full before its time has a token. */
const computePageChars = ({ maxAnswerChars = Infinity }: Call): number =>
  Math.min(MAX_SHOWN_CHARS, maxAnswerChars - AROUND_CHARS);

/** What of a list's rows is shown, and how they are read. */
type ListScan = {
  matches?: (row: ResourceRow) => boolean;
  /** Rows that one statement reads. */
  batchRows?: number;
  /** Characters of the rows that one call looks at, shown or not. */
  maxScannedChars?: number;
};

/**
 * One page of the rows that match, `{ <items>, nextPageToken? }`: it is filled up from behind those that do not. It may
 * have fewer than asked for where they are large, or where few of many match; it then has a token all the same (AIP-158).
 * @param place where the rows are, and their order
 */
export function listMatching(
  collection: CollectionDefinition,
  place: Pick<ListQuery, 'parent' | 'order' | 'prefix'>,
  call: Call,
  context: Context,
  { matches = () => true, batchRows = BATCH_ROWS, maxScannedChars = Infinity }: ListScan = {},
): JsonObject {
  const rows = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...collection.page });
  const read = (after: ListCursor | undefined): readonly ListedRow[] =>
    context.store.list({ collection: collection.name, ...place, after, limit: batchRows });
  const view = (row: ResourceRow): JsonObject => collection.view(row, call, context);
  const page = { rows, chars: computePageChars(call), batchRows, maxScannedChars, matches, view };
  const { items, next } = readMatchingPage(read, page, context.pages.open());
  return {
    ...(items.length > 0 && { [collection.items]: items }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** What a page has: how much, which rows, and how they are shown. */
type Page = Required<ListScan> & { rows: number; chars: number; view: (row: ResourceRow) => JsonObject };

function readMatchingPage(
  read: (after: ListCursor | undefined) => readonly ListedRow[],
  page: Page,
  start: ListCursor | undefined,
): { items: readonly JsonObject[]; next: ListCursor | undefined } {
  const items: JsonObject[] = [];
  let last = start;
  let [chars, scannedChars] = [0, 0];
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS; scanned += page.batchRows) {
    const batch = read(last);
    for (const { row, cursor } of batch) {
      if (page.maxScannedChars < Infinity) scannedChars += JSON.stringify(row.body).length;
      if (scannedChars > page.maxScannedChars) return { items, next: last };
      if (page.matches(row)) {
        if (items.length === page.rows) return { items, next: last };
        const item = page.view(row);
        chars += JSON.stringify(item).length + 1;
        if (chars > page.chars && items.length > 0) return { items, next: last };
        items.push(item);
      }
      last = cursor;
    }
    if (batch.length < page.batchRows) return { items, next: undefined };
  }
  return { items, next: last };
}
