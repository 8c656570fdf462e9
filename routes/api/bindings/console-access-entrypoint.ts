import { WorkerEntrypoint } from 'cloudflare:workers';
import * as z from 'zod';
import type { ConsoleSession } from '../../../src/authorization/operators/console-sessions.ts';
import { isUsableSecret } from '../../../src/authorization/operators/sign-in.ts';
import type { ConsoleSignIn } from '../../../src/authorization/people/sign-in.ts';
import { type LimitUses, readLimitUses } from '../../../src/rate-limits/rate-counts.ts';
import { getAuthorizationStore } from './people-store.ts';
import type { ConsoleAccessPort, ConsoleSignInOrder } from '../../../src/console-api/access.ts';
import { type Env, readSettings } from './env.ts';
import { identifySecret } from '../../../src/authorization/operators/secret.ts';

/** What a session is named by: SHA-256 as hex. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const MAX_CALLER_CHARS = 256;
/** As long as a form of the console. What is too long for a secret is a wrong one. */
const MAX_SECRET_CHARS = 32_768;
const orderSchema = z.strictObject({
  secret: z.string().max(MAX_SECRET_CHARS),
  caller: z.string().max(MAX_CALLER_CHARS),
  previous: hash,
  renewed: hash,
});

/**
 * What the operator's console, which the control Worker serves, may ask over a service binding. The secret comes here to
 * be judged, beside the one place that knows it; sessions stay in the authorization store.
 */
export class ConsoleAccess extends WorkerEntrypoint<Env> implements ConsoleAccessPort {
  async hasOperators(): Promise<boolean> {
    return (
      isUsableSecret(readSettings(this.env).OPERATOR_SECRET) || getAuthorizationStore(this.env).hasNamedOperators()
    );
  }

  /** An order that no console would send is answered like a wrong secret. */
  async signIn(order: ConsoleSignInOrder): Promise<ConsoleSignIn> {
    const parsed = orderSchema.safeParse(order);
    if (!parsed.success) return { ok: false, reason: 'wrong_secret' };
    const { secret, caller, previous, renewed } = parsed.data;
    const known = await identifySecret(secret, readSettings(this.env).OPERATOR_SECRET);
    return getAuthorizationStore(this.env).signInConsole({ session: previous, renewed, caller }, known);
  }

  async session(session: string): Promise<ConsoleSession | null> {
    if (!hash.safeParse(session).success) return null;
    return (await getAuthorizationStore(this.env).consoleSession(session)) ?? null;
  }

  async signOut(session: string): Promise<void> {
    if (hash.safeParse(session).success) await getAuthorizationStore(this.env).signOutConsole(session);
  }

  usage(): Promise<LimitUses> {
    return readLimitUses(this.env.RATE_COUNTER);
  }
}
