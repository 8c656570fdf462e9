import * as z from 'zod';
import type { StoredRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { DEFAULTS } from './defaults-data.ts';
import type { InstanceConfig, InstanceFacts } from '../../../search/order.ts';
import { asJson } from './parse.ts';
import { accountIn } from './rows.ts';
import { fieldsOf, methodsOf, settingsSchema } from './settings.ts';
import { crawlOf, isAddress } from './source.ts';

const PER_CENT = 100;
const time = z.int().nonnegative();

/** A stored instance. */
const keptInstance = z.strictObject({
  /** Names its object, and is shown to nobody. */
  uid: z.string().regex(/^[0-9a-f]{32}$/),
  createdMs: time,
  modifiedMs: time,
  createdBy: z.string(),
  modifiedBy: z.string(),
  source: z.string().refine(isAddress).nullable(),
  type: z.literal('web-crawler').nullable(),
  settings: settingsSchema,
});

export type KeptInstance = z.infer<typeof keptInstance>;

/** Whether a body is one of a stored instance: a restore takes no other (rule K3). */
export const isKeptInstance = (body: JsonObject): boolean => keptInstance.safeParse(body).success;

/** What is stored of an instance. @throws Error for a row of another collection */
export const keptOf = ({ body }: StoredRow): KeptInstance => keptInstance.parse(body);

/** An instance as callers see it: all settings, with their defaults. It takes files and questions from its first moment. */
export function shownInstance(row: StoredRow): JsonObject {
  const { settings, source, type, createdMs, modifiedMs, createdBy, modifiedBy } = keptOf(row);
  const method = methodsOf(settings);
  return {
    ...DEFAULTS,
    ...asJson(settings),
    id: row.id,
    namespace: namespaceOf(row),
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
export function configOf(row: StoredRow): InstanceConfig {
  const { settings, source, type } = keptOf(row);
  const chunkTokens = settings.chunk_size ?? DEFAULTS.chunk_size;
  const overlap = settings.chunk_overlap ?? DEFAULTS.chunk_overlap;
  const crawl = crawlOf({ source, type }, settings.source_params);
  return {
    ...(crawl !== undefined && { source: crawl }),
    syncIntervalS: settings.sync_interval ?? DEFAULTS.sync_interval,
    chunkTokens,
    overlapTokens: Math.floor((chunkTokens * overlap) / PER_CENT),
    tokenizer: settings.indexing_options?.keyword_tokenizer ?? 'porter',
    ...methodsOf(settings),
    metadata: fieldsOf(settings),
    isPaused: settings.paused === true,
  };
}

/** An instance as its object is told of it. */
export const factsOf = (row: StoredRow, tenant: string): InstanceFacts => ({
  uid: isText(row.body['uid']) ? row.body['uid'] : '',
  tenant,
  account: accountIn(row.parent),
  namespace: namespaceOf(row),
  id: row.id,
  config: configOf(row),
});

/** The namespace that an instance is in. */
export const namespaceOf = ({ parent }: StoredRow): string => parent.slice(parent.lastIndexOf('/') + 1);
