import { type CryptoKey, importPKCS8, SignJWT } from 'jose';
import { JWT_BEARER } from '../../../src/authorization/oauth/resources.ts';
import { createMachineGrants } from '../../../src/authorization/service-accounts/machine.ts';
import type { KeyFile, MachineSettings } from '../../../src/authorization/service-accounts/shapes.ts';
import { memoryStore } from './memory-rows.ts';

export const ISSUER = 'https://sightline.test';
export const TOKEN_ENDPOINT = `${ISSUER}/oauth/token`;
export const VENDOR_TOKEN_URL = 'https://oauth2.googleapis.com/token';
export const RESOURCES = [`${ISSUER}/mcp-account`, 'https://control.sightline.test'] as const;
export const DIRECTORY = 'https://www.googleapis.com/auth/admin.directory.user';

/** The machine side over memory, with a clock that is moved by hand. */
export function machineWorld(changes: Partial<MachineSettings> = {}, startMs?: number) {
  const store = memoryStore(startMs);
  const settings = {
    issuer: ISSUER,
    tokenEndpoint: TOKEN_ENDPOINT,
    resources: RESOURCES,
    otherAudiences: [],
    ...changes,
  };
  const machine = createMachineGrants(store, settings);
  const ask = async (fields: Record<string, string> | [string, string][], authorization: string | null = null) => {
    const { status, headers, body } = await machine.token({ form: new URLSearchParams(fields), authorization });
    return { status, headers, body: JSON.parse(body) as Record<string, unknown> };
  };
  return {
    store,
    machine,
    ask,
    /** Asks with an assertion of a service account. */
    bearer: (assertion: string, fields: Record<string, string> = {}) =>
      ask({ grant_type: JWT_BEARER, assertion, ...fields }),
    nowS: () => Math.floor(store.now() / 1000),
  };
}

export type MachineWorld = ReturnType<typeof machineWorld>;

/** A service account with one key. */
export async function serviceWithKey(
  world: MachineWorld,
  changes: { scopes?: string[]; actsFor?: string[]; tenant?: string; resources?: string[] } = {},
): Promise<{ id: string; file: KeyFile; key: CryptoKey }> {
  const created = world.machine.services.create({ name: 'robot', scopes: ['audit:run', DIRECTORY], ...changes });
  if (!created.ok) throw new Error(created.reason);
  const { id } = created.account;
  return { id, ...(await addKey(world, id)) };
}

export async function addKey(world: MachineWorld, id: string): Promise<{ file: KeyFile; key: CryptoKey }> {
  const made = await world.machine.services.addKey(id, 90);
  if (!made.ok) throw new Error(made.reason);
  return { file: made.file, key: await importPKCS8(made.file.private_key, 'RS256') };
}

/** Claims as they come: of any type, or left out when undefined. */
export type Claims = Record<string, unknown>;

/** The claims that every library sends. */
export const claimsOf = (world: MachineWorld, file: KeyFile): Claims => ({
  iss: file.client_email,
  aud: TOKEN_ENDPOINT,
  iat: world.nowS(),
  exp: world.nowS() + 3600,
});

/** A JWT over exactly these claims. */
export const signed = (claims: Claims, key: CryptoKey | Uint8Array, header: { alg?: string; kid?: string }) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...header }).sign(key);
