import { quoteForShell } from '../../lib/text.ts';

/** How a field of an order begins as a word of a command: an address that begins so too is named. */
const FIELD = /^[a-z_]{1,40}=/;

/** The fields of an order as words of a command, which shells read to the letter. Empty ones are left out. */
export const formatOrderFields = (body: object): string =>
  Object.entries(body)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return name === 'url' && !FIELD.test(text) ? quoteForShell(text) : `${name}=${quoteForShell(text)}`;
    })
    .join(' ');
