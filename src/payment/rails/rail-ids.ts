/** The ways to pay that are sold by, each a row of `rails.ts` and a folder of its name. */
export const RAIL_IDS = ['x402-evm', 'x402-svm', 'mpp', 'transfer'] as const;
export type RailId = (typeof RAIL_IDS)[number];

/** The rail of a payment by this method that names none: a row of the ledger says its rail only where it is another. */
export const FIRST_RAILS = { x402: 'x402-evm', transfer: 'transfer' } as const satisfies Record<string, RailId>;

/** How a buyer paid, as lists, books and receipts say it: MPP moves money as x402 does, and is a protocol of its own. */
export const PAID_BY = ['x402', 'mpp', 'transfer'] as const;
export type PaidBy = (typeof PAID_BY)[number];

/** `rail`: by which it was sold; absent for the first of its method, and for all that versions without rails sold. */
export const getShownMethod = (method: keyof typeof FIRST_RAILS, rail: RailId | undefined): PaidBy =>
  rail === 'mpp' ? 'mpp' : method;
