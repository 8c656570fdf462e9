export { invert } from '@noble/curves/abstract/modular';
export { secp256k1 } from '@noble/curves/secp256k1';
