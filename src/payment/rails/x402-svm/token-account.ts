import { decodeBase58, encodeBase58 } from '../../terms/base58.ts';

/** The program of tokens such as USDC. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');
const KEY_BYTES = 32;

const readKey = (address: string): Uint8Array => {
  const bytes = decodeBase58(address, KEY_BYTES);
  if (bytes === undefined) throw new TypeError('an address of Solana is 32 bytes in base58');
  return bytes;
};

/**
 * Where an owner receives a token: the address that the program of such accounts derives from both. It is the first, from
 * 255 downwards, that is no point of the curve, so that no key signs for it.
 * @see https://solana.com/docs/core/pda
 */
export async function deriveTokenAccount(owner: string, mint: string): Promise<string> {
  const { concatBytes, ed25519, sha256 } = await import('./curve.ts');
  const seeds = [readKey(owner), readKey(TOKEN_PROGRAM), readKey(mint)];
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = sha256(concatBytes(...seeds, Uint8Array.of(bump), readKey(ASSOCIATED_TOKEN_PROGRAM), MARKER));
    if (!isPoint(() => ed25519.ExtendedPoint.fromHex(hash))) return encodeBase58(hash);
  }
  throw new Error('no address can be derived'); // One in 2^256.
}

function isPoint(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
