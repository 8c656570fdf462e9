import type { CallAnswer, Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { type Copies, type CopyPage, type CopyQuery, createLogCopies } from './files/copy.ts';
import { createWebhookDeliveries, type WebhookDeliveryTools } from './delivery/delivery.ts';
import { type FileOrder, answerFileOrder, hasFiles } from './files/answer.ts';
import { createLogFiles } from './files/files.ts';
import type { EntryOrder } from './order.ts';
import type { EntryPage } from './page.ts';
import type { PlacedListener } from './routing.ts';

type CopyOrder = Extract<
  EntryOrder,
  { do: 'copy' } | { do: 'operation' } | { do: 'operations' } | { do: 'cancelCopy' }
>;
export type OutletOrder = CopyOrder | FileOrder | Extract<EntryOrder, { do: 'sinkGone' }>;

/** Where entries go beside buckets: webhooks, and files that sinks and copies write. */
export type Outlets = {
  /** Keeps what goes elsewhere; inside the transaction that writes the entries. */
  keep: PlacedListener;
  /** Does an order about copies, files or sinks. Null: the answer that the tenant's resources gave holds. */
  run: (tenant: Tenant, call: Call, order: OutletOrder) => CallAnswer | null;
  /** Sends and copies what is due, in bounded steps: the object's alarm. */
  work: () => Promise<void>;
  /** When there is work, Unix milliseconds; undefined when there is none. */
  nextMs: () => number | undefined;
  /** Whether a destination of sinks, `storage.googleapis.com/<bucket>`, has no files; undefined for any other name. */
  isEmptyStorage: (destination: string) => boolean | undefined;
  /** `whpk_<base64>`: what receivers verify the webhooks of the tenant's sinks with. */
  identity: () => Promise<string>;
  /** Forgets what waits, and the files. The key stays: receivers trust it. */
  reset: () => void;
};

const STORAGE_HOST = 'storage.googleapis.com/';
/** Steps of copies that one alarm takes; it comes again for the rest. */
const MAX_STEPS = 5;

export type CopiedPages = {
  page: (ask: CopyQuery, order: Extract<CopyOrder, { do: 'copy' }>) => EntryPage | Promise<CopyPage>;
};

/** @param tools `page` reads what buckets keep */
export function createLogExports(tools: WebhookDeliveryTools & CopiedPages): Outlets {
  const { transaction, now } = tools;
  const deliveries = createWebhookDeliveries(tools);
  const files = createLogFiles(tools);
  const copies = createLogCopies({ ...tools, files });
  return {
    keep(placed) {
      deliveries.keep(placed);
      files.keep(placed);
    },
    run(tenant, call, order) {
      if (order.do === 'files' || order.do === 'file') return answerFileOrder(tenant, call, order, { files, now });
      if (order.do !== 'sinkGone') return copyAnswer(order, copies, transaction);
      transaction(() => deliveries.drop(order.sink));
      return null;
    },
    async work() {
      try {
        for (let step = 0; step < MAX_STEPS && (copies.nextMs() ?? Number.POSITIVE_INFINITY) <= now(); step += 1)
          await copies.step();
      } finally {
        await deliveries.send(); // Also where a store does not answer a copy.
      }
    },
    nextMs: () => selectEarlierTime(copies.nextMs(), deliveries.nextMs()),
    isEmptyStorage: (destination) =>
      destination.startsWith(STORAGE_HOST) ? !hasFiles(destination.slice(STORAGE_HOST.length), files) : undefined,
    identity: deliveries.identity,
    reset() {
      deliveries.reset();
      files.reset();
      copies.reset();
    },
  };
}

function copyAnswer(
  order: CopyOrder,
  copies: Copies,
  transaction: WebhookDeliveryTools['transaction'],
): CallAnswer | null {
  if (order.do === 'operation') return copies.shown(order);
  if (order.do === 'operations') return copies.listed(order);
  transaction(() => (order.do === 'copy' ? copies.begin(order) : copies.cancel(order.operation)));
  return null;
}

const selectEarlierTime = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
