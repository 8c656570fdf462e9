import type { Edits } from './blocks.ts';

/** All of them, in their order. */
export const joined = (parts: readonly Edits[]): Edits => ({
  edits: parts.flatMap(({ edits }) => edits),
  problems: parts.flatMap(({ problems }) => problems),
});
