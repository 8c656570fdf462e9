import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { formatIsoTimestamp } from '../../core/engine/named-collection.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { findQuota } from './catalogue.ts';
import {
  computeCurrentGrant,
  isPending,
  type StoredPreference,
  readStoredPreference,
  describePreferenceState,
} from './grants.ts';

/** Collections of the store, shared by both versions. */
export const QUOTA = { preferences: 'quota.preferences', adjuster: 'quota.adjusterSettings' } as const;
/** What preferences are for, unique in the tenant. */
export const TARGETS = 'quota.targets';

/** Preferences that one container may have: a list orders all of them. */
export const MAX_PREFERENCES = 1_000;

/** A preference with what it is worth now. */
export type Preference = { row: ResourceRow; kept: StoredPreference; granted: string; isPending: boolean };

export function readPreference(row: ResourceRow, nowMs: number): Preference {
  const kept = readStoredPreference(row.body);
  const quota = findQuota(kept.service, kept.quotaId);
  return { row, kept, granted: computeCurrentGrant(kept, quota, nowMs), isPending: isPending(kept, nowMs) };
}

/** All preferences of a container, by id. */
export const listContainerPreferences = (container: string, context: Context): readonly Preference[] =>
  context.store
    .list({ collection: QUOTA.preferences, parent: container, limit: MAX_PREFERENCES })
    .map(({ row }) => readPreference(row, context.now()));

/** What a preference is for, as a name that only one can have. */
export function hashPreferenceTarget(container: string, { service, quotaId, dimensions }: StoredPreference): string {
  const pairs = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([container, service, quotaId, pairs]))));
}

/** A preference as callers see it. The contact is never shown (input only). */
export function toPreferenceResource(row: ResourceRow, context: Context): JsonObject {
  const nowMs = context.now();
  const { kept, granted, isPending: reconciling } = readPreference(row, nowMs);
  const { service, quotaId, dimensions, annotations, justification, traceId } = kept;
  const body: JsonObject = {
    name: formatPreferenceName(row),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions: { ...dimensions } }),
    quotaConfig: {
      preferredValue: kept.preferredValue,
      stateDetail: describePreferenceState(kept, findQuota(service, quotaId), nowMs),
      ...(granted === '' ? {} : { grantedValue: granted }),
      ...(traceId === '' ? {} : { traceId }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations: { ...annotations } }),
      requestOrigin: ORIGIN,
    },
    createTime: formatIsoTimestamp(kept.createdMs),
    updateTime: formatIsoTimestamp(kept.updatedMs),
    service,
    quotaId,
    reconciling,
    ...(justification === '' ? {} : { justification }),
  };
  return { ...body, etag: context.etagOf(row.revision, body) };
}

/** Requests come neither from a console nor from an adjuster here. */
export const ORIGIN = 'ORIGIN_UNSPECIFIED';

export const formatPreferenceName = ({ parent, id }: Pick<ResourceRow, 'parent' | 'id'>): string =>
  `${parent}/locations/global/quotaPreferences/${id}`;
