import { WorkerEntrypoint } from 'cloudflare:workers';
import type { DirectoryUserGone } from '../../../src/authorization/operators/accounts.ts';
import { authorizationStore } from './people-store.ts';
import type { Env } from './env.ts';
import { directoryUserId as idSchema } from '../../../src/authorization/operators/bodies.ts';

/** What the Worker that hears of directory users may tell us, over a service binding (rule W6). */
export class Revocation extends WorkerEntrypoint<Env> {
  /**
   * Ends the access of the operator who is this directory user, if there is one; the last operator keeps it. May be told
   * again. A text that no operator can have as directory user id is nobody's.
   */
  async directoryUserGone(directoryUserId: string): Promise<DirectoryUserGone> {
    const id = idSchema.safeParse(directoryUserId);
    return id.success ? authorizationStore(this.env).directoryUserGone(id.data) : 'none';
  }
}
