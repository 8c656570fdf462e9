import type { Outside } from './outside.ts';
import { readWebhookSettings } from './settings.ts';
import type { StateTools } from './sql.ts';
import type { Vendor } from './vendor.ts';
import { vendorClient } from './vendor-client.ts';

/** The directory of this deployment, by its settings. @throws Error as `settingsReader` */
export function directoryOf(
  env: object,
  { directoryKey, fetch }: Pick<Outside, 'directoryKey' | 'fetch'>,
  tools: Pick<StateTools, 'now' | 'random'>,
): Vendor {
  const { DIRECTORY_URL, DIRECTORY_TOKEN, DIRECTORY_SUBJECT } = readWebhookSettings(env);
  return vendorClient({
    ...tools,
    fetch,
    key: directoryKey,
    directoryUrl: DIRECTORY_URL,
    token: DIRECTORY_TOKEN,
    subject: DIRECTORY_SUBJECT,
  });
}
