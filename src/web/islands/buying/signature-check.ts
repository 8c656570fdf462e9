import type { SignableTypedData } from './payment-signing.ts';

/** Recovers who signed typed data; `signing.ts` has it, in a file that is loaded with the first signature. */
export type SignerReader = (typed: SignableTypedData, signature: string) => Promise<string | undefined>;

const SIGNING_SCRIPT = '/web/signing.js';

/** @throws where the script cannot be loaded */
export async function loadSignerReader(): Promise<SignerReader> {
  const path: string = SIGNING_SCRIPT; // Not a module of this bundle: its path is known to browsers only.
  const { recoverTypedDataSigner } = (await import(path)) as { recoverTypedDataSigner: SignerReader };
  return recoverTypedDataSigner;
}

/** `0x` and 65 bytes: the signature of a key. */
const KEY_SIGNATURE_CHARS = 132;

export type SignerVerdict =
  /** The account signed exactly this. */
  | 'own'
  /** Another key, another text or another network. */
  | 'foreign'
  /** Of a contract wallet: only the chain can say. */
  | 'open';

/** Whether `account` signed exactly this data, under exactly this network and contract. */
export async function checkSignature(
  read: SignerReader,
  { typed, signature, account }: { typed: SignableTypedData; signature: string; account: string },
  isContract: () => Promise<boolean>,
): Promise<SignerVerdict> {
  const signer = signature.length === KEY_SIGNATURE_CHARS ? await read(typed, signature) : undefined;
  if (signer === account.toLowerCase()) return 'own';
  return signature.length > KEY_SIGNATURE_CHARS || (await isContract()) ? 'open' : 'foreign';
}
