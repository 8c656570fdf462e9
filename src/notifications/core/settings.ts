import * as z from 'zod';
import { createSettingsReader } from '../../lib/settings-reader.ts';
import { HOUR_S } from '../../lib/time.ts';
import { type ChannelKey, parseChannelKeys } from '../channels/channel-token.ts';

const MAX_DESTINATIONS = 10;
/** What the vendor grants at most, as someone saw it; less is normal. */
const ASKED_TTL_S = 6 * HOUR_S;
const MAX_TTL_S = 30 * 24 * HOUR_S;

/** An empty variable is one that is not set. */
const ignoreEmpty = (given: unknown): unknown => (given === '' ? undefined : given);
const asOptional = <T extends z.ZodType>(schema: T) => z.preprocess(ignoreEmpty, schema.optional());

/** A receiver of signed outgoing webhooks (rule W8): a key of its own, and which effects it receives. */
const destination = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  /** As Standard Webhooks writes it: `whsec_` and base64 of 24 to 64 bytes. */
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/)
    .refine((secret) => (secret.length - 'whsec_'.length) % 4 === 0, 'base64 with its padding'),
  events: z
    .array(z.enum(['user', 'alert']))
    .min(1)
    .default(['user', 'alert']),
  /** Whether messages hold the user's e-mail address. */
  email: z.boolean().default(false),
});
export type Destination = z.infer<typeof destination>;

const destinations = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'no JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.array(destination).max(MAX_DESTINATIONS))
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'two destinations have one name');

/** The variables of the webhook Worker, as text in its configuration. */
export const webhookSettingsSchema = z.object({
  /** Origin of the authorization server: the api Worker's BASE_URL. */
  BASE_URL: z.url({ protocol: /^https?$/ }),
  /** Our own origin: channels are opened for addresses below it. */
  WEBHOOK_URL: z.url({ protocol: /^https?$/ }),
  /** Header prefix of the vendor's notifications. */
  VENDOR_HEADER_PREFIX: z.preprocess(
    ignoreEmpty,
    z
      .string()
      .regex(/^X-[A-Za-z]{1,20}-$/)
      .default('X-Goog-'),
  ),
  /** `<number>:<secret>`, one or two by comma: the first signs, both are taken (rule W1). */
  CHANNEL_TOKEN_KEYS: z.string().transform((text, context): readonly ChannelKey[] => {
    const keys = parseChannelKeys(text);
    if (keys !== undefined) return keys;
    context.addIssue({ code: 'custom', message: 'one or two of <number>:<secret of 32 characters or more>' });
    return z.NEVER;
  }),
  /** Origin of the directory. */
  DIRECTORY_URL: z.preprocess(ignoreEmpty, z.url({ protocol: /^https?$/ }).default('https://admin.googleapis.com')),
  /** Key file of a service account, as JSON text; or else a bearer token. */
  DIRECTORY_KEY: asOptional(z.string().max(65_536)),
  DIRECTORY_TOKEN: asOptional(z.string().regex(/^[\x21-\x7E]{1,4096}$/)),
  /** The administrator whom the service account acts for, where a channel names none. */
  DIRECTORY_SUBJECT: asOptional(z.string().max(254)),
  /** Life that is asked of the vendor for a channel, in seconds; only what it grants counts. */
  DIRECTORY_TTL_S: z.preprocess(ignoreEmpty, z.coerce.number().int().min(60).max(MAX_TTL_S).default(ASKED_TTL_S)),
  /** Where the Worker's own logs and spans go besides the console: `control` is the control Worker. */
  TELEMETRY: z.preprocess(ignoreEmpty, z.enum(['none', 'control']).default('none')),
  /** Receivers of signed outgoing webhooks, as JSON: see `destination`. */
  DESTINATIONS: z.preprocess((given) => (given === '' || given === undefined ? '[]' : given), destinations),
});

export type WebhookSettings = z.infer<typeof webhookSettingsSchema>;

/** The webhook Worker's settings. @throws Error as `createSettingsReader` */
export const readWebhookSettings: (env: object) => WebhookSettings = createSettingsReader(webhookSettingsSchema);
