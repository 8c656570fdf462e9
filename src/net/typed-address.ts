import { canonicaliseHref } from './canonical-url.ts';

/** An address as a person or a program gave it, read as a URL. */
export type TypedAddress = {
  /** The canonical https URL of a bare host; any other text as it was given, without the space around it. */
  url: string;
  /** No scheme was given: https is our reading, and http may be tried where https cannot connect. */
  isBare: boolean;
};

/** A word and a colon, such as `https:`, `javascript:` or the host and colon of `localhost:3000`. */
const WORD_AND_COLON = /^[a-z][a-z0-9+.-]{0,252}:/i;
/** What follows the colon where it announces a port. */
const PORT = /^\d{1,5}(?:[/?#]|$)/;
/** The host and what belongs to it ends here. */
const END_OF_HOST = /[/?#]/;
/** The URL parser drops tabs and line breaks and takes `\` for `/`: a host that holds any of them reads like another one. */
const MISLEADING = /[\s\\]/;

/**
 * Reads an address that may lack its scheme: `example.com` is `https://example.com/`, and so are `EXAMPLE.com.` and
 * `example.com:443`. A text with a scheme of any kind comes back as it is, and so does what is no address at all: the
 * caller judges the URL. Every body, form and command passes through here, so that spellings of one site are one order.
 */
export function readTypedAddress(text: string): TypedAddress {
  const typed = text.trim();
  const [authority = ''] = typed.split(END_OF_HOST, 1);
  const isWhole = authority === '' || MISLEADING.test(authority) || hasScheme(typed);
  const full = `https://${typed}`;
  return isWhole || !URL.canParse(full) ? { url: typed, isBare: false } : { url: canonicaliseHref(full), isBare: true };
}

function hasScheme(text: string): boolean {
  const [word] = WORD_AND_COLON.exec(text) ?? [];
  return word !== undefined && !PORT.test(text.slice(word.length));
}
