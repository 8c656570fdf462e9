import { type CheckOutcome, formatCount, verdict } from '../../core/check.ts';
import type { CheckEvidence } from '../../core/evidence.ts';
import type { JsonLd } from '../facts/json-ld.ts';

/**
 * The outcome where structured data lack a node: unknown when a part of them is longer than we read. A block that no reader
 * can parse says nothing, and the note names it.
 */
export function judgeMissingNode({ blocks, graph }: JsonLd, note: string, evidence: CheckEvidence): CheckOutcome {
  if (graph.capped || blocks.some(({ state, fault }) => state === 'cut' && fault?.reason !== 'empty'))
    return verdict.unknown(`${note} A part of the structured data is longer than we read.`, evidence);
  const broken = blocks.filter(({ state }) => state === 'broken').length;
  const aside = broken === 0 ? '' : ` ${formatCount(broken, 'JSON-LD block')} cannot be parsed; see geo.schema.parses.`;
  return verdict.fail(note + aside, evidence);
}
