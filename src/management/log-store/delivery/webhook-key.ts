import type { Sql } from '../../../lib/sqlite.ts';
import { deliveryTables } from './tables.ts';

/** The key that signs what a tenant's sinks send: made on first use, kept in its store of entries, shown to nobody. */
export type WebhookKey = {
  /** What receivers verify with, as Standard Webhooks writes it: `whpk_<base64>`. */
  identity: () => Promise<string>;
  /** Ed25519 of a text; base64. */
  sign: (text: string) => Promise<string>;
};

type Kept = { identity: string; key: Awaited<ReturnType<typeof crypto.subtle.importKey>> };

const ALGORITHM = 'Ed25519';
const encoder = new TextEncoder();

/** A tenant has one key for all its webhooks, also after a reset: receivers keep what they trust. */
export function webhookKey(sql: Sql): WebhookKey {
  const run = deliveryTables(sql);
  const read = () => run('SELECT public, private FROM delivery_key')[0];
  const open = async (): Promise<Kept> => {
    if (read() === undefined) {
      const made = await newKey();
      // Another call may have been as quick: the first one stands.
      run('INSERT OR IGNORE INTO delivery_key VALUES (1, ?, ?)', made.public, made.private);
    }
    const row = read();
    const bytes = bytesOf(String(row?.['private']));
    const key = await crypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign']);
    return { identity: `whpk_${String(row?.['public'])}`, key };
  };
  let opened: Promise<Kept> | undefined;
  const kept = (): Promise<Kept> => (opened ??= open());
  return {
    identity: async () => (await kept()).identity,
    sign: async (text) => {
      const { key } = await kept();
      return base64Of(await crypto.subtle.sign(ALGORITHM, key, encoder.encode(text)));
    },
  };
}

async function newKey(): Promise<{ public: string; private: string }> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Ed25519 keys come in pairs');
  const [open, secret] = await Promise.all([
    crypto.subtle.exportKey('raw', pair.publicKey),
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
  ]);
  return { public: base64Of(open), private: base64Of(secret) };
}

function base64Of(exported: unknown): string {
  if (!(exported instanceof ArrayBuffer)) throw new Error('A key was not exported as bytes');
  return btoa(String.fromCodePoint(...new Uint8Array(exported)));
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0);
