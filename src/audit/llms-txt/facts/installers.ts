import type { InstructionHit } from '../../hidden-text/facts/instruction-patterns.ts';
import { readFences } from './markdown-quality.ts';
import { isOwnPlace, type OwnPlaces } from './own-places.ts';

/** Addresses of a command, with or without a scheme. */
const ADDRESS = /(?:https?:\/\/)?(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}(?:[:/][^\s"'`|)<>]{0,500})?/giu;
const MAX_ADDRESSES = 5;
const MAX_LINE_CHARS = 2000;

/**
 * Whether a command that pipes a download into a shell is how the site has its own software installed: written as code,
 * with every address on its own domain or on a place that it declares.
 */
export function isOwnInstaller(body: string, { kind, line, quoted }: InstructionHit, places: OwnPlaces): boolean {
  if (kind !== 'shell_pipe') return false;
  const { lines } = readFences(body.split('\n'));
  const found = lines[line - 1];
  if (!found || !(quoted || found.code || /^(?: {4}|\t)/u.test(found.text))) return false;
  const command = found.text.slice(0, MAX_LINE_CHARS);
  const addresses = [...command.matchAll(ADDRESS)].slice(0, MAX_ADDRESSES).map(([text]) => text);
  const whole = addresses.filter((text) => /^https?:/iu.test(text));
  // Without a scheme, the name of a file such as `install.sh` looks like that of a host.
  const urls = (whole.length > 0 ? whole : addresses.map((text) => `https://${text}`)).map((text) => URL.parse(text));
  return urls.length > 0 && urls.every((url) => url !== null && isOwnPlace(places, url));
}
