import type { JsonObject } from '../../../lib/json.ts';
import { QUOTAS, type QuotaRow } from './catalogue-data.ts';
import type { QuotaContainer } from './names.ts';

/** The quotas of a service, in the order of their ids; none for a service that the catalogue lacks. */
export const listServiceQuotas = (service: string): readonly QuotaRow[] => byService.get(service) ?? [];

export const findQuota = (service: string, quotaId: string): QuotaRow | undefined =>
  listServiceQuotas(service).find((row) => row.quotaId === quotaId);

const byService: ReadonlyMap<string, readonly QuotaRow[]> = Map.groupBy(
  QUOTAS.toSorted((a, b) => (a.quotaId < b.quotaId ? -1 : 1)),
  ({ service }) => service,
);

/** A value that holds for some dimensions of a quota: `{}` for all the others. */
export type QuotaValue = { dimensions: Readonly<Record<string, string>>; value: string };

const CONTAINER_TYPES = { projects: 'PROJECT', folders: 'FOLDER', organizations: 'ORGANIZATION' } as const;
const REGIONAL = 'region';

/**
 * A QuotaInfo. The catalogue is the same for every container.
 * @param values what is granted, for more dimensions before fewer
 */
export function buildQuotaInfo(
  row: QuotaRow,
  { container, kind }: QuotaContainer,
  values: readonly QuotaValue[],
): JsonObject {
  const { service, quotaId, dimensions = [] } = row;
  return {
    name: `${container}/locations/global/services/${service}/quotaInfos/${quotaId}`,
    quotaId,
    metric: row.metric,
    service,
    isPrecise: false,
    ...(row.refreshInterval === undefined ? {} : { refreshInterval: row.refreshInterval }),
    containerType: CONTAINER_TYPES[kind],
    dimensions: [...dimensions],
    metricDisplayName: row.metricDisplayName,
    quotaDisplayName: row.quotaDisplayName,
    metricUnit: '1',
    quotaIncreaseEligibility: { isEligible: true }, // No quota of the catalogue is fixed, and none counts what is in flight.
    isFixed: false,
    dimensionsInfos: values.map((value) => buildDimensionsInfo(row, value)),
    isConcurrent: false,
  };
}

function buildDimensionsInfo(row: QuotaRow, { dimensions, value }: QuotaValue): JsonObject {
  const region = dimensions[REGIONAL];
  const { regions = ['global'] } = row;
  const applicable = region === undefined ? [...regions] : [region];
  return { dimensions: { ...dimensions }, details: { value }, applicableLocations: applicable };
}
