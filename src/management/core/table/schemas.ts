import type { Schemas } from './method-row.ts';
import generated from './schemas.generated.json' with { type: 'json' };

const none: Schemas = {};

/** The schemas of an interface by name; empty where it has none. */
export function getSchemas(interfaceName: string, version: string): Schemas {
  const all = generated as unknown as Record<string, Schemas>; // Written by scripts/generate-management.ts.
  return all[`${interfaceName}/${version}`] ?? none;
}
