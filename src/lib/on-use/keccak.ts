export { keccak_256 as keccak } from '@noble/hashes/sha3';
export { bytesToHex, hexToBytes } from '@noble/hashes/utils';
