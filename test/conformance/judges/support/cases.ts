import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JudgeLanguage } from '../judges-data.ts';

/** The folder of a language's program. */
export const folderOf = (language: JudgeLanguage): string => join(import.meta.dirname, '..', language);

/** Source files of a language's program, in the order of their names. */
export const listSources = (language: JudgeLanguage): string[] =>
  globSync('*.{py,go,rb,java}', { cwd: folderOf(language) })
    .toSorted()
    .map((file) => join(folderOf(language), file));

/** A case begins with its name, in all four languages: `judge("name"`, `judge 'name'`. */
const CASE = /\bjudge[( ]("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g;

/** The names of a language's cases, as its sources declare them. */
export const listCases = (language: JudgeLanguage): string[] =>
  listSources(language).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(CASE)].map(([, name = '']) => name.slice(1, -1).replaceAll(/\\(.)/g, '$1')),
  );
