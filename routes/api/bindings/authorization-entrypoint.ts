import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { getAuthorizationStore } from './people-store.ts';
import type { Env } from './env.ts';

/** What other Workers of the deployment may ask about tokens, over a service binding. */
export class Authorization extends WorkerEntrypoint<Env> {
  /** What a token says, if it is good for this resource now; null otherwise. `resource` is the asking Worker's own. */
  validate(token: string, resource: string): Promise<ValidToken | null> {
    return getAuthorizationStore(this.env).validate(token, resource);
  }
}
