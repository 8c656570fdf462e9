/** Characters of element texts that are kept in all. */
const MAX_CHARS = 1_000_000;
const MAX_ELEMENTS = 5000;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Texts of elements of the given names in raw HTML, for questions that the page facts do not answer (inline code, `dfn`).
 * A scan, not a parser: nested elements of one name end with the first end tag. Linear; comments are not left out.
 */
export function extractElementTexts(html: string, names: readonly string[]): readonly string[] {
  const opens = new RegExp(`<(${names.join('|')})(?=[\\s/>])[^<>]{0,2000}>`, 'gi');
  const closesOf = new Map(names.map((name) => [name, new RegExp(`</${name}(?=[\\s>])`, 'gi')]));
  const found: string[] = [];
  let chars = 0;
  for (let match = opens.exec(html); match; match = opens.exec(html)) {
    const from = match.index + match[0].length;
    const closes = closesOf.get((match[1] ?? '').toLowerCase());
    if (closes) closes.lastIndex = from;
    const end = closes?.exec(html)?.index;
    if (end === undefined) break;
    const text = toPlainText(html.slice(from, Math.min(end, from + MAX_CHARS - chars)));
    found.push(text);
    chars += text.length;
    if (chars >= MAX_CHARS || found.length >= MAX_ELEMENTS) break;
    opens.lastIndex = end;
  }
  return found;
}

const toPlainText = (html: string): string =>
  html
    .replace(/<[^<>]{0,2000}>/g, '')
    .replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/&#(\d{2,3});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]{2});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
