/** Places of one text that are looked at for one needle. */
const MAX_PLACES = 1000;
const EXCERPT_BEFORE = 60;
const EXCERPT_CHARS = 200;

const MCP_NAME = /\bMCP\b|\bModel Context Protocol\b/i;
/** What people copy into a client's settings, or type. */
const SNIPPET = /"?mcpServers"?\s{0,9}:|\bclaude mcp add\b/;

/**
 * The place in a text that explains how to connect: it names MCP and shows one of the endpoints (with or without
 * scheme) or a configuration to copy. Undefined when there is none.
 */
export function connectMention(text: string, endpoints: readonly string[]): string | undefined {
  if (!MCP_NAME.test(text)) return undefined;
  const snippet = SNIPPET.exec(text)?.index;
  const at =
    snippet ?? endpoints.map((url) => findAddressPlace(text, formatAddress(url))).find((place) => place !== undefined);
  return at === undefined ? undefined : text.slice(Math.max(0, at - EXCERPT_BEFORE), at + EXCERPT_CHARS).trim();
}

/** Host and path, as people write an address; the slash at the end is theirs to leave out. */
const formatAddress = (url: string): string => url.replace(/^https?:\/\//i, '').replace(/\/$/, '');

/** The position of an address as a whole: neither the start of a longer path or name, nor the end of a longer host. */
function findAddressPlace(text: string, address: string): number | undefined {
  if (address === '') return undefined;
  let from = 0;
  for (let count = 0; count < MAX_PLACES; count += 1) {
    const at = text.indexOf(address, from);
    if (at === -1) return undefined;
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + address.length, at + address.length + 2);
    if (!/[\w.-]/.test(before) && !/^(?:[\w-]|[/.]\w)/.test(after)) return at;
    from = at + address.length;
  }
  return undefined;
}
