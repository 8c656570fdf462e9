import { createApp } from '../routes/app.ts';
import { publicOnly } from './net/address-policy.ts';

export { PaymentLedger } from '../durable-objects/payment-ledger.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';

/** The api Worker as deployed: it fetches public addresses only, and no variable can change that (rule F3). */
export default createApp({ policy: () => publicOnly({ alternatePorts: true }), local: false });
