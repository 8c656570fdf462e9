import type { HostProof, ProofLook } from './proof.ts';

/** Hosts that one account may claim, and accounts that may claim one host. */
export const MAX_HOSTS_OF_ACCOUNT = 100;
export const MAX_CLAIMS_OF_HOST = 50;

export type HostClaimResult = { ok: true; proof: HostProof } | { ok: false; reason: 'too_many_claims' };
/** `too_soon`: a look asks the host, and so does not come more often than once a minute. */
export type LookTurn =
  | { ok: true; proof: HostProof }
  | { ok: false; reason: 'not_claimed' | 'too_soon'; retryAfterS: number };

/** What is known of one host by its own object. */
export interface HostRecordObject {
  /** The proof of an account, made when it is new. */
  claim(account: string, host: string): Promise<HostClaimResult>;
  proof(account: string): Promise<HostProof | undefined>;
  /** A turn to look for the value; it counts whether or not the look comes back. */
  takeLook(account: string): Promise<LookTurn>;
  /** Undefined: the claim was dropped while it was looked for. */
  recordLook(account: string, value: string, look: ProofLook): Promise<HostProof | undefined>;
  drop(account: string): Promise<void>;
}

/** The hosts of one account, in the order in which they were claimed. */
export interface HostListObject {
  hosts(): Promise<readonly string[]>;
  /** False: it has too many. */
  addHost(host: string): Promise<boolean>;
  removeHost(host: string): Promise<void>;
}
