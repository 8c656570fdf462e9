import { type LimitUses, readLimitUses } from '../../../src/rate-limits/rate-counts.ts';
import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { getAuthorizationStore } from './people-store.ts';
import { getTokenRouter } from './token-router.ts';
import { type Env, readSettings } from './env.ts';
import type { DirectoryUserGone } from '../../../src/authorization/operators/accounts.ts';
import { directoryUserId as idSchema } from '../../../src/authorization/operators/bodies.ts';
import * as z from 'zod';
import type { ConsoleSession } from '../../../src/authorization/operators/console-sessions.ts';
import { isUsableSecret, identifySecret } from '../../../src/authorization/operators/secret.ts';
import type { ConsoleSignIn } from '../../../src/authorization/people/sign-in.ts';
import type {
  ConsoleCommand,
  ConsoleCreditOrder,
  ServiceActsPort,
  TakeDownOrder,
} from '../../../src/console-api/service.ts';
import type { CardActsPort, ConsoleCardRefund } from '../../../src/console-api/cards.ts';
import { createServiceActs } from './console/console-acts.ts';
import { createCardActs } from './cards/console-cards.ts';
import type { ConsoleAccessPort, ConsoleSignInOrder } from '../../../src/console-api/access.ts';

/** What other Workers of the deployment may ask about tokens, over a service binding. */
export class Authorization extends WorkerEntrypoint<Env> {
  /** What a token says, if it is good for this resource now; null otherwise. `resource` is the asking Worker's own. */
  validate(token: string, resource: string): Promise<ValidToken | null> {
    return getTokenRouter(this.env).validate(token, resource);
  }
}

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
export class ConsoleAccess extends WorkerEntrypoint<Env> implements ConsoleAccessPort, ServiceActsPort, CardActsPort {
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

  async operate(session: string, command: ConsoleCommand) {
    return createServiceActs(this.env).operate(session, command);
  }

  async registeredClients(session: string, asked: { after?: string }) {
    return createServiceActs(this.env).registeredClients(session, asked);
  }

  async adjustCredits(session: string, order: ConsoleCreditOrder) {
    return createServiceActs(this.env).adjustCredits(session, order);
  }

  async takeDown(session: string, order: TakeDownOrder) {
    return createServiceActs(this.env).takeDown(session, order);
  }

  async refundCard(session: string, order: ConsoleCardRefund) {
    return createCardActs(this.env).refundCard(session, order);
  }

  usage(): Promise<LimitUses> {
    return readLimitUses(this.env.RATE_COUNTER);
  }
}
