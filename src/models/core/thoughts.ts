/** Blocks of thoughts at the front of an answer that are looked for. */
const MAX_BLOCKS = 8;
/** Longest white space before a block, in characters: an answer that begins with more is one. */
const MAX_SPACE = 200;

/** Of whole answers, and of answers that come piece by piece. */
const OPENING = /^\s{0,200}<(think|thinking)>/iu;
const OPENINGS = ['<think>', '<thinking>'];
const CLOSING = /<\/(?:think|thinking)>/iu;
/** Characters of a closing tag that may still be incomplete. */
const TAIL = '</thinking>'.length - 1;

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

export type ThoughtFilter = {
  /** What of the text so far is certainly answer and was not handed out yet. */
  push: (text: string) => string;
  /** What is left at the end: thoughts that never end leave nothing. */
  end: () => string;
};

/**
 * Leaves out what an open model thinks aloud before it answers, piece by piece: text is held back only as long as it
 * could be a tag. Thoughts whose opening tag a chat template wrote itself look like an answer until they are over:
 * `withoutThoughts` takes those out of whole answers.
 */
export function createThoughtFilter(): ThoughtFilter {
  let now: FilterState = { state: 'front', held: '', blocks: 0 };
  return {
    push: (text) => {
      now = readOn({ ...now, held: now.held + text });
      if (now.state !== 'answer') return '';
      const { held } = now;
      now = { ...now, held: '' };
      return held;
    },
    end: () => (now.state === 'inside' ? '' : trimAfterThoughts(now)),
  };
}

/** Where the filter is, with the text that is held back. */
type FilterState = { state: 'front' | 'inside' | 'answer'; held: string; blocks: number };

/** Goes as far as the text held allows. */
function readOn(from: FilterState): FilterState {
  let now = from;
  for (let step = 0; step <= 2 * MAX_BLOCKS; step += 1) {
    const next = now.state === 'front' ? readFront(now) : readInside(now);
    if (next === now) return now;
    now = next;
    if (now.state === 'answer') return now;
  }
  return now;
}

function readFront(now: FilterState): FilterState {
  const { held, blocks } = now;
  const rest = held.trimStart();
  const isLate = blocks >= MAX_BLOCKS || held.length - rest.length > MAX_SPACE;
  const opening = isLate ? undefined : OPENINGS.find((tag) => rest.slice(0, tag.length).toLowerCase() === tag);
  if (opening !== undefined) return { state: 'inside', held: rest.slice(opening.length), blocks: blocks + 1 };
  const mayStillOpen = !isLate && OPENINGS.some((tag) => tag.startsWith(rest.toLowerCase()));
  return mayStillOpen ? now : { state: 'answer', held: trimAfterThoughts(now), blocks };
}

function readInside(now: FilterState): FilterState {
  if (now.state === 'answer') return now;
  const closing = CLOSING.exec(now.held);
  if (closing) return { ...now, state: 'front', held: now.held.slice(closing.index + closing[0].length) };
  return now.held.length <= TAIL ? now : { ...now, held: now.held.slice(-TAIL) };
}

/** An answer begins with its first character where thoughts were before it, and as it came where none were. */
const trimAfterThoughts = ({ state, held, blocks }: FilterState): string =>
  blocks > 0 && state === 'front' ? held.trimStart() : held;
