import * as z from 'zod';
import { type ApiCall, type ApiRoute, OWN_CREDENTIAL_PATH, readJson } from './calls.ts';
import { findAssetSession, openAssetSession } from './asset-tokens.ts';
import { RefusedCall } from './refusals-data.ts';

/** Files of one upload: more than one bucket is needed for our pages. */
const FILES_PER_BUCKET = 40;
const manifestSchema = z.object({
  manifest: z.record(z.string(), z.object({ hash: z.string(), size: z.number() })),
});

/** Which files are not known yet, in buckets; the token is that of the end where none is. */
function openSession(call: ApiCall) {
  const { manifest } = manifestSchema.parse(readJson(call));
  const hashes = new Set(Object.values(manifest).map(({ hash }) => hash));
  const missing = [...hashes].filter((hash) => !call.account.files.has(hash));
  const buckets = Array.from({ length: Math.ceil(missing.length / FILES_PER_BUCKET) }, (_, i) =>
    missing.slice(i * FILES_PER_BUCKET, (i + 1) * FILES_PER_BUCKET),
  );
  return { jwt: openAssetSession(call.account, manifest, missing.length === 0 ? 'completion' : 'upload'), buckets };
}

async function uploadFiles({ account, body, contentType, bearer }: ApiCall) {
  const { manifest, complete } = findAssetSession(account, bearer, 'upload');
  const wanted = new Set(Object.values(manifest).map(({ hash }) => hash));
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  for (const [hash, file] of form) {
    if (!wanted.has(hash)) throw new RefusedCall('assetToken');
    const text = typeof file === 'string' ? file : await file.text();
    account.files.set(hash, {
      content: Buffer.from(text, 'base64'),
      contentType: typeof file === 'string' ? 'application/null' : file.type,
    });
  }
  const isDone = [...wanted].every((hash) => account.files.has(hash));
  return isDone ? { jwt: complete() } : {};
}

/** Static assets: a session, uploads by its token, and a token for the Worker's upload. */
export const ASSET_ROUTES: readonly ApiRoute[] = [
  ['POST', '/accounts/*/workers/scripts/*/assets-upload-session', openSession],
  ['POST', `/accounts/*${OWN_CREDENTIAL_PATH}`, uploadFiles],
];
