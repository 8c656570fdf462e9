import { AD_SOURCES, type AdSourceRow, PLATFORMS } from './adapters-data.ts';

/** Our own network: mediation groups have a line of it from the start, and its lines need no mappings. */
export const ADMOB_NETWORK = '5450213213286189855';

export type AdSource = Pick<AdSourceRow, 'id' | 'title' | 'kind'>;

/** A setting of an adapter: a key that mappings give a value for. */
export type AdapterSetting = { id: string; label: string; isRequired: boolean };

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
  AD_SOURCES.flatMap(adaptersIn).map((adapter) => [adapter.id, adapter]),
);

/** The ad source of an id; undefined for one that is not in the catalogue. */
export const adSourceOf = (id: string): AdSource | undefined => adSources.get(id);

/** The adapter of an id, whatever its source; undefined for one that is not in the catalogue. */
export const adapterOf = (id: string): Adapter | undefined => adapters.get(id);

/** All ad sources in the order of their ids. */
export const allAdSources = (): readonly AdSource[] => [...adSources.values()];

/** The adapters of a source in the order of their ids: one for each platform. */
export const adaptersOf = (adSourceId: string): readonly Adapter[] =>
  [...adapters.values()].filter((adapter) => adapter.adSourceId === adSourceId);

function adaptersIn({ id, title, formats, settings, adapter, firstSetting }: AdSourceRow): Adapter[] {
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
