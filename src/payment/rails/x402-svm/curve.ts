/** Of the curve and hashes of Solana what is loaded on use, by name. */
export { ed25519 } from '@noble/curves/ed25519';
export { sha256 } from '@noble/hashes/sha2';
export { concatBytes } from '@noble/hashes/utils';
