import type { PageFacts, QuoteFacts } from '../../page/facts/page-facts.ts';

/** Shorter spans in quotation marks are names and words, not quotations. */
const MIN_QUOTE_CHARS = 25;
const MAX_QUOTATIONS = 100;
/** How near to a quotation its speaker must be named. */
const ATTRIBUTION_CHARS = 120;
/** Characters behind the name at the end of a quotation: a role, a place, a year. */
const NAME_DETAIL_CHARS = 80;
/** Lines of source within which a `cite` element belongs to a quotation. */
const CITE_LINES = 6;

export type Quotation = { text: string; attributed: boolean };

const MARKS =
  /[“„]([^“”„\n]{25,1000})[”“]|[«]([^«»\n]{25,1000})»|[「『]([^「」『』\n]{25,1000})[」』]|(?<![\p{L}\p{N}="])"([^"\n]{25,1000})"(?![\p{L}\p{N}])/gu;

const SPOKEN = new RegExp(
  [
    String.raw`(?<!\p{L})(?:said|says|told|wrote|writes|according to|explain(?:s|ed)|not(?:es|ed)|add(?:s|ed)|argue[sd]|state[sd]|commented|recalls|report(?:s|ed)|cite[sd]?|source:)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:dijo|dice|según|afirm[aó]|explic[aó]|escribió|señal[aó]|fuente:)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:selon|déclare|a déclaré|explique|affirme|dit|écrit|d'après|source\s?:)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:sagt|sagte|laut|erklärt[e]?|zufolge|schreibt|schrieb|betont[e]?|quelle:)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:secondo|afferma|ha detto|dichiara|spiega|scrive|fonte:)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:segundo|disse|afirmou|explica|escreveu|de acordo com)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:volgens|zegt|zei|aldus|schrijft|bron:)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:сказал[аи]?|по словам|заявил[аи]?|отметил[аи]?|пишет|говорит)(?!\p{L})`,
    '表示|指出|认为|認為|说道?|說|称|によると|と述べ|と語|は話す|말했|밝혔|에 따르면|전했|وفقا|بحسب|قال',
  ].join('|'),
  'iu',
);
const NAME = String.raw`\p{Lu}[\p{L}.'’-]{1,30}(?:\s\p{Lu}[\p{L}.'’-]{0,30}){0,4}`;
const DASH_NAME_AFTER = new RegExp(`^[\\s”"»]{0,4}[-–—―~]\\s?${NAME}`, 'u');
const DASH_NAME = new RegExp(`^[-–—―~]\\s?${NAME}`, 'u');

/**
 * Quotations of at least 25 characters in the main text: `blockquote` and `q` elements and spans in quotation marks.
 * `attributed` when a speaker or source is named within 120 characters, in a dash and a name, or in a `cite`.
 */
export function findQuotations(text: string, page: Pick<PageFacts, 'quotes'>): readonly Quotation[] {
  const flat = text.replaceAll('\n', ' ');
  const marked = page.quotes.filter((quote) => quote.kind !== 'cite' && quote.hidden === undefined);
  const elements = marked
    .filter(
      (quote) => quote.text.length >= MIN_QUOTE_CHARS && (quote.inContent || flat.includes(quote.text.slice(0, 60))),
    )
    .slice(0, MAX_QUOTATIONS)
    .map((quote) => ({ text: quote.text, attributed: isAttributed(flat, quote, page.quotes) }));
  const spans: Quotation[] = [];
  for (const match of text.matchAll(MARKS)) {
    if (spans.length >= MAX_QUOTATIONS) break;
    const from = match.index;
    spans.push({ text: match[0], attributed: hasSpeaker(flat, from, from + match[0].length) });
  }
  return [...elements, ...spans];
}

/** Whether the last line ends in a dash, a name and little more. Each dash is tried by itself: a text of dashes costs no more. */
function hasDashName(text: string): boolean {
  const tail = text.slice(-ATTRIBUTION_CHARS);
  return Array.from(tail.matchAll(/[-–—―~]/g)).some(({ index }) => {
    const name = DASH_NAME.exec(tail.slice(index))?.[0];
    const rest = name === undefined ? undefined : tail.slice(index + name.length);
    return rest !== undefined && rest.length <= NAME_DETAIL_CHARS && !rest.includes('\n');
  });
}

function isAttributed(flat: string, quote: QuoteFacts, quotes: readonly QuoteFacts[]): boolean {
  if (quote.cite !== '' || hasDashName(quote.text)) return true;
  const near = (cite: QuoteFacts): boolean => cite.line >= quote.line && cite.line <= quote.line + CITE_LINES;
  if (quotes.some((cite) => cite.kind === 'cite' && cite.text !== '' && near(cite))) return true;
  const from = flat.indexOf(quote.text.slice(0, 60));
  return from >= 0 && hasSpeaker(flat, from, from + quote.text.length);
}

function hasSpeaker(flat: string, from: number, to: number): boolean {
  const before = flat.slice(Math.max(0, from - ATTRIBUTION_CHARS), from);
  const after = flat.slice(to, to + ATTRIBUTION_CHARS);
  return SPOKEN.test(before) || SPOKEN.test(after) || DASH_NAME_AFTER.test(after);
}

const NAMED_SOURCE = new RegExp(
  [
    String.raw`(?<!\p{L})(?:according to|source:|reported by|published by|data from|(?:study|survey|report|research|figures) (?:by|from|of)|found that)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:según|fuente:|selon|d'après|source :|laut|zufolge|quelle:|secondo|fonte:|segundo|de acordo com|volgens|bron:|по данным|согласно|wg|według|enligt)(?!\p{L})`,
    'によると|によれば|에 따르면|根据|根據|据[^据\n]{1,20}(?:报告|统计|数据)|وفقا ل|بحسب',
    String.raw`\[\d{1,3}\]`,
    String.raw`\((?:[^()\n]{1,60},\s?)(?:1[89]|20)\d\d[a-z]?\)`,
  ].join('|'),
  'iu',
);

/** Whether a line names where it is from: "according to", "source:", a bracketed note number, or (Name, 2024). */
export const hasNamedSource = (line: string): boolean => NAMED_SOURCE.test(line);
