/** Lines of a robots.txt that a provider writes in front of the owner's file; 1-based, both ends included. */
export type ManagedBlock = { provider: string; from: number; to: number; isClosed: boolean };

const BEGIN = '# begin ';
const END = '# end ';
const MARK = ' managed content';
const MAX_PROVIDER_CHARS = 60;
const MAX_BLOCKS = 10;

const splitLines = (text: string): readonly string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);

/** The provider that a marker names: `# BEGIN Cloudflare Managed content`. */
function readMarker(line: string, start: string): string | undefined {
  const plain = line.trim();
  const lower = plain.toLowerCase();
  if (!lower.startsWith(start) || !lower.endsWith(MARK)) return undefined;
  const provider = plain.slice(start.length, plain.length - MARK.length).trim();
  return provider === '' ? undefined : provider.slice(0, MAX_PROVIDER_CHARS);
}

/**
 * The blocks between `# BEGIN … Managed content` and its end. The comment above the first marker, which introduces
 * the signals, is the provider's as well. A block without an end goes to the last line.
 */
export function listManagedBlocks(text: string): readonly ManagedBlock[] {
  const lines = splitLines(text);
  const blocks: ManagedBlock[] = [];
  let open: { provider: string; from: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const begun = readMarker(line, BEGIN);
    if (open === undefined && begun !== undefined) {
      const isFirst = blocks.length === 0 && lines.slice(0, index).every((above) => /^\s*(?:#|$)/.test(above));
      open = { provider: begun, from: isFirst ? 1 : index + 1 };
    } else if (open !== undefined && readMarker(line, END) !== undefined) {
      blocks.push({ ...open, to: index + 1, isClosed: true });
      open = undefined;
    }
    if (blocks.length === MAX_BLOCKS) return blocks;
  }
  return open === undefined ? blocks : [...blocks, { ...open, to: lines.length, isClosed: false }];
}

/** Whether a line belongs to the provider. */
export const isManagedLine = (blocks: readonly ManagedBlock[], line: number): boolean =>
  blocks.some(({ from, to }) => line >= from && line <= to);

/** The owner's own file: the text without what a provider adds at its edge. */
export function extractOwnText(text: string): string {
  const blocks = listManagedBlocks(text);
  if (blocks.length === 0) return text;
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const own = lines.filter((_line, index) => !isManagedLine(blocks, index + 1)).join('');
  return own.replace(/^(?:\r\n|\r|\n)/, '');
}
