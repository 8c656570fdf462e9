import { catalog } from './catalog.ts';
import { creditPacks, packPath, type SoldRow } from './credit-packs.ts';
import { formatPanelPath, panels } from './panels.ts';
import { formatToolPath, soldTools } from './sold-tools.ts';

/** Each row that is sold, with the path of its route. */
export const soldRoutes: readonly { row: SoldRow; path: string }[] = [
  ...catalog.map((row) => ({ row, path: `/api/agent/${row.name}` })),
  ...panels.map((row) => ({ row, path: formatPanelPath(row) })),
  ...soldTools.map((row) => ({ row, path: formatToolPath(row) })),
  ...creditPacks.map((row) => ({ row, path: packPath(row) })),
];
