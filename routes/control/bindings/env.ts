import * as z from 'zod';
import { createSettingsReader } from '../../../src/lib/settings-reader.ts';
import type { EngineMeter } from '../../../durable-objects/engine-meter.ts';
import type { EntryStore } from '../../../durable-objects/entry-store.ts';
import type { RateCounter } from '../../../durable-objects/rate-counter.ts';
import type { ResourceStore } from '../../../durable-objects/resource-store.ts';
import type { SearchInstance } from '../../../durable-objects/search-instance.ts';
import type { TargetGate } from '../../../durable-objects/target-gate.ts';
import type { TenantRegistry } from '../../../durable-objects/tenant-registry.ts';
import type { TokenJudge } from '../../../src/authorization/oauth/tokens.ts';
import type { ConsoleAccessPort } from '../../../src/console-api/access.ts';
import type { OperationsPort } from '../../../src/console-api/operations.ts';
import type { ConsoleDeskPort } from '../../../src/console-api/channel-orders.ts';
import type { PushMessage } from '../../../src/management/watch/push-message.ts';
import type { PdfService } from '../../../src/search/pdf/reader.ts';
import { engineVariables } from '../../../src/models/settings.ts';
import { putVariables } from '../../../src/management/core/put-rule.ts';
import { entryVariables } from '../../../src/management/log-store/shards/settings.ts';
import { watchVariables } from '../../../src/management/watch/settings.ts';
import { otlpVariables } from '../../../src/telemetry/otlp-settings.ts';

/** Bindings of the control Worker, as `wrangler.control.toml` declares them; text variables are parsed by `readControlSettings`. */
export type ControlEnv = {
  RESOURCE_STORE: DurableObjectNamespace<ResourceStore>;
  TENANT_REGISTRY: DurableObjectNamespace<TenantRegistry>;
  ENTRY_STORE: DurableObjectNamespace<EntryStore>;
  /** `Authorization` of the api Worker. */
  AUTHORIZATION: TokenJudge;
  /** `ConsoleAccess` of the api Worker. */
  CONSOLE_ACCESS: ConsoleAccessPort;
  /** `Operations` of the api Worker. */
  OPERATIONS: OperationsPort;
  /** `ConsoleDesk` of the webhook Worker; not where a local stack has none. */
  CONSOLE_DESK?: ConsoleDeskPort;
  /** `PdfReader` of the Worker that reads PDFs. */
  PDF_READER: PdfService;
  PUSH: Queue<PushMessage>;
  MANAGEMENT_LIMIT: RateLimit;
  RATE_COUNTER: DurableObjectNamespace<RateCounter>;
  SEARCH_INSTANCE: DurableObjectNamespace<SearchInstance>;
  TARGET_GATE: DurableObjectNamespace<TargetGate>;
  ENGINE_METER: DurableObjectNamespace<EngineMeter>;
  /** Models of the platform; only where the deployment declares it. */
  AI?: Ai;
  /** Static files of the console. */
  ASSETS?: Fetcher;
} & Record<string, unknown>;

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

/** The control Worker's settings. @throws Error as `createSettingsReader` */
export const readControlSettings: (env: ControlEnv) => ControlSettings = createSettingsReader(controlSettingsSchema);
