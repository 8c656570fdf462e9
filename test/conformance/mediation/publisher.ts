import { type admob_v1beta, google } from 'googleapis';

/** The official client, at a publisher of its own. */
export type Publisher = {
  client: admob_v1beta.Admob;
  /** `accounts/pub-7000000000000001`. */
  name: string;
  digits: string;
};

/** One method seen from outside: used rightly, with its effect read back by another, and wrongly. */
export type Case = {
  method: string;
  right: (publisher: Publisher) => Promise<void>;
  wrong: (publisher: Publisher) => Promise<void>;
};

export const INVALID = '400 INVALID_ARGUMENT';
export const NOT_FOUND = '404 NOT_FOUND';
export const PRECONDITION = '400 FAILED_PRECONDITION';

/** AppLovin, a waterfall source of the catalogue. */
export const APPLOVIN = '1063618907739174004';
export const ADMOB_NETWORK = '5450213213286189855';

const FIRST_PUBLISHER = 7_000_000_000_000_000;
let publishers = 0;

/** A publisher that nobody used yet, with a client of this token. */
export function publisherOf(url: string, token: string): Publisher {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const digits = String(FIRST_PUBLISHER + (publishers += 1));
  const client = google.admob({ version: 'v1beta', rootUrl: `${url}/`, auth });
  return { client, name: `accounts/pub-${digits}`, digits };
}

export const FRAGMENT = '1111111111';
/** An ad unit of the publisher that was never made here, by its name and by its id. */
export const unitName = ({ name }: Publisher, fragment = FRAGMENT): string => `${name}/adUnits/${fragment}`;
export const unitId = ({ digits }: Publisher, fragment = FRAGMENT): string => `ca-app-pub-${digits}/${fragment}`;

/** A mapping of an ad unit for the Android adapter of an ad source, with every setting that it asks for. */
export async function newMapping(publisher: Publisher, displayName = 'Zone', fragment = FRAGMENT): Promise<string> {
  const { client, name } = publisher;
  const sources = await client.accounts.adSources.adapters.list({ parent: `${name}/adSources/${APPLOVIN}` });
  const adapter = sources.data.adapters?.find(({ platform }) => platform === 'ANDROID');
  const settings = adapter?.adapterConfigMetadata?.map(({ adapterConfigMetadataId: id }) => [id ?? '', 'value']) ?? [];
  const { data } = await client.accounts.adUnits.adUnitMappings.create({
    parent: unitName(publisher, fragment),
    requestBody: {
      displayName,
      adapterId: adapter?.adapterId ?? '',
      adUnitConfigurations: Object.fromEntries(settings),
    },
  });
  return data.name ?? '';
}

/** A line of AppLovin as it is sent. */
export const line = (displayName: string): admob_v1beta.Schema$MediationGroupMediationGroupLine => ({
  displayName,
  adSourceId: APPLOVIN,
  cpmMode: 'MANUAL',
  cpmMicros: '500000',
  state: 'ENABLED',
});

/** A group with the lines of these names, beside that of the AdMob Network. */
export async function newGroup(
  publisher: Publisher,
  names: readonly string[] = ['A'],
): Promise<admob_v1beta.Schema$MediationGroup> {
  const lines = names.map((each, at) => [`-${at + 1}`, { id: `-${at + 1}`, ...line(each) }]);
  const { data } = await publisher.client.accounts.mediationGroups.create({
    parent: publisher.name,
    requestBody: {
      displayName: 'Group',
      targeting: { platform: 'ANDROID', format: 'BANNER', adUnitIds: [unitId(publisher)], targetedRegionCodes: ['US'] },
      mediationGroupLines: Object.fromEntries(lines),
    },
  });
  return data;
}

/** A group as the list shows it. */
export async function listedGroup(publisher: Publisher, name: string): Promise<admob_v1beta.Schema$MediationGroup> {
  const { data } = await publisher.client.accounts.mediationGroups.list({ parent: publisher.name });
  const found = data.mediationGroups?.find((group) => group.name === name);
  if (found === undefined) throw new Error(`No group ${name}`);
  return found;
}

/** The line of a name. */
export function lineNamed(
  { mediationGroupLines: lines }: admob_v1beta.Schema$MediationGroup,
  displayName: string,
): admob_v1beta.Schema$MediationGroupMediationGroupLine & { id: string } {
  const found = Object.values(lines ?? {}).find((each) => each.displayName === displayName);
  if (typeof found?.id !== 'string') throw new Error(`No line ${displayName}`);
  return { ...found, id: found.id };
}
