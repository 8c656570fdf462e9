import { PaymentLedger } from '../../../durable-objects/payment-ledger.ts';

const opened = new Set<string>();

/** The shards that were opened since the last reset: no other has rows. */
export const listOpenedShards = (): readonly string[] => [...opened];

export const forgetOpenedShards = (): void => opened.clear();

/** The ledger itself, which also says which of its shards were opened: to look into all that ever were takes a second. */
export class CountedPaymentLedger extends PaymentLedger {
  constructor(...given: ConstructorParameters<typeof PaymentLedger>) {
    super(...given);
    opened.add(this.ctx.id.toString());
  }
}
