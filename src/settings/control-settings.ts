import * as z from 'zod';
import { putVariables } from '../management/core/put-rule.ts';
import { entryVariables } from '../management/log-store/shards/settings.ts';
import { watchVariables } from '../management/watch/settings.ts';
import { engineVariables } from '../models/settings.ts';
import { otlpVariables } from '../telemetry/otlp-settings.ts';

const httpUrl = z.url({ protocol: /^https?$/ });
const unset = z.literal('').transform(() => undefined);

/** The variables of the control Worker, as text in its configuration. */
export const controlSettingsSchema = z.object({
  /** Origin of the authorization server: the api Worker's BASE_URL. */
  BASE_URL: httpUrl,
  /** Our own origin. Management interfaces live at its root: the vendors' clients drop any path. */
  CONTROL_URL: httpUrl,
  /** Of the webhook Worker, where there is one: nothing of ours is sent there by OTLP. */
  WEBHOOK_URL: z.union([unset, httpUrl]).optional(),
  /** `1`: tenants are sandboxes that may be reset, seeded, faulted (rule K2), but for the operator's; `all`: that too. */
  EMULATOR: z.union([unset, z.enum(['0', '1', 'all'])]).optional(),
  /** The operator's own tenant: the service's telemetry is its, and its quota preferences set our limits. */
  OPERATOR_TENANT: z.union([unset, z.string().max(64)]).optional(),
  /** Its project that holds them: `local` of `projects/local`. */
  OPERATOR_PROJECT: z.union([unset, z.string().regex(/^[a-z0-9-]{1,63}$/)]).optional(),
  /** Whether the service's own logs and spans go to that project: `control`. */
  TELEMETRY: z.union([unset, z.enum(['none', 'control'])]).optional(),
  ...putVariables,
  /** `own-origin`: parts of batches may have full URLs of CONTROL_URL, as Java's official client writes them. */
  BATCH_FULL_URLS: z.union([unset, z.enum(['own-origin'])]).optional(),
  ...otlpVariables,
  ...watchVariables,
  ...entryVariables,
  ...engineVariables,
});

export type ControlSettings = z.infer<typeof controlSettingsSchema>;
