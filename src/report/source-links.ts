/** A part of the text of a source: words, or an address. */
export type SourcePart = { text: string } | { href: string };

/** Marks that end an address in a sentence, and are no part of it. */
const ENDS = new Set([':', ';', ',', '.', ')']);

/** The text of a source as words and addresses, in order. Only sources of our own table are read so. */
export function splitSourceLinks(source: string): readonly SourcePart[] {
  const parts: SourcePart[] = [];
  let words = '';
  for (const [index, word] of source.split(' ').entries()) {
    const gap = index === 0 ? '' : ' ';
    const start = word.indexOf('https://');
    if (start === -1) {
      words += gap + word;
      continue;
    }
    const end = findAddressEnd(word);
    parts.push({ text: words + gap + word.slice(0, start) }, { href: word.slice(start, end) });
    words = word.slice(end);
  }
  return [...parts, { text: words }].filter((part) => 'href' in part || part.text !== '');
}

function findAddressEnd(word: string): number {
  let end = word.length;
  while (end > 0 && ENDS.has(word.charAt(end - 1))) end -= 1;
  return end;
}
