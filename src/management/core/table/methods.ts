import type { MethodRow } from './method-row.ts';
import generated from './methods.generated.json' with { type: 'json' };

/** Every method of every management interface, in the order of their ids. */
export const methods = generated as unknown as readonly MethodRow[]; // Written by scripts/generate-management.ts.

const byId = new Map(methods.map((row) => [row.id, row]));

/** @throws Error for an id that no row has: a bug, ids from outside are matched by path */
export function methodOf(id: string): MethodRow {
  const row = byId.get(id);
  if (row === undefined) throw new Error(`No method ${id}`);
  return row;
}
