import { findUnsafeAddresses, isDeployedAt, type SettingFinding } from '../../../src/lib/settings-reader.ts';
import { findUnsafeEngineUrls } from '../../../src/models/core/api-endpoint.ts';
import type { ControlSettings } from '../../../src/settings/control-settings.ts';

/** Settings of the control Worker that are unsafe or stop a part of it. A local stack has none. */
export function findUnsafeControlSettings(settings: ControlSettings): readonly SettingFinding[] {
  const { BASE_URL, CONTROL_URL, WEBHOOK_URL, EMULATOR, OPERATOR_TENANT, OPERATOR_PROJECT } = settings;
  if (!isDeployedAt(CONTROL_URL)) return [];
  const { ANSWER_ENGINE_URL, EMBEDDING_ENGINE_URL, OTEL_EXPORTER_OTLP_ENDPOINT } = settings;
  return [
    ...findUnsafeAddresses({ BASE_URL, CONTROL_URL, WEBHOOK_URL, OTEL_EXPORTER_OTLP_ENDPOINT }),
    ...findUnsafeEngineUrls({ ANSWER_ENGINE_URL, EMBEDDING_ENGINE_URL }),
    ...findEmulatorRisks(EMULATOR),
    ...(OPERATOR_TENANT === undefined || OPERATOR_PROJECT === undefined
      ? [
          {
            setting: 'OPERATOR_TENANT',
            severity: 'warn' as const,
            detail: 'It or OPERATOR_PROJECT is not set, so the console can change nothing: it has no audit log',
            next: 'Set both',
          },
        ]
      : []),
  ];
}

function findEmulatorRisks(emulator: ControlSettings['EMULATOR']): readonly SettingFinding[] {
  if (emulator !== '1' && emulator !== 'all') return [];
  const isAll = emulator === 'all';
  return [
    {
      setting: 'EMULATOR',
      severity: 'fail',
      detail: isAll
        ? 'It is on for every tenant, the operator’s too: a caller can reset and fault its data'
        : 'It is on: tenants are sandboxes, and a caller can reset and fault its own data',
      next: 'Unset it where real data is stored',
    },
  ];
}
