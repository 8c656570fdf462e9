/** How the keys begin under which unfinished purchases of a capability are kept. */
export const formatPurchasePrefix = (capability: string): string => `sightline-purchase-${capability}`;

/** Whether this browser may hold a purchase without an end: enough to show its panel, which reads it. */
export function hasKeptPurchase(
  page: { readonly localStorage: object; readonly sessionStorage: object },
  capability: string,
): boolean {
  const prefix = formatPurchasePrefix(capability);
  try {
    return [page.localStorage, page.sessionStorage].some((store) =>
      Object.keys(store).some((name) => name === prefix || name.startsWith(`${prefix} `)),
    );
  } catch {
    return false; // The browser refuses its storage: nothing was kept.
  }
}
