import { readWebhookSettings } from '../../../src/notifications/core/settings.ts';
import { portOf, type Telling } from '../../shared/telemetry.ts';
import type { WebhookEnv } from './env.ts';

/** Where the webhook Worker writes its telemetry. */
export const ownTelemetry = (env: WebhookEnv): Omit<Telling, 'waitUntil'> => ({
  service: 'webhook',
  port: portOf(readWebhookSettings(env).TELEMETRY, env.CONTROL_TELEMETRY),
});
