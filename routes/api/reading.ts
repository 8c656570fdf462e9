import { type Reading, parseReading, type ParsedReading } from '../../src/results/view.ts';
import type { AppContext } from './context.ts';

/** In which view a request wants a result, and which of its members: over HTTP all of it unless it says otherwise. */
export const readReading = (c: AppContext): ParsedReading =>
  parseReading({ view: c.req.query('view'), fields: c.req.query('fields'), prefer: c.req.header('prefer') }, 'full');

/** What an answer says of the preference that it follows (RFC 7240), and by which header it differs. */
export const listReadingHeaders = ({ applied }: Reading): Record<string, string> => ({
  vary: 'Prefer',
  ...(applied === undefined ? {} : { 'preference-applied': applied }),
});
