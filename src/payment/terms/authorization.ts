/** An EIP-3009 authorization as parsed: addresses and nonce in lower case, numbers as bigints. */
export type SignedAuthorization = {
  from: string;
  to: string;
  value: bigint;
  /** Unix seconds. */
  validAfter: bigint;
  validBefore: bigint;
  /** 32 bytes. */
  nonce: string;
};

/** The same in the spelling of payloads: numbers are decimal texts, times Unix seconds. */
export type PaymentAuthorization = {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
};

/** What a facilitator settles: parsed values only. The signature is in lower case. */
export type SignedPayment = {
  authorization: SignedAuthorization;
  signature: `0x${string}`;
  /** The client sent our discovery block back: it asks the facilitator to list the resource. */
  echoesBazaar?: boolean;
};

/** A transaction of Solana that its payer signed, in base64. It is a payment as it is: nothing else is said about it. */
export type SignedTransaction = { transaction: string; payer: string; echoesBazaar?: boolean };

export type SettledPayment = SignedPayment | SignedTransaction;
