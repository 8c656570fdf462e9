/** Of Solana's packages what `message.ts` loads, by name: a bundle has all of a package that is loaded whole. */
export { getTransactionDecoder } from '@solana/transactions';
export { getCompiledTransactionMessageDecoder } from '@solana/transaction-messages';
