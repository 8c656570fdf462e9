import type { Answer } from '../engine/operation.ts';
import { copiesOf } from './copy.ts';
import { deliveriesOf, type DeliveryTools } from './delivery.ts';
import { type Files, filesOf } from './files.ts';
import type { EntryOrder } from './order.ts';
import type { Ask, Page } from './page.ts';
import type { PlacedListener } from './placed.ts';

export type OutletOrder = Extract<EntryOrder, { do: 'copy' } | { do: 'operation' }>;

/** Where entries go beside buckets: webhooks, and files that sinks and copies write. */
export type Outlets = {
  /** Keeps what goes elsewhere; inside the transaction that writes the entries. */
  keep: PlacedListener;
  /** Does an order about copies. Null: the answer that the tenant's resources gave holds. */
  run: (order: OutletOrder) => Answer | null;
  /** Sends and copies what is due, in bounded steps: the object's alarm. */
  work: () => Promise<void>;
  /** When there is work, Unix milliseconds; undefined when there is none. */
  nextMs: () => number | undefined;
  /** `whpk_<base64>`: what receivers verify the webhooks of the tenant's sinks with. */
  identity: () => Promise<string>;
  /** Forgets what waits, and the files. The key stays: receivers trust it. */
  reset: () => void;
  files: Files;
};

/** Steps of copies that one alarm takes; it comes again for the rest. */
const MAX_STEPS = 5;

/** @param tools `page` reads what buckets keep */
export function outletsOf(tools: DeliveryTools & { page: (ask: Ask) => Page }): Outlets {
  const { transaction, now } = tools;
  const deliveries = deliveriesOf(tools);
  const files = filesOf(tools);
  const copies = copiesOf({ ...tools, files });
  const run = (order: OutletOrder): Answer | null => {
    if (order.do === 'operation') return copies.shown(order);
    transaction(() => copies.begin(order));
    return null;
  };
  return {
    keep(placed) {
      deliveries.keep(placed);
      files.keep(placed);
    },
    run,
    async work() {
      for (let step = 0; step < MAX_STEPS && (copies.nextMs() ?? Number.POSITIVE_INFINITY) <= now(); step += 1)
        transaction(() => copies.step());
      await deliveries.send();
    },
    nextMs: () => least(copies.nextMs(), deliveries.nextMs()),
    identity: deliveries.identity,
    reset() {
      deliveries.reset();
      files.reset();
      copies.reset();
    },
    files,
  };
}

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
