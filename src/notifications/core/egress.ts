import { type AddressPolicy, publicOnly } from '../../net/address-policy.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';
import { readWebhookSettings } from './settings.ts';

/** How the objects of the webhook Worker reach what is outside. */
export type Outside = {
  fetch: FetchFunction;
  /** Addresses that outgoing webhooks may go to (rule F5). */
  policy: AddressPolicy;
  /** The directory's service-account key as JSON text; undefined where there is none. */
  directoryKey: () => Promise<string | undefined>;
};

/** As deployed: public addresses only, and the key of the settings. No variable opens anything else. */
export function outsideOf(env: object, send: FetchFunction): Outside {
  return {
    fetch: send,
    policy: publicOnly({ alternatePorts: true }),
    directoryKey: async () => readWebhookSettings(env).DIRECTORY_KEY,
  };
}
