/** What the names of packs of credits begin with; the rest is their price in dollars. */
const PACK = 'credits_';

/** Where the service sells what a page buys. */
export const formatPaidPath = (capability: string): string =>
  capability.startsWith(PACK) ? `/api/credits/${capability.slice(PACK.length)}` : `/api/agent/${capability}`;

/** The page to go to when it is bought. Credits make no report. */
export const formatBoughtPath = (capability: string, reportId: string): string =>
  capability.startsWith(PACK) ? '/account/credits' : `/reports/${reportId}`;
