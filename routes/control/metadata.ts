import { normaliseResource, getIssuer } from '../../src/authorization/oauth/resources.ts';
import { handlers } from '../../src/management/core/interfaces.ts';
import { methods } from '../../src/management/core/table/method-row.ts';
import type { ControlSettings } from './bindings/env.ts';
import { isEmulator } from './bindings/tenants.ts';

const EMULATOR_SCOPE = 'emulator';

/** What this resource says of itself to clients in search of a token (RFC 9728, section 2): only scopes of methods that are served. */
export function buildControlMetadata(settings: ControlSettings): Record<string, unknown> {
  const served = methods.filter(({ id }) => Object.hasOwn(handlers, id)).flatMap(({ scopes }) => scopes);
  return {
    resource: normaliseResource(settings.CONTROL_URL),
    authorization_servers: [getIssuer(settings.BASE_URL)],
    scopes_supported: [...new Set(served), ...(isEmulator(settings) ? [EMULATOR_SCOPE] : [])],
    bearer_methods_supported: ['header'],
    resource_name: 'Sightline management interfaces',
  };
}
