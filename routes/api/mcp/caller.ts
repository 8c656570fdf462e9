import * as z from 'zod';

/** A token holder at the protected endpoint, from its validated token. */
const account = z.object({
  id: z.string(),
  clientId: z.string(),
  /** When its token was found good, in Unix milliseconds. */
  authorizedAtMs: z.number(),
  scopes: z.array(z.string()),
  /** What the client may spend of the credits in 24 hours, in micro-USDC; undefined: the default. */
  capMicroUsdc: z.number().optional(),
});

const known = z.object({
  /** What limits count by. */
  caller: z.string(),
  requestId: z.string(),
  /** An audit of ours is asking: it may look, and never buy (rule F7). */
  isOwnAudit: z.boolean(),
  /** PAYMENT-SIGNATURE of this request. */
  paymentHeader: z.string().optional(),
  /** Idempotency-Key of this request. */
  idempotencyHeader: z.string().optional(),
  /** X-PAYMENT came with this request. */
  hasVersion1Header: z.boolean(),
});

/**
 * Who sends one MCP request, and by which door. Plain data, so that it goes with the request into a session object and
 * comes back from it with each call: a session knows nobody, and each request brings its own caller (rule A7).
 */
const mcpCaller = z.discriminatedUnion('endpoint', [
  known.extend({ endpoint: z.literal('open') }),
  known.extend({ endpoint: z.literal('account'), account }),
]);
export type McpCaller = z.infer<typeof mcpCaller>;

/** @throws ZodError when it is no caller of ours: only our own session object sends one. */
export const parseCaller = (value: unknown): McpCaller => mcpCaller.parse(value);

/** To whom a session and its resources belong: the subject of the token, or the address of the open endpoint. */
export const holderOf = (from: McpCaller): string =>
  from.endpoint === 'account' ? `account:${from.account.id}` : `open:${from.caller}`;
