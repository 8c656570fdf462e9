import * as z from 'zod';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { DEFAULTS } from './defaults-data.ts';
import type { InstanceConfig, InstanceFacts } from '../../../search/order.ts';
import { asJson } from './parse.ts';
import { extractAccountId } from './rows.ts';
import { listMetadataFields, getIndexMethods, instanceSettingsSchema } from './settings.ts';
import { buildCrawlSource, isAddress } from './source.ts';

const PER_CENT = 100;
const time = z.int().nonnegative();

/** A stored instance. */
const keptInstance = z.strictObject({
  /** Names the object of the instance; it is never shown. */
  uid: z.string().regex(/^[0-9a-f]{32}$/),
  createdMs: time,
  modifiedMs: time,
  createdBy: z.string(),
  modifiedBy: z.string(),
  source: z.string().refine(isAddress).nullable(),
  type: z.literal('web-crawler').nullable(),
  settings: instanceSettingsSchema,
});

export type StoredInstance = z.infer<typeof keptInstance>;

/** Whether a body is one of a stored instance: a restore takes no other (rule K3). */
export const isKeptInstance = (body: JsonObject): boolean => keptInstance.safeParse(body).success;

/** What is stored of an instance. @throws Error for a row of another collection */
export const readStoredInstance = ({ body }: ResourceRow): StoredInstance => keptInstance.parse(body);

/** An instance as callers see it: all settings, with their defaults. It takes files and questions from its first moment. */
export function toInstanceResource(row: ResourceRow): JsonObject {
  const { settings, source, type, createdMs, modifiedMs, createdBy, modifiedBy } = readStoredInstance(row);
  const method = getIndexMethods(settings);
  return {
    ...DEFAULTS,
    ...asJson(settings),
    id: row.id,
    namespace: getInstanceNamespace(row),
    created_at: new Date(createdMs).toISOString(),
    created_by: createdBy,
    modified_at: new Date(modifiedMs).toISOString(),
    modified_by: modifiedBy,
    hybrid_search_enabled: method.keyword && method.vector,
    index_method: method,
    source,
    type,
  };
}

/** What of an instance's settings has an effect on its index. */
export function buildInstanceConfig(row: ResourceRow): InstanceConfig {
  const { settings, source, type } = readStoredInstance(row);
  const chunkTokens = settings.chunk_size ?? DEFAULTS.chunk_size;
  const overlap = settings.chunk_overlap ?? DEFAULTS.chunk_overlap;
  const crawl = buildCrawlSource({ source, type }, settings.source_params);
  return {
    ...(crawl !== undefined && { source: crawl }),
    syncIntervalS: settings.sync_interval ?? DEFAULTS.sync_interval,
    chunkTokens,
    overlapTokens: Math.floor((chunkTokens * overlap) / PER_CENT),
    tokenizer: settings.indexing_options?.keyword_tokenizer ?? 'porter',
    ...getIndexMethods(settings),
    metadata: listMetadataFields(settings),
    isPaused: settings.paused === true,
  };
}

/** An instance as it is described to its object. */
export const buildInstanceFacts = (row: ResourceRow, tenant: string): InstanceFacts => ({
  uid: isText(row.body['uid']) ? row.body['uid'] : '',
  tenant,
  account: extractAccountId(row.parent),
  namespace: getInstanceNamespace(row),
  id: row.id,
  config: buildInstanceConfig(row),
});

/** The namespace that an instance is in. */
export const getInstanceNamespace = ({ parent }: ResourceRow): string => parent.slice(parent.lastIndexOf('/') + 1);
