/** What the names of packs of credits begin with; the rest is their price in dollars. */
const PACK = 'credits_';
/** What the names of measurements by several engines begin with. */
const PANEL = 'visibility_panel_';

/** Tools, with the ends of their paths. */
const TOOLS: Readonly<Record<string, string>> = { seller_check: 'seller' };

/** Where the service sells what a page buys. */
export function formatPaidPath(capability: string): string {
  if (capability.startsWith(PACK)) return `/api/credits/${capability.slice(PACK.length)}`;
  const tool = TOOLS[capability];
  if (tool !== undefined) return `/api/tools/${tool}`;
  return `${capability.startsWith(PANEL) ? '/api/panels' : '/api/agent'}/${capability}`;
}

/** The page to go to when it is bought. Credits make no report. */
export const formatBoughtPath = (capability: string, reportId: string): string =>
  capability.startsWith(PACK) ? '/account/credits' : `/reports/${reportId}`;
