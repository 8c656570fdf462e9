import type { Egress } from '../core/egress.ts';
import { readWebhookSettings } from '../core/settings.ts';
import type { StateTools } from '../core/protocol.ts';
import type { Vendor } from './vendor.ts';
import { createVendorClient } from './client.ts';

/** The directory of this deployment, by its settings. @throws Error as `createSettingsReader` */
export function createDirectory(
  env: object,
  { directoryKey, fetch }: Pick<Egress, 'directoryKey' | 'fetch'>,
  tools: Pick<StateTools, 'now' | 'random'>,
): Vendor {
  const { DIRECTORY_URL, DIRECTORY_TOKEN, DIRECTORY_SUBJECT } = readWebhookSettings(env);
  return createVendorClient({
    ...tools,
    fetch,
    key: directoryKey,
    directoryUrl: DIRECTORY_URL,
    token: DIRECTORY_TOKEN,
    subject: DIRECTORY_SUBJECT,
  });
}
