import { readWebhookSettings } from '../../../src/notifications/core/settings.ts';
import { selectTelemetryPort, type TelemetryTarget } from '../../shared/telemetry.ts';
import type { WebhookEnv } from './env.ts';

/** Where the webhook Worker writes its telemetry. */
export const getWebhookTelemetry = (env: WebhookEnv): Omit<TelemetryTarget, 'waitUntil'> => ({
  service: 'webhook',
  port: selectTelemetryPort(readWebhookSettings(env).TELEMETRY, env.CONTROL_TELEMETRY),
});
