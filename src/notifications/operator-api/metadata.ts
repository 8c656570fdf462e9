import { canonicalResource, issuerOf } from '../../authorization/oauth/resources.ts';
import type { ServiceScope } from '../../authorization/oauth/scopes.ts';
import type { WebhookSettings } from '../core/settings.ts';

export const READ_SCOPE = 'channels:read' as const satisfies ServiceScope;
export const WRITE_SCOPE = 'channels:write' as const satisfies ServiceScope;

/** What this resource says of itself to clients in search of a token (RFC 9728, section 2). */
export function resourceMetadata({ BASE_URL, WEBHOOK_URL }: WebhookSettings): Record<string, unknown> {
  return {
    resource: canonicalResource(WEBHOOK_URL),
    authorization_servers: [issuerOf(BASE_URL)],
    scopes_supported: [READ_SCOPE, WRITE_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Sightline notification channels',
  };
}
