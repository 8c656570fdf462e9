/** Blocks of thoughts at the front of an answer that are looked for. */
const MAX_BLOCKS = 8;

const OPENING = /^\s{0,200}<(think|thinking)>/iu;
const CLOSING = /<\/(?:think|thinking)>/iu;

/**
 * An answer without what an open model thought aloud before it: names in thoughts are not mentions. A chat template may
 * have written the opening tag itself, so that the text begins inside the thoughts. Thoughts that never end leave
 * nothing. A text without thoughts comes back as it is.
 */
export function withoutThoughts(text: string): string {
  let rest = text;
  for (let block = 0; block < MAX_BLOCKS; block += 1) {
    const isOpen = OPENING.test(rest);
    const closing = CLOSING.exec(rest);
    // Only the first block may lack its opening tag: later on a closing tag is a part of the answer.
    if (!isOpen && (block > 0 || !closing)) return rest;
    if (!closing) return '';
    rest = rest.slice(closing.index + closing[0].length).trimStart();
  }
  return rest;
}
