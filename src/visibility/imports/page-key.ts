import { readCitedUrl } from '../citations/cited-url.ts';

/** The address that two sources have in common for a page, as sources of answers are normalised. Undefined for what is no public web address. */
export function computePageKey(text: string): string | undefined {
  const read = readCitedUrl(text);
  return 'url' in read ? read.url : undefined;
}
