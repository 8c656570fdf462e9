import { readCitedUrl } from '../citations/cited-url.ts';

/**
 * The address that two sources have in common for a page: without what only tracks, and the same for http and https. Undefined
 * for what is no public web page.
 */
export function computePageKey(text: string): string | undefined {
  const read = readCitedUrl(text);
  return read.kind === 'page' ? formatPageKey(read.key) : undefined;
}

/** The same of a page that was read before. @param key as `readCitedUrl` gives it: without the scheme */
export const formatPageKey = (key: string): string => `https://${key}`;
