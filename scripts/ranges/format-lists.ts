import type { PublishedList } from '../../src/traffic/ranges/agent-ranges-data.ts';

const MAX_LINE_CHARS = 120;
const INDENT = ' '.repeat(6);
const START = 'export const publishedLists';

/** The data file with other lists; everything before them stays. @throws Error where the file has no lists */
export function withLists(file: string, lists: readonly PublishedList[]): string {
  const start = file.indexOf(START);
  if (start < 0) throw new Error(`the file has no ${START}`);
  const rows = lists.map(formatList).join('');
  return `${file.slice(0, start)}${START}: readonly PublishedList[] = [\n${rows}];\n`;
}

function formatList({ source, copy, date, read, prefixes }: PublishedList): string {
  const members = { source, copy, date, read };
  const lines = Object.entries(members).map(([name, value]) => `    ${name}: ${quote(value)},\n`);
  const blocks = prefixes.trim().split(/\s+/);
  const short = `    prefixes: ${quote(blocks.join(' '))},\n`;
  const text = short.length <= MAX_LINE_CHARS ? short : `    prefixes: \`\n${wrap(blocks)}\`,\n`;
  return `  {\n${lines.join('')}${text}  },\n`;
}

/** Values are addresses, names of repositories and days; none of them has a quote or a backslash. */
function quote(text: string): string {
  if (/['\\`$]/.test(text)) throw new Error(`a value has a character that is not written: ${text}`);
  return `'${text}'`;
}

function wrap(blocks: readonly string[]): string {
  const lines: string[] = [];
  for (const block of blocks) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + block.length < MAX_LINE_CHARS)
      lines[lines.length - 1] = `${line} ${block}`;
    else lines.push(`${INDENT}${block}`);
  }
  return lines.join('\n');
}
