import { canonicaliseHref } from '../../net/canonical-url.ts';

/** Parameters that say where a click came from, not which page it is. */
const TRACKING = /^(?:utm_.+|gclid|gbraid|wbraid|fbclid|msclkid|srsltid|mc_[ce]id|ref_src)$/i;

/**
 * The address that two sources have in common for a page: canonical, without fragment and tracking parameters. Undefined
 * for what is no web address.
 */
export function computePageKey(text: string): string | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(canonicaliseHref(trimmed));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  for (const name of new Set(url.searchParams.keys())) if (TRACKING.test(name)) url.searchParams.delete(name);
  url.username = '';
  url.password = '';
  return canonicaliseHref(url.href);
}
