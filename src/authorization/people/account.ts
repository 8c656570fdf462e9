/** `id` is 128 random bits: tokens carry it in the clear, so it says nothing about anyone. `address`: of its first wallet, in lower case. */
export type Account = { id: string; kind: AccountKind; address?: string; createdAtMs: number };

/** One line of the grant table (rule A1): a scope that an account may be given, for one tenant or (`*`) any. */
export type AccountGrant = { scope: string; tenant: string };

/** Who can hold tokens: someone who pays, an operator, or a service account that an operator made. */
export type AccountKind = 'payer' | 'operator' | 'service';

/** `kind`: absent for an account that is gone. `capMicroUsdc`: of the client, in 24 hours; absent where no one said one. */
export type AccountStanding = { kind?: AccountKind; capMicroUsdc?: number };
