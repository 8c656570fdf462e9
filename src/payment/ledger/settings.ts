import * as z from 'zod';
import { BASE, PAYMENT_NETWORK_IDS } from '../terms/networks-data.ts';

const optionalSecret = z
  .string()
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const LedgerSettings = z.object({
  LEDGER_SECRET: z.string().min(1),
  LEDGER_SECRET_PREVIOUS: optionalSecret,
  LEDGER_PLACING_SECRET: optionalSecret,
  RPC_URL: z.url({ protocol: /^https?$/ }),
  PAY_TO: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .toLowerCase(),
  PAYMENT_NETWORK: z
    .enum(PAYMENT_NETWORK_IDS)
    .or(z.literal('').transform(() => BASE.id))
    .default(BASE.id),
  PAYMENT_NETWORKS: optionalSecret,
  NETWORK_SECRET_A: optionalSecret,
  NETWORK_SECRET_B: optionalSecret,
  NETWORK_SECRET_C: optionalSecret,
  NETWORK_SECRET_D: optionalSecret,
  TRANSFER_MAX_AGE_S: z.coerce.number().int().positive().default(86_400),
});

/** What the ledger objects read from their environment. `PAY_TO` is lower case. */
export type LedgerSettings = z.infer<typeof LedgerSettings>;

/** Throws when a setting is missing or malformed: a ledger that cannot reconcile must not take payments (rule P31). */
export function parseLedgerSettings(env: unknown): LedgerSettings {
  return LedgerSettings.parse(env);
}
