import { recoverSigner } from '../../net/recover-signer.ts';
import { viemUtils } from '../../net/viem-utils.ts';

type Hex = `0x${string}`;

export type SignatureVerdict =
  | { ok: true }
  | { ok: false; reason: 'bad_signature' | 'erc6492_refused' }
  /** Doubt: the chain could not be asked, or the caller has asked it too often. */
  | { ok: false; reason: 'chain_unavailable' | 'too_many_attempts'; retryAfterS: number };

/** Asks the chain whether `address` has code and says that `signature` over `digest` is its own (ERC-1271). */
export type AskContract = (address: Hex, digest: Hex, signature: Hex) => Promise<SignatureVerdict>;

/** Contract wallets sign with several keys; what is longer is no signature. */
const MAX_SIGNATURE_CHARS = 4_096;
const SIGNATURE = /^0x[0-9a-fA-F]+$/;

/**
 * Tells whether the holder of `address` signed `message` as text (EIP-191). Keys are recovered here; only when that
 * fails is `askContract` called. ERC-6492 is refused: its wrapper makes a node run code of the signer's choice. A
 * payment proof can never pass: it is typed data (EIP-712), so another digest was signed (rule P10).
 */
export async function verifySignInSignature(
  { message, address, signature }: { message: string; address: Hex; signature: string },
  askContract: AskContract,
): Promise<SignatureVerdict> {
  const { hashMessage, isErc6492Signature } = await viemUtils();
  if (signature.length > MAX_SIGNATURE_CHARS || !isHex(signature)) return { ok: false, reason: 'bad_signature' };
  if (isErc6492Signature(signature)) return { ok: false, reason: 'erc6492_refused' };
  const digest = hashMessage(message);
  if ((await recoverSigner(digest, signature)) === address.toLowerCase()) return { ok: true };
  return askContract(address, digest, signature);
}

const isHex = (text: string): text is Hex => SIGNATURE.test(text);
