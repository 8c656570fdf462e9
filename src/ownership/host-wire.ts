import { formatIsoTimestamp } from '../lib/time.ts';
import {
  computeNextLookMs,
  formatProofUrl,
  formatRecordText,
  type HostProof,
  isHostProven,
  listRecordNames,
} from './proof.ts';

/** A claim of a host as programs read it. */
export type WireHost = {
  host: string;
  /** `waiting`: never found yet. `ended`: it was found once, and is not there any more. */
  state: 'waiting' | 'proven' | 'ended';
  /** The value is looked for in all of these places; one is enough. */
  proof: { dns: { names: readonly string[]; type: 'TXT'; value: string }; file: { url: string; text: string } };
  claimed_at: string;
  found_at: string | null;
  found_in: 'dns' | 'file' | null;
  looked_at: string | null;
  /** When it is looked for again without being asked. */
  next_look_at: string | null;
};

export function formatHost(proof: HostProof, nowMs: number): WireHost {
  const { host, foundAtMs, foundIn, lookedAtMs, createdAtMs } = proof;
  const text = formatRecordText(proof);
  const nextMs = computeNextLookMs(proof);
  return {
    host,
    state: isHostProven(proof, nowMs) ? 'proven' : foundAtMs === null ? 'waiting' : 'ended',
    proof: {
      dns: { names: listRecordNames(host), type: 'TXT', value: text },
      file: { url: formatProofUrl(host), text },
    },
    claimed_at: formatIsoTimestamp(createdAtMs),
    found_at: foundAtMs === null ? null : formatIsoTimestamp(foundAtMs),
    found_in: foundIn,
    looked_at: lookedAtMs === null ? null : formatIsoTimestamp(lookedAtMs),
    next_look_at: nextMs === undefined ? null : formatIsoTimestamp(nextMs),
  };
}
