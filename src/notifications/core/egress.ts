import { type AddressPolicy, allowPublicOnly } from '../../net/address-policy.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';
import { readWebhookSettings } from './settings.ts';

/** How the objects of the webhook Worker reach what is outside. */
export type Egress = {
  fetch: FetchFunction;
  /** Addresses that outgoing webhooks may go to (rule F5). */
  policy: AddressPolicy;
  /** The directory's service-account key as JSON text; undefined where there is none. */
  directoryKey: () => Promise<string | undefined>;
};

/** As deployed: public addresses only, and the key of the settings. No variable opens anything else. */
export function createEgress(env: object, send: FetchFunction): Egress {
  return {
    fetch: send,
    policy: allowPublicOnly({ alternatePorts: true }),
    directoryKey: async () => readWebhookSettings(env).DIRECTORY_KEY,
  };
}
