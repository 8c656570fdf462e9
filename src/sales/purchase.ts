import type { SoldRow } from '../capabilities/credit-packs.ts';
import type { AddressPolicy } from '../net/address-policy.ts';
import { parseTargetUrl } from '../net/canonical-url.ts';
import { parseCredential } from '../payment/terms/credential.ts';
import type { Offer } from '../payment/terms/requirements.ts';
import { refusal } from './answer.ts';
import type { PurchaseAnswer } from './purchase-answer.ts';
import { publishIfAsked } from './publish.ts';
import { type Asked, readOrder, TARGET_FIELDS } from './read-order.ts';
import { sellToSigned } from './signed.ts';
import type { PaymentTools } from './tools.ts';
import { sellToTransfer } from './transfer.ts';

/**
 * One paid request from credential to answer. Whatever is cheap comes first: the credential's form, the body, the
 * target; nothing is claimed or charged before they are good.
 */
export async function purchase(
  tools: PaymentTools,
  request: Request,
  sale: { row: SoldRow; offer: Offer; credential: string; policy: AddressPolicy },
): Promise<PurchaseAnswer> {
  const parsed = parseCredential(sale.credential);
  if (!parsed.ok) return refusal(parsed.reason, parsed.detail);
  const read = await tools.timed('parse', () => readOrder(request, sale.row, sale.credential));
  if (!read.ok) return { kind: 'problem', problem: read.problem };
  const refused = checkTargets(read.order, sale.policy);
  if (refused) return refused;
  const { credential } = parsed;
  const answer = await (credential.kind === 'signed'
    ? sellToSigned(tools, read.order, sale.offer, credential)
    : sellToTransfer(tools, read.order, sale.offer, credential));
  if (answer.kind === 'sold') await publishIfAsked(tools, read.order, answer.reportId);
  return answer;
}

/** Refuses what would never be fetched before any payment is touched. */
export function checkTargets(order: Asked, policy: AddressPolicy): PurchaseAnswer | undefined {
  for (const field of TARGET_FIELDS) {
    const value = order.input[field];
    if (typeof value !== 'string') continue;
    const target = parseTargetUrl(value, policy);
    if (!target.ok) return refusal('target_refused', `${field}: ${target.reason}`);
  }
  return undefined;
}
