import type { Account } from './account.ts';
import type { Accounts } from './accounts.ts';
import { createAttemptCounter, createCallerAttempts, type CallerLimits } from './attempts.ts';
import { type ConsoleSession, createConsoleSessions } from '../operators/console-sessions.ts';
import { CLOCKS_MS, NONCE_LIFE_MS } from '../oauth/nonce.ts';
import { createOperatorRecords } from '../operators/named-operators.ts';
import { createEpochStore, OPERATOR_ATTEMPTS, type SecretEvidence } from '../operators/secret.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { type Session, createSessions } from './sessions.ts';

/** A browser: the hash of the session it has now, signed in or not, and who calls. */
export type Browser = { session: string; caller: string };
/** A browser that gets a new session: `renewed` is the hash of the value its cookie will have. */
export type Renewal = Browser & { renewed: string };

export type Wait = { ok: false; reason: 'too_many_attempts'; retryAfterS: number };
export type NonceTaken = { ok: true } | { ok: false; reason: 'used' } | Wait;
export type OperatorSignIn = OperatorSignedIn<Session>;
/** The same at the console. */
export type ConsoleSignIn = OperatorSignedIn<ConsoleSession>;
type OperatorSignedIn<Opened> = { ok: true; session: Opened } | Wait | { ok: false; reason: 'wrong_secret' };

type OperatorAccount = Account & { kind: 'operator' };

const USED_NONCE = 'own:siwe-used:';
/** Sign-ins that are tried: each is a row for five minutes, and one that succeeds is a session. */
const SIGN_INS: CallerLimits = { perCaller: 300, perNetwork: 1_200, windowMs: NONCE_LIFE_MS };
/** Questions to contract wallets: each is a call of the RPC that we pay for (rule A3). */
const CONTRACT_CHECKS: CallerLimits = { perCaller: 10, perNetwork: 40, windowMs: NONCE_LIFE_MS };

/** What the store does for people who sign in. Signatures and secrets are judged before, by the Worker. */
export function createSignIn(tools: StoreTools, accounts: Accounts) {
  const { rows, now } = tools;
  const sessions = createSessions(tools);
  const consoleSessions = createConsoleSessions(tools);
  const signIns = createCallerAttempts(tools, 'sign-in', SIGN_INS);
  const contractChecks = createCallerAttempts(tools, 'contract-wallet', CONTRACT_CHECKS);
  const operatorFailures = createAttemptCounter(tools, 'operator', OPERATOR_ATTEMPTS);
  const epoch = createEpochStore(tools);
  const operators = createOperatorRecords(tools);
  /** Whose secret it is. Both are looked up, whichever it is. */
  const holderOf = ({ hash, provenEpoch }: SecretEvidence): Account | undefined => {
    const named = operators.bySecret(hash);
    const isRoot = provenEpoch !== undefined && provenEpoch === epoch.current()?.secret;
    if (isRoot) return accounts.operator();
    return named && accounts.byId(named.id);
  };
  /**
   * Who failed too often itself has to wait, with the right secret too: guessing must not go on behind the delay. The
   * failures of strangers delay wrong secrets alone: else anyone could keep the operator out (rule A4).
   */
  const signedIn = <Opened>(
    { caller }: Renewal,
    secret: SecretEvidence,
    open: (holder: OperatorAccount) => Opened,
  ): OperatorSignedIn<Opened> => {
    const ownWaitS = operatorFailures.ownWaitS(caller);
    if (ownWaitS !== undefined) return wait(ownWaitS);
    const holder = holderOf(secret);
    if (holder !== undefined) return { ok: true, session: open({ ...holder, kind: 'operator' }) };
    const retryAfterS = operatorFailures.waitS(caller);
    operatorFailures.count(caller);
    return retryAfterS === undefined ? { ok: false, reason: 'wrong_secret' } : wait(retryAfterS);
  };
  return {
    /**
     * Uses up a nonce, whatever becomes of the sign-in. The Worker has judged that it is ours, for this browser and still
     * good; its row outlives it.
     */
    takeNonce: (nonce: string, caller: string): NonceTaken => {
      const key = `${USED_NONCE}${nonce}`;
      if (rows.get(key) !== undefined) return { ok: false, reason: 'used' };
      const retryAfterS = signIns.waitS(caller);
      if (retryAfterS !== undefined) return wait(retryAfterS);
      signIns.count(caller);
      rows.put(key, true, now() + NONCE_LIFE_MS + CLOCKS_MS);
      return { ok: true };
    },
    /** Whether a contract wallet may be asked on behalf of this caller; counts it. */
    mayAskContract: (caller: string): { ok: true } | Wait => {
      const retryAfterS = contractChecks.waitS(caller);
      if (retryAfterS !== undefined) return wait(retryAfterS);
      contractChecks.count(caller);
      return { ok: true };
    },
    /** Signs the holder of an address in; the caller has proven that it is. */
    signInPayer: ({ session, renewed }: Renewal, address: string): Session => {
      const way = { kind: 'wallet', id: address.toLowerCase() } as const;
      return sessions.open({ ...accounts.visitor(address), kind: 'payer' }, renewed, session, way);
    },
    /** Signs an operator in, by the secret of this deployment or by one's own. */
    signInOperator: (renewal: Renewal, secret: SecretEvidence): OperatorSignIn =>
      signedIn(renewal, secret, (holder) => sessions.open(holder, renewal.renewed, renewal.session)),
    /** The same at the console, with the same counters: guesses there count here. */
    signInConsole: (renewal: Renewal, secret: SecretEvidence): ConsoleSignIn =>
      signedIn(renewal, secret, (holder) => consoleSessions.open(holder, renewal.renewed, renewal.session)),
  };
}

const wait = (retryAfterS: number): Wait => ({ ok: false, reason: 'too_many_attempts', retryAfterS });
