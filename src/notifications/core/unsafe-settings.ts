import { findUnsafeAddresses, isDeployedAt, type SettingFinding } from '../../lib/settings-reader.ts';
import type { WebhookSettings } from './settings.ts';

/** Settings of the webhook Worker that are unsafe or stop its work. A local stack has none. */
export function findUnsafeWebhookSettings(settings: WebhookSettings): readonly SettingFinding[] {
  const { BASE_URL, WEBHOOK_URL, DIRECTORY_URL, DIRECTORY_KEY, DIRECTORY_TOKEN, DESTINATIONS } = settings;
  if (!isDeployedAt(WEBHOOK_URL)) return [];
  return [
    ...findUnsafeAddresses({ BASE_URL, WEBHOOK_URL, DIRECTORY_URL }),
    ...DESTINATIONS.flatMap(({ url }) => findUnsafeAddresses({ DESTINATIONS: url })).slice(0, 1),
    ...findDirectoryGaps(DIRECTORY_KEY !== undefined, DIRECTORY_TOKEN !== undefined),
    ...(DESTINATIONS.some(({ events }) => events.includes('alert'))
      ? []
      : [
          warn(
            'DESTINATIONS',
            'No receiver gets alerts: they are in the log only',
            'Add a receiver with the event "alert"',
          ),
        ]),
  ];
}

function findDirectoryGaps(hasKey: boolean, hasToken: boolean): readonly SettingFinding[] {
  if (hasKey) return [];
  if (hasToken) return [warn('DIRECTORY_TOKEN', 'It ends, and nothing renews it', 'Set DIRECTORY_KEY instead')];
  return [warn('DIRECTORY_KEY', 'It is not set, so the directory refuses every call', 'Set DIRECTORY_KEY')];
}

const warn = (setting: string, detail: string, next: string): SettingFinding => ({
  setting,
  severity: 'warn',
  detail,
  next,
});
