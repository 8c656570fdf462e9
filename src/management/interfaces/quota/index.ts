import type { Handler, Handlers, Interface } from '../../core/engine/operation.ts';
import { methods } from '../../core/table/method-row.ts';
import * as adjuster from './adjuster.ts';
import { isKept } from './grants.ts';
import * as infos from './infos.ts';
import { list } from './preference-list.ts';
import { QUOTA } from './preference-rows.ts';
import * as preferences from './preferences.ts';

/** By the end of a method's id: each is served for projects, folders and organizations alike. */
const OPERATIONS: Readonly<Record<string, Handler>> = {
  'quotaPreferences.create': preferences.create,
  'quotaPreferences.get': preferences.get,
  'quotaPreferences.list': list,
  'quotaPreferences.patch': preferences.patch,
  'quotaInfos.get': infos.get,
  'quotaInfos.list': infos.list,
  'quotaAdjusterSettings.getQuotaAdjusterSettings': adjuster.get,
  'quotaAdjusterSettings.updateQuotaAdjusterSettings': adjuster.update,
};

/** Quota v1 (seed 3, "Quota"). */
export const quotaV1: Interface = {
  name: 'quota',
  version: 'v1',
  errors: 'status',
  handlers: handlersOf('v1'),
  // Rows of our own; v1beta has the same.
  collections: { [QUOTA.preferences]: '', [QUOTA.adjuster]: '' },
  rows: { [QUOTA.preferences]: isKept, [QUOTA.adjuster]: adjuster.isAdjuster },
};

/** Quota v1beta: the same resources. */
export const quotaV1beta: Interface = {
  name: 'quota',
  version: 'v1beta',
  errors: 'status',
  handlers: handlersOf('v1beta'),
};

function handlersOf(version: string): Handlers {
  const rows = methods.filter((row) => row.interface === 'quota' && row.version === version);
  const served = rows.flatMap(({ id }): [string, Handler][] => {
    const handler = OPERATIONS[id.split('.').slice(-2).join('.')];
    return handler === undefined ? [] : [[id, handler]];
  });
  return Object.fromEntries(served);
}
