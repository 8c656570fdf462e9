import type { MethodRow, Parameter } from '../../src/management/core/table/method-row.ts';
import { aiSearch } from './aisearch.ts';

const inPath: Parameter = { in: 'path', type: 'string', required: true };

const batch: MethodRow = {
  id: 'conventions.batch',
  interface: 'conventions',
  version: '-',
  httpMethod: 'POST',
  path: '/batch/{api}/{version}',
  parameters: { api: inPath, version: inPath },
  scopes: [],
  inSeed: true,
};

/** The rows that no package has: Cloudflare AI Search, batch, and the seed's second path of `directory.users.watch`. */
export function handWritten(rows: readonly MethodRow[]): MethodRow[] {
  const watch = rows.find(({ id }) => id === 'directory.users.watch');
  if (watch === undefined) throw new Error('directory.users.watch is missing');
  return [
    ...aiSearch,
    batch,
    { ...watch, id: 'directory.users.watchSwapped', path: '/admin/directory/users/v1/watch' },
  ];
}
