import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Account, AssetFiles } from './account.ts';
import { RefusedCall } from './refusals-data.ts';

const LIFETIME_S = 3_600;
const tokenSchema = z.object({ use: z.enum(['upload', 'completion']), exp: z.number(), session: z.string() });
type AssetTokenUse = z.infer<typeof tokenSchema>['use'];

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const sign = (account: Account, text: string): string =>
  createHmac('sha256', account.token).update(text).digest('base64url');

/** Begins a session of uploads. @returns its token: a JWT, since wrangler reads its `exp` */
export function openAssetSession(account: Account, manifest: AssetFiles['manifest'], use: AssetTokenUse): string {
  const session = randomUUID();
  account.sessions.set(session, manifest);
  return makeToken(account, session, use);
}

function makeToken(account: Account, session: string, use: AssetTokenUse): string {
  const exp = Math.floor(Date.now() / 1_000) + LIFETIME_S;
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ use, exp, session })}`;
  return `${text}.${sign(account, text)}`;
}

export type AssetSession = {
  readonly manifest: AssetFiles['manifest'];
  /** The token by which a Worker's upload takes the files of the session. */
  readonly complete: () => string;
};

/** @throws RefusedCall for a token of someone else, of another use, or too old */
export function findAssetSession(account: Account, token: string, use: AssetTokenUse): AssetSession {
  const end = token.lastIndexOf('.');
  const [text, signature] = [token.slice(0, end), Buffer.from(token.slice(end + 1))];
  const expected = Buffer.from(sign(account, text));
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new RefusedCall('assetToken');
  const read = tokenSchema.parse(JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()));
  const manifest = account.sessions.get(read.session);
  if (manifest === undefined || read.use !== use || read.exp < Date.now() / 1_000) throw new RefusedCall('assetToken');
  return { manifest, complete: () => makeToken(account, read.session, 'completion') };
}
