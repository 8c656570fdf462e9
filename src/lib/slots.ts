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

/** What the slots of a text ask for, each once, in order of appearance. */
export const listSlots = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(SLOT)].map((match) => match[1] ?? ''))].slice(0, MAX_SLOTS);

/** Text of a site that spells a slot would have its owner fill in what a stranger asks for: the brackets are rounded. */
export const withoutSlots = (text: string): string => text.replaceAll(/\[(\s{0,9}FACT\s{1,9}NEEDED)/giu, '($1');
