import { type HostProof, isHostProven, computeNextLookMs, normaliseHost, type ProofLook } from './proof.ts';
import type { HostListObject, HostRecordObject } from './protocol.ts';

export type OwnerPorts = {
  record: (host: string) => HostRecordObject;
  list: (account: string) => HostListObject;
  look: (proof: HostProof) => Promise<ProofLook>;
  now: () => number;
};

export type ClaimAnswer =
  | { ok: true; proof: HostProof }
  | { ok: false; reason: 'invalid_host' | 'too_many_hosts' | 'too_many_claims' };
/** `look`: what was seen now. */
export type LookAnswer =
  | { ok: true; proof: HostProof; look: ProofLook }
  | { ok: false; reason: 'not_claimed' | 'too_soon'; retryAfterS: number };

export type Owners = {
  claim: (account: string, host: string) => Promise<ClaimAnswer>;
  /** Looks for the value now, because its owner asks. */
  look: (account: string, host: string) => Promise<LookAnswer>;
  /** Whether the account is proven to own the host. A proof whose time has come is looked for first. */
  isProven: (account: string, host: string) => Promise<boolean>;
  /** The proof of a host that the account claims. */
  find: (account: string, host: string) => Promise<HostProof | undefined>;
  /** The proofs of an account. */
  list: (account: string) => Promise<readonly HostProof[]>;
  drop: (account: string, host: string) => Promise<void>;
  /** The owner deletes the account. */
  forget: (account: string) => Promise<void>;
};

/** Hosts and who owns them. What a host or a resolver does never throws; an object that cannot be reached does. */
export function createOwners({ record, list, look, now }: OwnerPorts): Owners {
  const lookNow = async (account: string, host: string): Promise<LookAnswer> => {
    const turn = await record(host).takeLook(account);
    if (!turn.ok) return turn;
    const seen = await look(turn.proof);
    const proof = await record(host).recordLook(account, turn.proof.value, seen);
    return proof ? { ok: true, proof, look: seen } : { ok: false, reason: 'not_claimed', retryAfterS: 0 };
  };
  const drop = async (account: string, host: string): Promise<void> => {
    await record(host).drop(account);
    await list(account).removeHost(host);
  };
  return {
    async claim(account, text) {
      const host = normaliseHost(text);
      if (host === undefined) return { ok: false, reason: 'invalid_host' };
      // The list first: a claim that no list names could never be deleted.
      if (!(await list(account).addHost(host))) return { ok: false, reason: 'too_many_hosts' };
      const claimed = await record(host).claim(account, host);
      if (!claimed.ok) await list(account).removeHost(host);
      return claimed;
    },
    look: lookNow,
    async isProven(account, text) {
      const host = normaliseHost(text);
      const proof = host === undefined ? undefined : await record(host).proof(account);
      if (host === undefined || proof === undefined) return false;
      const dueMs = computeNextLookMs(proof);
      if (dueMs === undefined || dueMs > now()) return isHostProven(proof, now());
      const answer = await lookNow(account, host);
      return isHostProven(answer.ok ? answer.proof : proof, now());
    },
    async find(account, text) {
      const host = normaliseHost(text);
      // Its own list first: a host that it never claimed has no object to ask.
      if (host === undefined || !(await list(account).hosts()).includes(host)) return undefined;
      return record(host).proof(account);
    },
    async list(account) {
      const hosts = await list(account).hosts();
      const proofs = await Promise.all(hosts.map((host) => record(host).proof(account)));
      return proofs.filter((proof) => proof !== undefined);
    },
    drop,
    async forget(account) {
      for (const host of await list(account).hosts()) await drop(account, host);
    },
  };
}
