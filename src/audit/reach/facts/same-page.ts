/** Parameters that campaigns add and that change nothing of a page. */
const CAMPAIGN = /^(?:utm_\w{1,40}|gclid|fbclid|msclkid)$/i;

/** An address without what does not change the page: fragment, campaign parameters, a last slash. As it is when it is no URL. */
export function normaliseComparableUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = '';
  for (const name of Array.from(url.searchParams.keys())) if (CAMPAIGN.test(name)) url.searchParams.delete(name);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`;
}

/** The web addresses by which a page may be known: its own and the canonical one it names. */
export function listPageAddresses(page: { url: string; canonicals: readonly { href: string }[] }): readonly string[] {
  const canonical = page.canonicals[0]?.href ?? '';
  const names = /^https?:/.test(canonical) ? [page.url, canonical] : [page.url];
  return [...new Set(names.map(normaliseComparableUrl))];
}
