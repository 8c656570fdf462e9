import { generateRandomHex } from '../lib/digest.ts';
import { DAY_MS } from '../lib/time.ts';
import { withoutTrailingDot } from '../net/address.ts';
import { getRegistrableDomain } from '../net/registrable-domain.ts';

/** The value is bound to one account and one host: it proves nothing for another. */
export type HostProof = {
  host: string;
  account: string;
  /** 32 hex digits. */
  value: string;
  createdAtMs: number;
  /** The last time that it was found; null before the first. */
  foundAtMs: number | null;
  /** Where it was found then. */
  foundIn: ProofPlace | null;
  /** The last look, whatever it saw; null before the first. */
  lookedAtMs: number | null;
  /** Since when every look saw that it is not there any more; null while it is, or while it cannot be seen. */
  missingSinceMs: number | null;
};

export type ProofPlace = 'dns' | 'file';

/** What a look saw. `unknown`: a place could not be read and the other one does not have it, which is not "no". */
export type ProofLook =
  | { state: 'found'; place: ProofPlace }
  | { state: 'absent'; places: readonly PlaceLook[] }
  | { state: 'unknown'; places: readonly PlaceLook[] };
/** `name`: the DNS name or the URL that was read. */
export type PlaceLook = { place: ProofPlace; name: string; outcome: 'absent' | 'unreadable'; detail: string };

/** A proof is looked for again after this, in milliseconds. */
export const PROOF_EVERY_MS = 30 * DAY_MS;
/** Between two looks while the last one did not find it. */
const RETRY_EVERY_MS = DAY_MS;
/** How long a proof holds after it was found last, looks that could see nothing included. */
const PROOF_HOLDS_MS = 37 * DAY_MS;
/** How long a value may be missing before the proof ends: long enough for a move of a site or of its DNS. */
const MISSING_HOLDS_MS = 3 * DAY_MS;
const VALUE_BYTES = 16;
const DNS_LABEL = '_sightline';
const DNS_PREFIX = 'sightline-site-verification=';
/** Longest host name, in characters (RFC 1035, section 2.3.4). */
export const MAX_HOST_CHARS = 253;

/** A new value; nothing is proven by it yet. */
export const openProof = (account: string, host: string, nowMs: number): HostProof => ({
  host,
  account,
  value: generateRandomHex(VALUE_BYTES),
  createdAtMs: nowMs,
  foundAtMs: null,
  foundIn: null,
  lookedAtMs: null,
  missingSinceMs: null,
});

/**
 * A host as proofs name it: lower case, without port and trailing dot. Undefined for an address, a single label and what is no
 * host, since no one owns those.
 */
export function normaliseHost(text: string): string | undefined {
  const given = text.trim();
  const address = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  if (given === '' || !URL.canParse(address)) return undefined;
  const host = withoutTrailingDot(new URL(address).hostname);
  const isName = host.length <= MAX_HOST_CHARS && /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/.test(host);
  return isName ? host : undefined;
}

/** Names whose TXT records are read: of the host, and of the domain that its owner registered. */
export function listRecordNames(host: string): readonly string[] {
  return [...new Set([host, getRegistrableDomain(host)])].map((name) => `${DNS_LABEL}.${name}`);
}

/** The text of the TXT record. */
export const formatRecordText = ({ value }: Pick<HostProof, 'value'>): string => `${DNS_PREFIX}${value}`;

/** The file on the host; a line of it is the same text as the record. */
export const formatProofUrl = (host: string): string => `https://${host}/.well-known/sightline-verification.txt`;

/** The proof after a look at `nowMs`. */
export function recordLook(proof: HostProof, look: ProofLook, nowMs: number): HostProof {
  if (look.state === 'found')
    return { ...proof, foundAtMs: nowMs, foundIn: look.place, lookedAtMs: nowMs, missingSinceMs: null };
  const missingSinceMs = look.state === 'absent' ? (proof.missingSinceMs ?? nowMs) : proof.missingSinceMs;
  return { ...proof, lookedAtMs: nowMs, missingSinceMs };
}

/** Whether the account may act as the owner of the host now. */
export function isHostProven({ foundAtMs, missingSinceMs }: HostProof, nowMs: number): boolean {
  if (foundAtMs === null || nowMs - foundAtMs > PROOF_HOLDS_MS) return false;
  return missingSinceMs === null || nowMs - missingSinceMs <= MISSING_HOLDS_MS;
}

/** `look_due`: it is looked for first, and what is then known decides. */
export type ProofState = 'proven' | 'look_due' | 'ended';

/** @param wasLooked whether a look was just made, or could not be */
export function judgeProof(proof: HostProof, nowMs: number, wasLooked: boolean): ProofState {
  const dueMs = computeNextLookMs(proof);
  if (!wasLooked && dueMs !== undefined && dueMs <= nowMs) return 'look_due';
  return isHostProven(proof, nowMs) ? 'proven' : 'ended';
}

/** When it is looked for again, in Unix milliseconds; undefined where it was never found: its owner asks then. */
export function computeNextLookMs({ foundAtMs, lookedAtMs }: HostProof): number | undefined {
  if (foundAtMs === null || lookedAtMs === null) return undefined;
  if (lookedAtMs === foundAtMs) return foundAtMs + PROOF_EVERY_MS;
  return lookedAtMs - foundAtMs > PROOF_HOLDS_MS ? undefined : lookedAtMs + RETRY_EVERY_MS;
}
