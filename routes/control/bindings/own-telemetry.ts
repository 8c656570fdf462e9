import type { TelemetryTarget } from '../../shared/telemetry.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { writeTelemetry } from './telemetry-writer.ts';

/** The control Worker writes its own telemetry itself. */
export const getControlTelemetry = (env: ControlEnv): Omit<TelemetryTarget, 'waitUntil'> => ({
  service: 'control',
  port: readControlSettings(env).TELEMETRY === 'control' ? { write: (batch) => writeTelemetry(batch, env) } : undefined,
});
