import { visible } from '../../lib/plain-line.ts';

/** Longest name of a client, in characters. */
export const MAX_CLIENT_NAME_CHARS = 80;

/** Whether a client may be called this: short, and without characters that nobody sees or that turn the line around. */
export const isFairClientName = (name: string): boolean =>
  name.trim() !== '' && Array.from(name).length <= MAX_CLIENT_NAME_CHARS && visible(name) === name;
