import { WorkerEntrypoint } from 'cloudflare:workers';
import type { DirectoryUserGone } from '../../../src/authorization/operators/accounts.ts';
import { getAuthorizationStore } from './people-store.ts';
import type { Env } from './env.ts';
import { directoryUserId as idSchema } from '../../../src/authorization/operators/bodies.ts';

/** What the Worker that hears of directory users may tell us, over a service binding (rule W6). */
export class Revocation extends WorkerEntrypoint<Env> {
  /**
   * Ends the access of the operator who is this directory user, if there is one; the last operator keeps it. Safe to
   * repeat. A text that cannot be the directory user id of an operator matches no operator.
   */
  async directoryUserGone(directoryUserId: string): Promise<DirectoryUserGone> {
    const id = idSchema.safeParse(directoryUserId);
    return id.success ? getAuthorizationStore(this.env).directoryUserGone(id.data) : 'none';
  }
}
