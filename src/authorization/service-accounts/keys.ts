import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import type { MachineSettings, ServiceAccount, ServiceKey } from './shapes.ts';

const KEY_ID_BYTES = 20;

/** What a program reads to sign in as a service account, in the form of the vendors' key files. */
export type KeyFile = {
  type: 'service_account';
  project_id: string;
  private_key_id: string;
  private_key: string;
  client_email: string;
  client_id: string;
  auth_uri: string;
  token_uri: string;
  universe_domain: string;
};

/**
 * Makes an RSA key of 2048 bits. The private half exists in the returned file alone.
 * @param random this many random bytes as hex.
 */
export async function makeServiceKey(
  account: ServiceAccount,
  settings: Pick<MachineSettings, 'issuer' | 'tokenEndpoint'>,
  times: Pick<ServiceKey, 'createdAtMs' | 'expiresAtMs'>,
  random: (bytes: number) => string,
): Promise<{ key: ServiceKey; file: KeyFile }> {
  const pair = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const { kty = '', n = '', e = '' } = await exportJWK(pair.publicKey);
  const id = random(KEY_ID_BYTES);
  const file: KeyFile = {
    type: 'service_account',
    project_id: account.project,
    private_key_id: id,
    private_key: await exportPKCS8(pair.privateKey),
    client_email: account.email,
    client_id: account.id,
    auth_uri: `${settings.issuer}/authorize`,
    token_uri: settings.tokenEndpoint,
    // With any other word the vendors' libraries sign requests themselves and never ask `token_uri` for a token.
    universe_domain: 'googleapis.com',
  };
  return { key: { id, publicKey: { kty, n, e }, ...times }, file };
}
