import { decodeBase58 } from '../../terms/base58.ts';
import { loadOnce } from '../../../lib/concurrency.ts';
import { toHex } from '../../../lib/digest.ts';
import { TOKEN_PROGRAM } from './token-account.ts';

/** The official decoders: with the first message, so that they cost no start-up time. */
const loadDecoders = /* @__PURE__ */ loadOnce(async () => {
  const { getCompiledTransactionMessageDecoder, getTransactionDecoder } = await import('./decoders.ts');
  return { transaction: getTransactionDecoder(), message: getCompiledTransactionMessageDecoder() };
});

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** What may follow the transfer: a memo, and the assertions that wallets add for their owners. */
const HARMLESS: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
]);
const MAX_INSTRUCTIONS = 7;
const TRANSFER_AT = 2;
/** `TransferChecked` of the token program, its amount in eight bytes and the decimals of the token. */
const TRANSFER_CHECKED = 12;
const TRANSFER_BYTES = 10;
const USDC_DECIMALS = 6;
const KEY_BYTES = 32;

/** A transaction that moves USDC and does nothing else, taken apart. Addresses in base58. */
export type SvmMessage = {
  /** SHA-256 (hex) of what all signers sign: one payment, whatever signatures are beside it. */
  hash: string;
  bytes: Uint8Array<ArrayBuffer>;
  feePayer: string;
  /** The recent block by whose end the message can no longer be carried out, in base58. */
  blockhash: string;
  source: string;
  mint: string;
  destination: string;
  authority: string;
  amount: bigint;
  /** Of the authority, 64 bytes. */
  signature: Uint8Array;
};

export type ReadMessage = { ok: true; message: SvmMessage } | { ok: false; detail: string };

/**
 * Takes a transaction apart: two settings of the compute budget, one checked transfer, then memos and assertions. Anything else
 * could move more, or be good for longer than its recent block (a durable nonce), and is refused. Whether the signature is good
 * is for `isSignedByPayer`.
 */
export async function readSvmMessage(wire: Uint8Array): Promise<ReadMessage> {
  const { transaction, message } = await loadDecoders();
  try {
    const { messageBytes, signatures } = transaction.decode(wire);
    const bytes = Uint8Array.from(messageBytes);
    return await judgeMessage(bytes, message.decode(messageBytes), signatures);
  } catch {
    return refuse('transaction is not one of Solana');
  }
}

type Decoders = Awaited<ReturnType<typeof loadDecoders>>;
type Compiled = ReturnType<Decoders['message']['decode']>;
type Signatures = ReturnType<Decoders['transaction']['decode']>['signatures'];

const refuse = (detail: string): ReadMessage => ({ ok: false, detail });

async function judgeMessage(
  bytes: Uint8Array<ArrayBuffer>,
  compiled: Compiled,
  signatures: Signatures,
): Promise<ReadMessage> {
  if (compiled.version !== 0 && compiled.version !== 'legacy')
    return refuse('transaction is of another version than 0');
  const lookups = 'addressTableLookups' in compiled ? (compiled.addressTableLookups ?? []) : [];
  if (lookups.length > 0) return refuse('transaction names accounts by a lookup table');
  const { staticAccounts, instructions } = compiled;
  const programs = instructions.map(({ programAddressIndex }) => String(staticAccounts[programAddressIndex]));
  if (instructions.length <= TRANSFER_AT || instructions.length > MAX_INSTRUCTIONS)
    return refuse(`transaction has not 3 to ${MAX_INSTRUCTIONS} instructions`);
  const fits = programs.every((program, at) =>
    at < TRANSFER_AT
      ? program === COMPUTE_BUDGET
      : at === TRANSFER_AT
        ? program === TOKEN_PROGRAM
        : HARMLESS.has(program),
  );
  if (!fits) return refuse('transaction does more than a transfer with a compute budget and memos');
  const transfer = instructions[TRANSFER_AT];
  const accounts = (transfer?.accountIndices ?? []).map((index) => String(staticAccounts[index]));
  const data = transfer?.data;
  const [source, mint, destination, authority] = accounts;
  if (!data || data.length !== TRANSFER_BYTES || data[0] !== TRANSFER_CHECKED || accounts.length !== 4)
    return refuse('the third instruction is no TransferChecked');
  if (!source || !mint || !destination || !authority) return refuse('the transfer names an account that is not there');
  if (data[TRANSFER_BYTES - 1] !== USDC_DECIMALS) return refuse('the transfer is of a token with other decimals');
  const feePayer = String(staticAccounts[0]);
  const named = instructions.flatMap(({ accountIndices }) => accountIndices ?? []);
  if (named.includes(0)) return refuse('an instruction names the fee payer');
  const signature = Object.entries(signatures).find(([address]) => address === authority)?.[1];
  if (!signature) return refuse('the payer has not signed');
  const amount = new DataView(Uint8Array.from(data).buffer).getBigUint64(1, true);
  const hash = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  return {
    ok: true,
    message: {
      hash,
      bytes,
      feePayer,
      blockhash: compiled.lifetimeToken,
      source,
      mint,
      destination,
      authority,
      amount,
      signature: Uint8Array.from(signature),
    },
  };
}

/** Whether the payer's key signed the message. Local: some milliseconds of CPU. */
export async function isSignedByPayer({ authority, signature, bytes }: SvmMessage): Promise<boolean> {
  const { ed25519 } = await import('./curve.ts');
  const key = decodeBase58(authority, KEY_BYTES);
  if (key === undefined) return false;
  try {
    return ed25519.verify(signature, bytes, key);
  } catch {
    return false; // No point of the curve: no one's signature.
  }
}
