import type { Handler, Handlers, Interface } from '../../core/engine/operation.ts';
import { methods } from '../../core/table/method-row.ts';
import * as adjuster from './adjuster.ts';
import { isKept } from './grants.ts';
import * as infos from './infos.ts';
import { listQuotaPreferences } from './preference-list.ts';
import { QUOTA } from './preference-rows.ts';
import * as preferences from './preferences.ts';

/** By the end of a method's id: each is served for projects, folders and organizations alike. */
const OPERATIONS: Readonly<Record<string, Handler>> = {
  'quotaPreferences.create': preferences.create,
  'quotaPreferences.get': preferences.getQuotaPreference,
  'quotaPreferences.list': listQuotaPreferences,
  'quotaPreferences.patch': preferences.patchQuotaPreference,
  'quotaInfos.get': infos.getQuotaInfo,
  'quotaInfos.list': infos.listQuotaInfos,
  'quotaAdjusterSettings.getQuotaAdjusterSettings': adjuster.getAdjusterSettings,
  'quotaAdjusterSettings.updateQuotaAdjusterSettings': adjuster.updateAdjusterSettings,
};

/** Quota v1. */
export const quotaV1: Interface = {
  name: 'quota',
  version: 'v1',
  errors: 'status',
  handlers: createVersionHandlers('v1'),
  // Rows of our own; v1beta has the same.
  collections: { [QUOTA.preferences]: '', [QUOTA.adjuster]: '' },
  rows: { [QUOTA.preferences]: isKept, [QUOTA.adjuster]: adjuster.isAdjuster },
};

/** Quota v1beta: the same resources. */
export const quotaV1beta: Interface = {
  name: 'quota',
  version: 'v1beta',
  errors: 'status',
  handlers: createVersionHandlers('v1beta'),
};

function createVersionHandlers(version: string): Handlers {
  const rows = methods.filter((row) => row.interface === 'quota' && row.version === version);
  const served = rows.flatMap(({ id }): [string, Handler][] => {
    const handler = OPERATIONS[id.split('.').slice(-2).join('.')];
    return handler === undefined ? [] : [[id, handler]];
  });
  return Object.fromEntries(served);
}
