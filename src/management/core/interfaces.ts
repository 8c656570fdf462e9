import { aiSearch, autorag } from '../interfaces/aisearch/index.ts';
import { directory } from '../interfaces/directory/index.ts';
import { drive } from '../interfaces/drive/index.ts';
import { groupsSettings } from '../interfaces/groupssettings/index.ts';
import type { Handlers, Interface } from './engine/operation.ts';
import { licensing } from '../interfaces/licensing/index.ts';
import { logging } from '../interfaces/logging/index.ts';
import { mediation, mediationV1 } from '../interfaces/mediation/index.ts';
import { quotaV1, quotaV1beta } from '../interfaces/quota/index.ts';
import { reports } from '../interfaces/reports/index.ts';
import { reseller } from '../interfaces/reseller/index.ts';
import { storage } from '../interfaces/storage/index.ts';
import { tags } from '../interfaces/tags/index.ts';
import { tracingV1, tracingV2, tracingV2beta1 } from '../interfaces/tracing/index.ts';

/** The interfaces that are served. A further one: its rows in the generator, its module, its row here. */
export const interfaces: readonly Interface[] = [
  directory,
  groupsSettings,
  licensing,
  reports,
  reseller,
  logging,
  tracingV2,
  tracingV2beta1,
  tracingV1,
  quotaV1,
  quotaV1beta,
  tags,
  drive,
  storage,
  aiSearch,
  autorag,
  mediation,
  mediationV1,
];

/** All handlers by method id. */
export const handlers: Handlers = Object.fromEntries(interfaces.flatMap((each) => Object.entries(each.handlers)));

/** The interface of a method. Undefined for one that is not served. */
export function findInterface(name: string, version: string): Interface | undefined {
  return interfaces.find((each) => each.name === name && each.version === version);
}
