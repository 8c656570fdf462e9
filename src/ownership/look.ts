import { isSameText } from '../lib/digest.ts';
import type { TxtResolver } from '../net/dns-over-https.ts';
import type { GuardedFetch } from '../net/fetched.ts';
import {
  formatProofUrl,
  formatRecordText,
  type HostProof,
  listRecordNames,
  type PlaceLook,
  type ProofLook,
} from './proof.ts';

/** `fetch` is guarded: the host is named by a user. */
export type LookTools = { resolveTxt: TxtResolver; fetch: GuardedFetch };

/** Read of the file, in bytes; the text has 60. */
const MAX_FILE_BYTES = 4 * 1024;
const OK = 200;

/** Looks for the value of a proof, in DNS first. Never throws for what the network does. */
export async function lookForProof(proof: HostProof, tools: LookTools): Promise<ProofLook> {
  const wanted = formatRecordText(proof);
  const places: PlaceLook[] = [];
  for (const name of listRecordNames(proof.host)) {
    const found = await lookInDns(name, wanted, tools);
    if (found === true) return { state: 'found', place: 'dns' };
    places.push(found);
  }
  const found = await lookInFile(proof.host, wanted, tools);
  if (found === true) return { state: 'found', place: 'file' };
  places.push(found);
  const state = places.some(({ outcome }) => outcome === 'unreadable') ? 'unknown' : 'absent';
  return { state, places };
}

async function lookInDns(name: string, wanted: string, { resolveTxt }: LookTools): Promise<true | PlaceLook> {
  const answer = await resolveTxt(name);
  if (!answer.ok) return { place: 'dns', name, outcome: 'unreadable', detail: answer.detail };
  if (answer.texts.some((text) => isSameText(text.trim(), wanted))) return true;
  const detail = answer.texts.length === 0 ? 'it has no TXT record' : 'no TXT record of it has the value';
  return { place: 'dns', name, outcome: 'absent', detail };
}

/** An answer of another host proves nothing about this one: the file counts where no redirect leads away. */
async function lookInFile(host: string, wanted: string, tools: LookTools): Promise<true | PlaceLook> {
  const url = formatProofUrl(host);
  const say = (outcome: PlaceLook['outcome'], detail: string): PlaceLook => ({
    place: 'file',
    name: url,
    outcome,
    detail,
  });
  const answer = await tools.fetch({ url, maxBytes: MAX_FILE_BYTES, follow: false });
  if (!answer.ok) return say('unreadable', answer.reason);
  if (answer.status >= 500 || answer.status === 429) return say('unreadable', `it answers ${answer.status}`);
  if (answer.status !== OK) return say('absent', `it answers ${answer.status}`);
  const lines = new TextDecoder().decode(answer.bytes).split(/\r?\n/);
  return lines.some((line) => isSameText(line.trim(), wanted)) ? true : say('absent', 'no line of it is the value');
}
