import type { Block, Inline, Offer, PageText, Section } from './document.ts';

/** A page in Markdown. @param baseUrl links of ours become absolute: the text is read away from the site. */
export function pageMarkdown({ title, lead, sections, changed }: PageText, baseUrl: string): string {
  const at = (parts: readonly Inline[]): string => parts.map((part) => inline(part, baseUrl)).join('');
  return `${[
    `# ${title}`,
    at(lead),
    ...sections.map((section) => sectionMarkdown(section, at)),
    `Last changed: ${changed}`,
  ].join('\n\n')}\n`;
}

type Write = (parts: readonly Inline[]) => string;

const sectionMarkdown = ({ heading, level, blocks }: Section, at: Write): string =>
  [`${'#'.repeat(level)} ${heading}`, ...blocks.map((block) => blockMarkdown(block, at))].join('\n\n');

function blockMarkdown(block: Block, at: Write): string {
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
      return offersMarkdown(block.rows);
    default:
      return block satisfies never;
  }
}

/** In the order in which the cards say it. */
const offersMarkdown = (rows: readonly Offer[]): string =>
  rows
    .map(
      ({ name, summary, fields, price, curl }) =>
        `- \`${name}\` **${price} USDC** ${summary}. Body: ${fieldList(fields)}. Call: \`${oneLine(curl)}\``,
    )
    .join('\n');

/** `url, profile (optional)`. */
const fieldList = (fields: Offer['fields']): string =>
  fields.map(({ name, required }) => (required ? `\`${name}\`` : `\`${name}\` (optional)`)).join(', ');

const oneLine = (command: string): string => command.replaceAll('\\\n  ', '');

function inline(part: Inline, baseUrl: string): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return `\`${part.code}\``;
  return `[${part.text}](${part.href.startsWith('/') ? `${baseUrl}${part.href}` : part.href})`;
}
