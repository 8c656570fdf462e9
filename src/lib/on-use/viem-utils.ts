export { getAddress, hashMessage, hashTypedData, isAddress, isErc6492Signature } from 'viem/utils';
