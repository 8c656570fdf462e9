import { base64url } from 'jose';
import { sha256Hex } from '../../lib/digest.ts';
import type { MachineToken } from './shapes.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { MACHINE_TOKEN_PREFIX, type ValidToken } from '../oauth/tokens.ts';

const TOKEN = 'own:machine:token:';
const SECRET_BYTES = 32;
/** Prefix and 43 characters; longer text is no token of ours and is not hashed. */
const MAX_TOKEN_CHARS = 64;

/** 256 random bits as base64url. */
export const newSecret = (random: StoreTools['random']): string =>
  base64url.encode(Uint8Array.from(random(SECRET_BYTES).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

/**
 * Opaque tokens of machine clients, kept by their SHA-256 and gone at their end.
 * @param lives whether the client, account and key behind a token still are: when one is gone, so is the token (rule A2).
 */
export function machineTokensOf({ rows, random }: StoreTools, lives: (token: MachineToken) => boolean) {
  const keyOf = async (token: string): Promise<string | undefined> =>
    token.startsWith(MACHINE_TOKEN_PREFIX) && token.length <= MAX_TOKEN_CHARS
      ? `${TOKEN}${await sha256Hex(token)}`
      : undefined;
  return {
    issue: async (granted: MachineToken): Promise<string> => {
      const token = `${MACHINE_TOKEN_PREFIX}${newSecret(random)}`;
      rows.put(`${TOKEN}${await sha256Hex(token)}`, granted, granted.expiresAt * 1000);
      return token;
    },
    /** What a token is good for at `resource`; null for any other text, an ended token, or one for another resource. */
    validate: async (token: string, resource: string): Promise<ValidToken | null> => {
      const key = await keyOf(token);
      const row = key === undefined ? undefined : rows.get<MachineToken>(key);
      if (row === undefined || row.audience !== resource || !lives(row)) return null;
      const { props, audience, expiresAt, scope, account, client } = row;
      return { props, audience, expiresAt, scope: [...scope], userId: account, clientId: client };
    },
    /** What a token stands for, whatever it is good for. */
    find: async (token: string): Promise<MachineToken | undefined> => {
      const key = await keyOf(token);
      return key === undefined ? undefined : rows.get<MachineToken>(key);
    },
    /** Ends a token. Unknown ones are no error. */
    revoke: async (token: string): Promise<void> => {
      const key = await keyOf(token);
      if (key !== undefined) rows.delete(key);
    },
  };
}
