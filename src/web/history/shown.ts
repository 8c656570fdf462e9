import type { ScoreName } from '../../audit/core/check.ts';
import type { Changes } from '../../capabilities/published/changes.ts';
import type { PublishedEntry } from '../../capabilities/published/history.ts';

export type ShownEntry = PublishedEntry & { isReadable: boolean };
export type ShownChanges = Changes & { from: PublishedEntry; to: PublishedEntry };

export type HistoryShown = {
  /** The site's key. */
  host: string;
  siteUrl: string;
  /** Origin of this deployment. */
  baseUrl: string;
  /** Newest first; at least one. */
  entries: readonly ShownEntry[];
  /** Absent where there is one report only. */
  changes: ShownChanges | undefined;
};

export const SCORE_HEADS: Readonly<Record<ScoreName, string>> = {
  aeo: 'AI search (AEO)',
  geo: 'Citation (GEO)',
  agent: 'Agent',
  mcp: 'MCP',
};
