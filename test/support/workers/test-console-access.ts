import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ConsoleAccessPort } from '../../../src/console-api/access.ts';
import type { ConsoleSession } from '../../../src/authorization/operators/console-sessions.ts';
import type { ConsoleSignIn } from '../../../src/authorization/people/sign-in.ts';
import type { LimitUses } from '../../../src/rate-limits/rate-counts.ts';

/**
 * Stands in for the api Worker's `ConsoleAccess`: there are operators, and none of them is signed in. Tests of the console
 * give the app one of their own (`consoleWorld`).
 */
export class TestConsoleAccess extends WorkerEntrypoint implements ConsoleAccessPort {
  async hasOperators(): Promise<boolean> {
    return true;
  }

  async signIn(): Promise<ConsoleSignIn> {
    return { ok: false, reason: 'wrong_secret' };
  }

  async session(): Promise<ConsoleSession | null> {
    return null;
  }

  async signOut(): Promise<void> {
    // Nobody is signed in.
  }

  async usage(): Promise<LimitUses> {
    return {};
  }
}
