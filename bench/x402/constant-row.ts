import { findCapability } from '../../src/capabilities/catalog.ts';
import type { AnyCapability } from '../../src/capabilities/capability.ts';

/**
 * The capability that every side sells, with an audit that is a constant: the peer's handler is constant too, and what is
 * compared is the paid request.
 */
export function sellConstant(name: string): AnyCapability {
  const row = findCapability(name);
  if (!row) throw new Error(`the catalogue has no ${name}`);
  row.run = async (input) => ({ ok: true, result: { url: input['url'] }, warnings: [] });
  return row;
}
