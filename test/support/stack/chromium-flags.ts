/** Flags of the browser of tests: no sandbox (containers have none), and nothing that calls home. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // A process in reserve for each context, and what playwright's own list would otherwise go without.
  '--disable-features=SpareRendererForSitePerProcess,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,PaintHolding',
] as const;
