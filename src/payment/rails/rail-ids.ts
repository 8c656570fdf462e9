/** The ways to pay that are sold by, each a row of `rails.ts` and a folder of its name. */
export const RAIL_IDS = ['x402-evm', 'x402-svm', 'mpp', 'transfer'] as const;
export type RailId = (typeof RAIL_IDS)[number];

/** The rail of a payment by this method that names none: a row of the ledger says its rail only where it is another. */
export const FIRST_RAILS = { x402: 'x402-evm', transfer: 'transfer' } as const satisfies Record<string, RailId>;
