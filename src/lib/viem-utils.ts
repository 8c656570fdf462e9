/** Of viem what `loadViemUtils` loads, by name: a bundle has all of a package that is loaded whole. */
export { getAddress, hashMessage, hashTypedData, isAddress, isErc6492Signature } from 'viem/utils';
