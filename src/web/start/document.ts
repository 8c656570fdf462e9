import type { PageLanguage } from '../language/language.ts';

/** A piece of a line: words, words that lead somewhere, or code. */
export type Inline = string | { text: string; href: string } | { code: string };

/** The blocks of a text of ours, in HTML and in Markdown alike. */
export type TextBlock =
  | { kind: 'text'; parts: readonly Inline[] }
  | { kind: 'list'; items: readonly (readonly Inline[])[] }
  | { kind: 'steps'; items: readonly (readonly Inline[])[] }
  | { kind: 'terms'; items: readonly { term: string; parts: readonly Inline[] }[] }
  | { kind: 'doors'; items: readonly Door[] }
  | { kind: 'figures'; items: readonly { figure: string; parts: readonly Inline[] }[] }
  | ProgramText
  | { kind: 'table'; caption: string; columns: readonly TableColumn[]; rows: readonly TableRow[] }
  | { kind: 'offers'; groups: readonly OfferGroup[]; words: OfferColumns }
  | { kind: 'ways'; label: string; items: readonly CallWay[] };

/** A place to begin, with its one next step. */
export type Door = { title: string; parts: readonly Inline[]; link: { text: string; href: string } };

/** `label` is that of the button which copies it. */
export type ProgramText = { kind: 'code'; code: string; language: string; label: string };

/** One of several ways to the same thing: a tab in HTML, a section in Markdown. */
export type CallWay = { id: string; name: string; blocks: readonly TextBlock[] };

/** The heading of a column; `number` where numbers are below it. */
export type TableColumn = string | { number: string };

/** The first cell heads the row. A row with an `id` can be linked to. */
export type TableRow = { id?: string; cells: readonly (readonly Inline[])[] };

/** A capability as the catalogue shows it. */
export type CapabilityOffer = {
  name: string;
  title: string;
  /** The page on which people buy it. */
  href: string;
  /** What it is for, in a sentence for people. */
  gives: string;
  /** The same as the catalogue for programs has it, in English. */
  summary: string;
  priceMicroUsdc: number;
  /** The same in USDC, as programs write it: `0.06`. */
  price: string;
  /** Wall limit of its work, in seconds. */
  atMostS: number;
  /** Fields of the body, in the order of the schema. */
  fields: readonly { name: string; required: boolean }[];
  /** A call that can be copied; without payment it answers 402 with the terms. */
  curl: string;
};

/** What belongs together in the catalogue. */
export type OfferGroup = { id: string; heading: string; lead: string; offers: readonly CapabilityOffer[] };

/** Words of the table of prices. */
export type OfferColumns = Readonly<Record<'caption' | 'what' | 'gives' | 'time' | 'price', string>> & {
  formatTime: (seconds: number) => string;
  formatPrice: (microUsdc: number) => string;
};

export type TextSection = { id: string; heading: string; level: 2 | 3; blocks: readonly TextBlock[] };

/** A page of ours without anything of a request: what it says, for every form of it. */
export type PageText = {
  path: string;
  /** The language of the words; English when absent. */
  language?: PageLanguage;
  title: string;
  /** For search results, 50 to 160 characters. */
  description: string;
  /** The day on which the words were changed last, as `2026-11-22`. */
  changed: string;
  lead: readonly Inline[];
  sections: readonly TextSection[];
};

export const buildText = (...parts: Inline[]): TextBlock => ({ kind: 'text', parts });
export const buildList = (...items: (readonly Inline[])[]): TextBlock => ({ kind: 'list', items });
export const buildLink = (words: string, href: string): Inline => ({ text: words, href });
export const buildCode = (words: string): Inline => ({ code: words });

/** A section below another. */
export const buildQuestion = (id: string, heading: string, ...blocks: TextSection['blocks']): TextSection => ({
  id,
  heading,
  level: 3,
  blocks,
});

/** A page in Markdown. @param baseUrl links of ours become absolute: the text is read away from the site. */
export function formatPageMarkdown({ title, lead, sections, changed }: PageText, baseUrl: string): string {
  const at = (parts: readonly Inline[]): string => parts.map((part) => formatInline(part, baseUrl)).join('');
  return `${[
    `# ${title}`,
    at(lead),
    ...sections.map((section) => formatSectionMarkdown(section, at)),
    `Last changed: ${changed}`,
  ].join('\n\n')}\n`;
}

type Write = (parts: readonly Inline[]) => string;

const formatSectionMarkdown = ({ heading, level, blocks }: TextSection, at: Write): string =>
  [`${'#'.repeat(level)} ${heading}`, ...blocks.map((block) => formatBlockMarkdown(block, at))].join('\n\n');

function formatBlockMarkdown(block: TextBlock, at: Write): string {
  switch (block.kind) {
    case 'text':
      return at(block.parts);
    case 'list':
      return block.items.map((item) => `- ${at(item)}`).join('\n');
    case 'steps':
      return block.items.map((item, index) => `${index + 1}. ${at(item)}`).join('\n');
    case 'terms':
      return block.items.map(({ term, parts }) => `- **${term}**: ${at(parts)}`).join('\n');
    case 'code':
      return `\`\`\`${block.language}\n${block.code}\n\`\`\``;
    case 'table':
      return formatTableMarkdown(block, at);
    case 'doors':
      return block.items.map(({ title, parts, link }) => `- **${title}**: ${at([...parts, ' ', link])}`).join('\n');
    case 'figures':
      return block.items.map(({ figure, parts }) => `- **${figure}**: ${at(parts)}`).join('\n');
    case 'offers':
      return block.groups.map((group) => formatGroupMarkdown(group, at)).join('\n\n');
    case 'ways':
      return block.items
        .map(({ name, blocks }) => [`### ${name}`, ...blocks.map((one) => formatBlockMarkdown(one, at))].join('\n\n'))
        .join('\n\n');
    default:
      return block satisfies never;
  }
}

function formatTableMarkdown({ columns, rows }: Extract<TextBlock, { kind: 'table' }>, at: Write): string {
  const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    formatRow(columns.map((column) => (typeof column === 'string' ? column : column.number))),
    formatRow(columns.map((column) => (typeof column === 'string' ? '---' : '--:'))),
    ...rows.map(({ cells }) => formatRow(cells.map((cell) => at(cell).replaceAll('|', '\\|')))),
  ].join('\n');
}

const formatGroupMarkdown = ({ heading, lead, offers }: OfferGroup, at: Write): string =>
  [`### ${heading}`, lead, offers.map((offer) => formatOfferMarkdown(offer, at)).join('\n')].join('\n\n');

/** As programs call it, and where people buy it. */
const formatOfferMarkdown = (offer: CapabilityOffer, at: Write): string => {
  const { name, title, href, summary, fields, price, curl } = offer;
  return `- \`${name}\` **${price} USDC** ${summary}. Body: ${formatFieldList(fields)}. Call: \`${joinCommandLines(curl)}\`. In a browser: ${at([{ text: title, href }])}`;
};

/** `url, profile (optional)`. */
const formatFieldList = (fields: CapabilityOffer['fields']): string =>
  fields.map(({ name, required }) => (required ? `\`${name}\`` : `\`${name}\` (optional)`)).join(', ');

const joinCommandLines = (command: string): string => command.replaceAll('\\\n  ', '');

function formatInline(part: Inline, baseUrl: string): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return `\`${part.code}\``;
  return `[${part.text}](${part.href.startsWith('/') ? `${baseUrl}${part.href}` : part.href})`;
}
