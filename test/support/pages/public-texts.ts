import { readFileSync } from 'node:fs';
import * as z from 'zod';

const row = z.strictObject({ title: z.string().min(1), description: z.string(), source: z.string() });

/**
 * Titles and descriptions of 200 public pages, as they are there: none was written for these tests. A source is an address,
 * or a repository and a file of its corpus.
 */
export const publicTexts = z
  .array(row)
  .length(200)
  .parse(JSON.parse(readFileSync(new URL('../../data/texts/public-pages.json', import.meta.url), 'utf8')));

/** Every text once: titles first. */
export const listPublicTexts = (): readonly string[] => [
  ...publicTexts.map(({ title }) => title),
  ...publicTexts.map(({ description }) => description).filter((text) => text !== ''),
];
