import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import type { Account } from '../../../local/chain/chain.ts';
import { fromFreshCaller } from './caller.ts';
import { officialClient } from '../../support/stack/official-client.ts';

/** `modern` speaks revision 2026-07-28 and nothing else, `legacy` the revisions with sessions. */
export type Era = 'modern' | 'legacy';

/** The member of `_meta` that carries a payment, and the one that tells of its settlement (x402, MCP transport v2). */
export const PAYMENT = 'x402/payment';
export const PAYMENT_RESPONSE = 'x402/payment-response';
/** The dearest tool costs less. */
const MAX_PRICE = '$20';

/** The official MCP client, connected. `headers` go with every request. */
export async function connect(url: string, era: Era, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client(
    { name: 'sightline-judge', version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...fromFreshCaller(), ...headers } } }),
  );
  return client;
}

export type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** The terms of an unpaid call. @throws when the result is no PaymentRequired */
export function termsOf(result: ToolResult): PaymentRequired {
  return PaymentRequiredV2Schema.parse(result.structuredContent) as PaymentRequired;
}

/** Signs what an unpaid call asks for, by the official x402 client. */
export const signTerms = (payer: Account, terms: PaymentRequired): Promise<PaymentPayload> =>
  officialClient(payer).setSpendControls({ maxAmountPerPayment: MAX_PRICE }).createPaymentPayload(terms);

/** The words of a result's first content block. */
export function textOf(result: ToolResult): string {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
}
