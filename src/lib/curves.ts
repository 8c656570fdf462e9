/** Of the curves what is loaded on use, by name: a bundle has all of a module that is loaded whole. */
export { invert } from '@noble/curves/abstract/modular';
export { secp256k1 } from '@noble/curves/secp256k1';
