import { type CheckOutcome, verdict } from './check.ts';
import type { MissingDocument } from '../mcp/facts/document.ts';
import { buildRequestEvidence, extractBodyStart } from './evidence.ts';

/**
 * The outcome where there is no document to judge: `absent` when the site says so, a failure when something is there that
 * no reader can use, and unknown when we could not look.
 * @param name with its article, as it begins a sentence: "The directory".
 */
export function withoutDocument(
  { state, why, exchange }: MissingDocument,
  name: string,
  absent: CheckOutcome,
): CheckOutcome {
  if (state === 'absent') return absent;
  if (state === 'not_read') return verdict.unknown(`${name} was not asked for: the budget of requests was used up.`);
  if (state === 'unreadable') return verdict.unknown(`${name} ${why}.`, exchange ? buildRequestEvidence(exchange) : []);
  return verdict.fail(
    `${name} ${why}.`,
    exchange ? buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) }) : [],
  );
}
