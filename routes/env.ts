import * as z from 'zod';
import { FACILITATOR_CALLS_PER_S } from '../src/payment/facilitator.ts';
import type { PaymentLedger } from '../durable-objects/payment-ledger.ts';
import type { TargetGate } from '../durable-objects/target-gate.ts';

/** Bindings of the api Worker, as `wrangler.toml` declares them; text variables are parsed by `readSettings`. */
export type Env = {
  PAYMENT_LEDGER: DurableObjectNamespace<PaymentLedger>;
  TARGET_GATE: DurableObjectNamespace<TargetGate>;
  REPORTS: R2Bucket;
  FREE_LIMIT: RateLimit;
  FAILED_PAYMENT_LIMIT: RateLimit;
} & Record<string, unknown>;

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase());
const httpUrl = z.url({ protocol: /^https?$/ });
const unset = z.literal('').transform(() => undefined);

const settingsSchema = z.object({
  BASE_URL: httpUrl,
  PAY_TO: z.union([unset, address]).optional(),
  RPC_URL: z.union([unset, httpUrl]).optional(),
  FACILITATOR_URL: z.union([unset, httpUrl]).optional(),
  /** HMAC key of ledger shards: changing it makes every kept payment unknown. */
  LEDGER_SECRET: z.union([unset, z.string().min(32)]).optional(),
  /** Unix seconds; transfers mined before it are refused (rule P16). */
  PAYMENTS_SINCE: z.union([unset, z.coerce.number().int().min(1)]).optional(),
  TRANSFER_CONFIRMATIONS: z.coerce.number().int().min(1).max(1000).default(2),
  /** Confirmations for transfers of 1 USD and more: a number, or `safe`. */
  CONFIRMATIONS_ABOVE_1_USD: z.union([z.literal('safe'), z.coerce.number().int().min(1).max(1000)]).default('safe'),
  TRANSFER_MAX_AGE_S: z.coerce.number().int().min(60).max(2_592_000).default(86_400),
  /** From this price on, a bare transaction hash is refused: the payer must prove itself (rule P9). */
  REQUIRE_PAYER_PROOF_ABOVE_USD: z.union([unset, z.coerce.number().min(0)]).optional(),
  /** Calls a second that the facilitator stands from one isolate; past half of it signatures are recovered here first. */
  FACILITATOR_CALLS_PER_S: z.coerce.number().int().min(2).max(100_000).default(FACILITATOR_CALLS_PER_S),
  FACILITATOR_AUTHORIZATION: z.union([unset, z.string()]).optional(),
});

export type Settings = z.infer<typeof settingsSchema>;

const parsed = new WeakMap<object, Settings>();

/**
 * The Worker's settings, parsed once per isolate.
 * @throws Error naming the variables (never their values) that do not parse: the deployment is broken, answer 500.
 */
export function readSettings(env: Env): Settings {
  const known = parsed.get(env);
  if (known) return known;
  const outcome = settingsSchema.safeParse(env);
  if (!outcome.success) {
    const names = outcome.error.issues.map((issue) => issue.path.join('.'));
    throw new Error(`Settings that do not parse: ${[...new Set(names)].join(', ')}`);
  }
  parsed.set(env, outcome.data);
  return outcome.data;
}
