/** What a Host header can be made of: a name or an address, and a port. Two of them, joined by a comma, are none. */
const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/i;

/** `broken`: no address can be made of the request's Host header and target. */
export type HostVerdict = 'own' | 'foreign' | 'broken';

let own: { url: string; origin: string; host: string } | undefined;

function getOwnAddress(url: string) {
  if (own?.url !== url) {
    const { origin, host } = new URL(url);
    own = { url, origin, host };
  }
  return own;
}

/**
 * Whether a request came to our own host (rule A10), by its URL as the runtime made it from the Host header.
 * @param ownUrl the setting that says where this Worker is reached
 */
export function judgeHost({ url, headers }: Request, ownUrl: string): HostVerdict {
  const { origin, host } = getOwnAddress(ownUrl);
  const sent = headers.get('host');
  if (sent !== null && !HOST.test(sent)) return 'broken';
  if (url.startsWith(`${origin}/`)) return 'own';
  const parsed = URL.parse(url);
  if (parsed === null) return 'broken';
  return parsed.host === host ? 'own' : 'foreign';
}
