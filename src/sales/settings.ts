import * as z from 'zod';
import { RUN_WORST_CASE_S } from '../capabilities/catalog.ts';
import { PAYMENT_NETWORK_IDS } from '../payment/terms/networks-data.ts';
import { FACILITATOR_CALLS_PER_S } from '../payment/facilitator/facilitator.ts';
import { parseJson } from '../lib/json.ts';
import { retiredKeys } from '../statements/retired-keys.ts';
import { parseSigningSeed } from '../statements/signing-key.ts';

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase());

const httpUrl = z.url({ protocol: /^https?$/ });

const unset = z.literal('').transform(() => undefined);

const ledgerSecret = z.union([unset, z.string().min(32)]).optional();

/** An Ed25519 seed. */
const botKey = z.union([unset, z.string().regex(/^[A-Za-z0-9_-]{43}$/)]).optional();

const MAX_BOT_PREFIXES = 100;
const prefix = z.union([z.cidrv4(), z.cidrv6()]);
const botAddresses = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(prefix).max(MAX_BOT_PREFIXES));

const withDefault =
  (value: number) =>
  (given: number | undefined): number =>
    given ?? value;

const MAX_IDENTITIES = 10;
/** Some two hundred names. */
const MAX_FREE_HOSTS_CHARS = 8_192;

const MAX_SELLER_CHARS = 500;

const DEFAULT_DNS_RESOLVER = 'https://cloudflare-dns.com/dns-query';

/** Parsed here, so that a key of another form is named at the start and never used. */
const signingSeed = z.string().transform((text, context) => {
  const seed = parseSigningSeed(text);
  if (seed === undefined) context.addIssue('no Ed25519 key');
  return seed ?? z.NEVER;
});

const MAX_RETIRED_CHARS = 16_384;
const retired = z
  .string()
  .max(MAX_RETIRED_CHARS)
  .transform((text, context) => {
    const read = retiredKeys.safeParse(parseJson(text));
    if (!read.success) context.addIssue('no list of public keys');
    return read.data ?? z.NEVER;
  });

const identities = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(z.url({ protocol: /^https$/ })).max(MAX_IDENTITIES));

