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
import type { CardActsPort, CardFactsPort } from '../../../src/console-api/cards.ts';
import type { ServiceActsPort, ServiceFactsPort } from '../../../src/console-api/service.ts';
import type { ConsoleDeskPort } from '../../../src/console-api/channel-orders.ts';
import type { PushMessage } from '../../../src/management/watch/push-message.ts';
import type { PdfService } from '../../../src/search/pdf/reader.ts';
import { type ControlSettings, controlSettingsSchema } from '../../../src/settings/control-settings.ts';

/** Bindings of the control Worker, as `wrangler.control.toml` declares them; text variables are parsed by `readControlSettings`. */
export type ControlEnv = {
  RESOURCE_STORE: DurableObjectNamespace<ResourceStore>;
  TENANT_REGISTRY: DurableObjectNamespace<TenantRegistry>;
  ENTRY_STORE: DurableObjectNamespace<EntryStore>;
  /** `Authorization` of the api Worker. */
  AUTHORIZATION: TokenJudge;
  /** `ConsoleAccess` of the api Worker. */
  CONSOLE_ACCESS: ConsoleAccessPort & ServiceActsPort & CardActsPort;
  /** `Operations` of the api Worker. */
  OPERATIONS: OperationsPort & ServiceFactsPort & CardFactsPort;
  /** `ConsoleDesk` of the webhook Worker; not where a local stack has none. */
  CONSOLE_DESK?: ConsoleDeskPort & Pick<ServiceFactsPort, 'about'>;
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

/** The control Worker's settings. @throws Error as `createSettingsReader` */
export const readControlSettings: (env: ControlEnv) => ControlSettings = createSettingsReader(controlSettingsSchema);
