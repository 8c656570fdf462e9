import { aiSearch, autorag } from './aisearch/index.ts';
import { directory } from './directory/index.ts';
import { drive } from './drive/index.ts';
import type { Handlers, Interface } from './engine/operation.ts';
import { logging } from './logging/index.ts';
import { mediation } from './mediation/index.ts';
import { quotaV1, quotaV1beta } from './quota/index.ts';
import { reseller } from './reseller/index.ts';
import { storage } from './storage/index.ts';
import { tags } from './tags/index.ts';
import { tracingV1, tracingV2, tracingV2beta1 } from './tracing/index.ts';

/** The interfaces that are served. A further one: its rows in the generator, its module, its row here. */
export const interfaces: readonly Interface[] = [
  directory,
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
];

/** All handlers by method id. */
export const handlers: Handlers = Object.fromEntries(interfaces.flatMap((each) => Object.entries(each.handlers)));

/** The interface of a method. Undefined for one that is not served. */
export function interfaceOf(name: string, version: string): Interface | undefined {
  return interfaces.find((each) => each.name === name && each.version === version);
}
