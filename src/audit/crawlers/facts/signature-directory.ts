import { parseMediaType } from '../../../lib/media-type.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { isJsonRecord, getString } from '../../structured-data/facts/json-document.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';

/** Keys of one directory that are read. */
const MAX_KEYS = 100;
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';
const DIRECTORY_TAG = 'http-message-signatures-directory';

/** A key directory for signed requests; `secret` when a key gives its private part away. */
export type SignatureDirectory = { keys: number; ed25519: number; secret: boolean };

/** Artifact `signatureDirectory`: the keys of bots that the site runs. Never fails as a whole. */
export function readSignatureDirectory(snapshot: Snapshot): Artifact<DocumentState<SignatureDirectory>> {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readDocument(find('signature-directory'), find('control'), readKeys) };
}

function readKeys(value: unknown): SignatureDirectory | undefined {
  if (!isJsonRecord(value) || !Array.isArray(value['keys'])) return undefined;
  const keys = (value['keys'] as readonly unknown[]).slice(0, MAX_KEYS);
  return {
    keys: keys.length,
    ed25519: keys.filter(isEd25519).length,
    secret: keys.some((key) => getString(key, 'd') !== undefined),
  };
}

/** 32 bytes in base64url, without padding (RFC 8037, 2). */
const isEd25519 = (key: unknown): boolean =>
  getString(key, 'kty') === 'OKP' &&
  getString(key, 'crv') === 'Ed25519' &&
  /^[\w-]{43}$/u.test(getString(key, 'x') ?? '');

/**
 * What keeps a found directory from being trusted, in our words. Whether its signature holds is not checked: a snapshot
 * keeps no signatures, so only that the answer says it is signed for this purpose (RFC 9421, 4.1).
 */
export function listDirectoryFaults(headers: Readonly<Record<string, string>>): readonly string[] {
  const type = parseMediaType(headers['content-type'] ?? '');
  const signed = (headers['signature-input'] ?? '').includes(`tag="${DIRECTORY_TAG}"`);
  return [
    ...(type === DIRECTORY_TYPE ? [] : ['it is served under another media type']),
    ...(signed ? [] : ['its answer is not signed']),
  ];
}
