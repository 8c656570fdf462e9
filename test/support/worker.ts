import { createApp } from '../../routes/app.ts';
import { publicOnly } from '../../src/net/address-policy.ts';

export { PaymentLedger } from '../../durable-objects/payment-ledger.ts';
export { TargetGate } from '../../durable-objects/target-gate.ts';

/** The production app; the network behind `fetch` is the test's. */
export default createApp({ policy: () => publicOnly({ alternatePorts: true }), local: false });
