import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { createFolder } from '../core/create-folder.ts';
import { isOwned, replaceOwned, runUnderLock } from '../core/file-lock.ts';
import { LoginRefused } from './net.ts';

/** A refresh happens under the lock: discovery and one token request, each at most 20 s. */
const LOCK_TIMES = { waitMs: 120_000, staleMs: 180_000 };
const MAX_ENTRIES = 200;

const clientSchema = z.strictObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  /** Registered by us, given by the user, or the URL of a document. */
  origin: z.enum(['registered', 'given', 'document']),
  resource: z.string(),
});
export type StoredLoginClient = z.infer<typeof clientSchema>;

const tokenSchema = z.strictObject({
  issuer: z.string(),
  resource: z.string(),
  client_id: z.string(),
  access_token: z.string(),
  refresh_token: z.string().optional(),
  /** Unix milliseconds; absent when the server did not say. */
  expires_at_ms: z.int().optional(),
  scope: z.string().optional(),
});
export type StoredLoginToken = z.infer<typeof tokenSchema>;

const storeSchema = z.strictObject({
  version: z.literal(1),
  /** Clients by the issuer they belong to: none is ever used at another (C5). */
  clients: z.record(z.string(), clientSchema),
  tokens: z.array(tokenSchema).max(MAX_ENTRIES),
});
export type TokenStore = z.infer<typeof storeSchema>;

/** `~/.config/sightline/tokens.json`, or below XDG_CONFIG_HOME. */
export function getTokenFile(environment: Readonly<Record<string, string | undefined>>): string {
  const configured = environment['XDG_CONFIG_HOME'];
  const folder = configured === undefined || configured === '' ? join(homedir(), '.config') : configured;
  return join(folder, 'sightline', 'tokens.json');
}

/**
 * Runs `work` on the store while no other process may; what it returns as `store` replaces the file (mode 0600).
 * @throws LoginRefused `token_file_unusable` when the file is open to others, unreadable or stays locked.
 */
export async function withTokens<T>(
  path: string,
  work: (store: TokenStore) => Promise<{ store?: TokenStore; value: T }>,
): Promise<T> {
  let failure: { error: unknown } | undefined;
  try {
    createFolder(dirname(path), 0o700);
    return await runUnderLock(`${path}.lock`, LOCK_TIMES, async () => {
      const kept = await readStore(path);
      const { store, value } = await work(kept).catch((error: unknown) => {
        failure = { error };
        throw error;
      });
      if (store !== undefined) await replaceOwned(path, `${JSON.stringify(store, null, 2)}\n`);
      return value;
    });
  } catch (error) {
    if (failure !== undefined) throw failure.error; // Of the work, not of the file.
    throw new LoginRefused('token_file_unusable', `${path} cannot be used: ${describeFileError(error)}`);
  }
}

/** The store with a token in place of the one for the same issuer and resource, and of the same resource elsewhere (C16). */
export function keepToken(store: TokenStore, token: StoredLoginToken): TokenStore {
  return { ...store, tokens: [...store.tokens.filter(({ resource }) => resource !== token.resource), token] };
}

/** The store with a client for an issuer; undefined forgets it. */
export function keepClient(store: TokenStore, issuer: string, client: StoredLoginClient | undefined): TokenStore {
  const others = Object.entries(store.clients).filter(([name]) => name !== issuer);
  return { ...store, clients: Object.fromEntries(client === undefined ? others : [...others, [issuer, client]]) };
}

async function readStore(path: string): Promise<TokenStore> {
  if (!(await isOwned(path))) return { version: 1, clients: {}, tokens: [] };
  return storeSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** Never the text of the file: it holds secrets. */
function describeFileError(error: unknown): string {
  if (error instanceof SyntaxError || error instanceof z.ZodError) return 'it is not a token file';
  return error instanceof Error ? error.message : String(error);
}