/** The variables of the api Worker, as text in its configuration. */
export const apiWorkerSettingsSchema = z.object({
  BASE_URL: httpUrl,
  /** Origins of the other Workers, each a resource of the authorization server when it is set. */
  WEBHOOK_URL: z.union([unset, httpUrl]).optional(),
  CONTROL_URL: z.union([unset, httpUrl]).optional(),
  /** Where the Worker's own logs and spans go besides the console: `control` is the control Worker. */
  TELEMETRY: z.union([unset, z.enum(['none', 'control'])]).optional(),
  /** Where payments are made, as CAIP-2 names it: Base, or its public test network. Without it Base. */
  PAYMENT_NETWORK: z.union([unset, z.enum(PAYMENT_NETWORK_IDS)]).optional(),
  PAY_TO: z.union([unset, address]).optional(),
  /** Further networks, as a JSON list of rows; see `parseNetworkRows`. */
  PAYMENT_NETWORKS: z.union([unset, z.string()]).optional(),
  /** Addresses with keys in them, and headers of facilitators, which those rows name. */
  NETWORK_SECRET_A: z.union([unset, z.string()]).optional(),
  NETWORK_SECRET_B: z.union([unset, z.string()]).optional(),
  NETWORK_SECRET_C: z.union([unset, z.string()]).optional(),
  NETWORK_SECRET_D: z.union([unset, z.string()]).optional(),
  /** `closed`: nothing is sold, while what was sold stays its buyer's. Without it sales are open. */
  SALES: z.union([unset, z.enum(['open', 'closed'])]).optional(),
  RPC_URL: z.union([unset, httpUrl]).optional(),
  FACILITATOR_URL: z.union([unset, httpUrl]).optional(),
  /** `off`: answers 402 have no challenges of MPP, and `Authorization` pays nothing. Without it MPP is sold by. */
  MPP: z.union([unset, z.enum(['on', 'off'])]).optional(),
  /** Makes publish tokens and the challenges of MPP, and places payments among the shards of the ledger where no other key is said to. */
  LEDGER_SECRET: ledgerSecret,
  /** The one before it: publish tokens and challenges that it made are still good. */
  LEDGER_SECRET_PREVIOUS: ledgerSecret,
  /** Places payments, for the whole life of the ledger: what LEDGER_SECRET was at its first sale. */
  LEDGER_PLACING_SECRET: ledgerSecret,
  /** Signs results and receipts, and gives the key of delivery figures: a private JWK of Ed25519, or its 32 bytes as base64url. */
  RESULT_SIGNING_KEY: z.union([unset, signingSeed]).optional(),
  /** Public keys that signed before, as a JSON list of JWKs: they stay listed. */
  RESULT_SIGNING_KEYS_RETIRED: z.union([unset, retired]).optional(),
  /** Unix seconds; transfers mined before it are refused (rule P16). */
  PAYMENTS_SINCE: z.union([unset, z.coerce.number().int().min(1)]).optional(),
  TRANSFER_CONFIRMATIONS: z.coerce.number().int().min(1).max(1000).default(2),
  /** Confirmations for transfers of 1 USD and more: a number, or `safe`. */
  CONFIRMATIONS_ABOVE_1_USD: z.union([z.literal('safe'), z.coerce.number().int().min(1).max(1000)]).default('safe'),
  TRANSFER_MAX_AGE_S: z.coerce.number().int().min(60).max(2_592_000).default(86_400),
  /** From this price or value on, a bare transaction hash is refused: the payer must prove itself (rules P6, P9); from the smallest credit pack on always. */
  REQUIRE_PAYER_PROOF_ABOVE_USD: z.union([unset, z.coerce.number().min(0)]).optional(),
  /** Calls a second that one isolate may send to the facilitator; past half, signatures are recovered here first. */
  FACILITATOR_CALLS_PER_S: z.coerce.number().int().min(2).max(100_000).default(FACILITATOR_CALLS_PER_S),
  /** Who runs the deployment, for its pages: an e-mail address, and https addresses, by commas, of entries in public registers. */
  CONTACT_EMAIL: z.union([unset, z.email().max(254)]).optional(),
  OPERATOR_IDENTITIES: z.union([unset, identities]).optional(),
  /** Signs the operator in: at least 32 random bytes as base64url. Unset or shorter: there is no operator sign-in (rule A4). */
  OPERATOR_SECRET: z.union([unset, z.string()]).optional(),
  /** Signs what audits ask of sites, so that their owners can verify it: 32 random bytes as base64url. Unset: nothing is signed. */
  BOT_SIGNING_KEY: botKey,
  /** The one before it, listed while verifiers may still hold requests of it. */
  BOT_SIGNING_KEY_PREVIOUS: botKey,
  /** Addresses that audits come from, as prefixes by commas, where the deployment has such: a deployment on Cloudflare has none of its own. */
  BOT_ADDRESSES: z.union([unset, botAddresses]).optional(),
  /** Origins, by commas, whose pages may call the MCP endpoints from a browser besides our own. */
  MCP_ALLOWED_ORIGINS: z.union([unset, z.string()]).optional(),
  /** Reads DNS for proofs of ownership: a resolver that answers `application/dns-json`. */
  DNS_RESOLVER_URL: z
    .union([unset, httpUrl])
    .optional()
    .transform((url) => url ?? DEFAULT_DNS_RESOLVER),
  FACILITATOR_AUTHORIZATION: z.union([unset, z.string()]).optional(),
  /** Credits by card: a key of Stripe's API, and the secrets that sign its events. Which keys are good says `readCardKeys`. */
  STRIPE_SECRET_KEY: z.union([unset, z.string().max(255)]).optional(),
  STRIPE_WEBHOOK_SECRET: z.union([unset, z.string().max(255)]).optional(),
  STRIPE_WEBHOOK_SECRET_PREVIOUS: z.union([unset, z.string().max(255)]).optional(),
  /** Who sells, for receipts: a name, lines of an address by semicolons, and a number for taxes. */
  SELLER_NAME: z.union([unset, z.string().max(MAX_SELLER_CHARS)]).optional(),
  SELLER_ADDRESS: z.union([unset, z.string().max(MAX_SELLER_CHARS)]).optional(),
  SELLER_TAX_ID: z.union([unset, z.string().max(MAX_SELLER_CHARS)]).optional(),
  /** Which answer engines measure visibility, as a JSON list of rows; without it the one that ANSWER_ENGINE names does. */
  ANSWER_ENGINES: z.union([unset, z.string()]).optional(),
  /** Keys of those engines, which their rows name. */
  ANSWER_KEY_OPENAI: z.union([unset, z.string()]).optional(),
  ANSWER_KEY_ANTHROPIC: z.union([unset, z.string()]).optional(),
  ANSWER_KEY_GOOGLE: z.union([unset, z.string()]).optional(),
  ANSWER_KEY_PERPLEXITY: z.union([unset, z.string()]).optional(),
  ANSWER_KEY_A: z.union([unset, z.string()]).optional(),
  ANSWER_KEY_B: z.union([unset, z.string()]).optional(),
  ANSWER_KEY_C: z.union([unset, z.string()]).optional(),
  ANSWER_KEY_D: z.union([unset, z.string()]).optional(),
  /** Which answer engine measures visibility: a name of the entry's engines, or `none`. */
  ANSWER_ENGINE: z.union([unset, z.string()]).optional(),
  ANSWER_ENGINE_URL: z.union([unset, httpUrl]).optional(),
  ANSWER_ENGINE_MODEL: z.union([unset, z.string()]).optional(),
  ANSWER_ENGINE_KEY: z.union([unset, z.string()]).optional(),
  /** Tokens that an answer may have: fewer than 1,200 would cut off every fourth name. */
  ANSWER_ENGINE_MAX_TOKENS: z.coerce.number().int().min(1200).max(100_000).default(1500),
  /** What 30 answers cost, for the meter of unpaid runs. */
  ANSWER_ENGINE_USD_PER_RUN: z
    .union([unset, z.coerce.number().gt(0).max(100)])
    .optional()
    .transform(withDefault(0.2)),
  /** Above so much engine money an hour on payments that are not settled, visibility takes transfers only (rule P5). */
  UNPAID_ENGINE_USD_PER_HOUR: z
    .union([unset, z.coerce.number().min(0)])
    .optional()
    .transform(withDefault(5)),
  /** Hosts, by commas, whose monitors operators run without charge; and what those may spend on engines in a day of UTC. */
  MONITOR_FREE_HOSTS: z.union([unset, z.string().max(MAX_FREE_HOSTS_CHARS)]).optional(),
  MONITOR_FREE_ENGINE_USD_PER_DAY: z
    .union([unset, z.coerce.number().min(0)])
    .optional()
    .transform(withDefault(0)),
  /** From which address monitors write mail, by the binding EMAIL; without either of the two they write none. */
  MONITOR_MAIL_FROM: z.union([unset, z.email().max(254)]).optional(),
  /** From which address links to sign in are written, in the same way; without it no one signs in by e-mail. */
  SIGN_IN_MAIL_FROM: z.union([unset, z.email().max(254)]).optional(),
  /** Longest call of the engine, and longest run of 30 of them, in seconds. */
  ANSWER_TIMEOUT_S: z.coerce.number().min(1).max(120).default(45),
  VISIBILITY_RUN_S: z.coerce.number().min(1).max(RUN_WORST_CASE_S).default(RUN_WORST_CASE_S),
});

export type ApiWorkerSettings = z.infer<typeof apiWorkerSettingsSchema>;

/** Whether nothing is sold, by the operator's word. */
export const isClosedForSale = ({ SALES }: Pick<ApiWorkerSettings, 'SALES'>): boolean => SALES === 'closed';
