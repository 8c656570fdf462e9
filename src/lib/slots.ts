/** Characters of what a slot asks for. */
export const MAX_SLOT_CHARS = 120;

/** Slots of one file that are listed. */
const MAX_SLOTS = 200;

const SLOT = /\[FACT NEEDED: ([^\][\r\n]{1,200})\]/gu;

/**
 * A place for a fact that the site does not state: `[FACT NEEDED: what]`. Anyone who deploys the file fills it in;
 * nothing is made up in its place.
 * @param what in our words, without brackets: `opening hours`, `https address of your MCP endpoint`.
 */
export const formatFactSlot = (what: string): string => `[FACT NEEDED: ${what.slice(0, MAX_SLOT_CHARS)}]`;

/** A slot that was left open, however it is spaced, also as part of an address. */
const OPEN = /(?:\[|%5B)\s{0,9}FACT(?:\s|%20|\+){1,9}NEEDED\b/iu;

/** The same with what it asks for, which a copy may have cut. */
const OPEN_WHOLE = /\[\s{0,9}FACT\s{1,9}NEEDED\b[^\][\r\n]{0,200}\]?/giu;

/**
 * Whether a text has a place that was to be filled in before it was published. Such a text is no fact: what reads it
 * finds nothing there.
 */
export const isSlot = (text: string): boolean => OPEN.test(text);

/** The first open slot of a text with what it asks for; '' when there is none. */
export const findFirstSlot = (text: string): string =>
  /\[\s{0,9}FACT\s{1,9}NEEDED\b[^\][\r\n]{0,200}\]?/iu.exec(text)?.[0] ?? '';

/** A Markdown link to a slot is no link: its label stays. */
const OPEN_LINK = /\]\(\[\s{0,9}FACT\s{1,9}NEEDED\b[^\][\r\n]{0,200}\]\)/giu;

/** The text without its open slots, line by line as before. */
export const removeSlots = (text: string): string =>
  isSlot(text) ? text.replaceAll(OPEN_LINK, ']').replaceAll(OPEN_WHOLE, '') : text;

/** Levels of a value in which slots are looked for. */
const MAX_SLOT_DEPTH = 100;

/** The value without its texts that have an open slot, in objects and in lists. */
export function dropSlotTexts(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_SLOT_DEPTH) return value;
  const isOpen = (member: unknown): boolean => typeof member === 'string' && isSlot(member);
  if (Array.isArray(value)) return value.filter((item) => !isOpen(item)).map((item) => dropSlotTexts(item, depth + 1));
  const kept = Object.entries(value).filter(([key, member]) => !isSlot(key) && !isOpen(member));
  return Object.fromEntries(kept.map(([key, member]) => [key, dropSlotTexts(member, depth + 1)]));
}

/** What the slots of a text ask for, each once, in order of appearance. */
export const listSlots = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(SLOT)].map((match) => match[1] ?? ''))].slice(0, MAX_SLOTS);

/** Text of a site that spells a slot would have its owner fill in what a stranger asks for: the brackets are rounded. */
export const withoutSlots = (text: string): string => text.replaceAll(/\[(\s{0,9}FACT\s{1,9}NEEDED)/giu, '($1');
