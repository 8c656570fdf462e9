import type { Artifact } from '../../core/artifact.ts';
import { getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { readTextFile, type SiteTextFile } from '../../llms-txt/facts/llms-files.ts';
import { MCP_ROLES } from './places.ts';

/** Bytes of a public key by the algorithm that the registry knows: Ed25519, and a compressed point of P-384. */
const KEY_BYTES: Readonly<Record<string, number>> = { ed25519: 32, ecdsap384: 49 };

/** What /.well-known/mcp-registry-auth holds. */
export type RegistryProof =
  | { state: 'valid'; algorithm: string }
  | { state: 'broken'; why: string }
  | { state: 'absent' }
  | { state: 'unread'; why: string };

/** The artifact: the proof and the answer it was read from. Never fails as a whole. */
export function parseMcpRegistry(snapshot: Snapshot): Artifact<{ file: SiteTextFile; proof: RegistryProof }> {
  const find = getExchangeLookup(snapshot);
  const file = readTextFile(find(MCP_ROLES.registryProof), find('control'));
  return { state: 'ready', value: { file, proof: readFileProof(file) } };
}

function readFileProof(file: SiteTextFile): RegistryProof {
  if (file.state === 'unreadable') return { state: 'unread', why: file.why };
  return file.state === 'absent' ? { state: 'absent' } : readRegistryProof(file.answer.body);
}

/**
 * Reads `v=MCPv1; k=<algorithm>; p=<base64>`, the record by which a domain proves its namespace. Never throws.
 * @see https://github.com/modelcontextprotocol/registry docs, authentication by DNS and HTTP
 */
export function readRegistryProof(text: string): RegistryProof {
  const match = /^v=MCPv1; {0,9}k=([^;\s]{1,40}); {0,9}p=([A-Za-z0-9+/=]{1,200})$/.exec(text.slice(0, 4096).trim());
  if (!match) return { state: 'broken', why: 'is not "v=MCPv1; k=<algorithm>; p=<base64 key>"' };
  const [, algorithm = '', key = ''] = match;
  const bytes = KEY_BYTES[algorithm];
  if (bytes === undefined) return { state: 'broken', why: 'names an algorithm that the registry does not know' };
  const digits = key.replace(/={1,2}$/, '');
  const fits = !digits.includes('=') && Math.floor((digits.length * 3) / 4) === bytes;
  return fits ? { state: 'valid', algorithm } : { state: 'broken', why: `has no key of ${bytes} bytes` };
}
