import { createAccounts } from '../people/accounts.ts';
import { createOperatorRecords } from './named-operators.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { type Session, createSessions } from '../people/sessions.ts';

/** An operator who is signed in to the console. Times are Unix milliseconds. */
export type ConsoleSession = {
  operator: { id: string; name: string };
  signedInAtMs: number;
  expiresAtMs: number;
};

const ROOT_NAME = 'operator';

/**
 * Sessions of the console, by the hash of their value: rows of their own, so that a value of one of its cookies opens
 * nothing at the api, and no value of the api's opens the console (rule K10). They end as other sessions of operators do.
 */
export function createConsoleSessions(tools: StoreTools) {
  const sessions = createSessions(tools, 'console');
  const accounts = createAccounts(tools);
  const named = createOperatorRecords(tools);
  const shown = ({ accountId, signedInAtMs, expiresAtMs }: Session): ConsoleSession => {
    const name = accounts.isRootOperator(accountId) ? ROOT_NAME : (named.get(accountId)?.name ?? accountId);
    return { operator: { id: accountId, name }, signedInAtMs, expiresAtMs };
  };
  return {
    open: (...given: Parameters<typeof sessions.open>): ConsoleSession => shown(sessions.open(...given)),
    /** Undefined for anyone but an operator who still is one. */
    find: (hash: string): ConsoleSession | undefined => {
      const session = sessions.find(hash);
      return session?.kind === 'operator' ? shown(session) : undefined;
    },
    close: sessions.close,
  };
}
