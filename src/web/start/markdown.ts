import type { TextBlock, Inline, CapabilityOffer, PageText, TextSection } from './document.ts';

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
    case 'offers':
      return formatOffersMarkdown(block.rows);
    default:
      return block satisfies never;
  }
}

/** In the order in which the cards say it. */
const formatOffersMarkdown = (rows: readonly CapabilityOffer[]): string =>
  rows
    .map(
      ({ name, summary, fields, price, curl }) =>
        `- \`${name}\` **${price} USDC** ${summary}. Body: ${formatFieldList(fields)}. Call: \`${joinCommandLines(curl)}\``,
    )
    .join('\n');

/** `url, profile (optional)`. */
const formatFieldList = (fields: CapabilityOffer['fields']): string =>
  fields.map(({ name, required }) => (required ? `\`${name}\`` : `\`${name}\` (optional)`)).join(', ');

const joinCommandLines = (command: string): string => command.replaceAll('\\\n  ', '');

function formatInline(part: Inline, baseUrl: string): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return `\`${part.code}\``;
  return `[${part.text}](${part.href.startsWith('/') ? `${baseUrl}${part.href}` : part.href})`;
}
