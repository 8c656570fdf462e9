import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Parser } from 'htmlparser2';

/** Elements whose text is quoted, or is code: nothing in it is a sentence of ours. */
const QUOTED: ReadonlySet<string> = new Set(['code', 'pre', 'blockquote', 'script', 'style', 'bdi', 'mark', 'title']);
/** Elements without an end. */
const VOID: ReadonlySet<string> = new Set(['meta', 'link', 'input', 'br', 'img', 'source', 'hr', 'wbr', 'col']);
const READ_ALOUD = ['aria-label', 'title', 'placeholder', 'alt'] as const;

const isQuoted = (name: string, { lang, dir, class: names = '' }: Record<string, string>, language: string): boolean =>
  QUOTED.has(name) ||
  dir === 'auto' ||
  (name !== 'html' && lang !== undefined && lang !== language) ||
  names.split(' ').includes('url');

/**
 * The texts of a page that are ours: neither quoted nor marked as another language. With what is read aloud of images, fields
 * and regions.
 */
export function listOwnTexts(html: string, language: string): readonly string[] {
  const found: string[] = [];
  const open: { name: string; quoted: boolean }[] = [];
  const add = (text: string | undefined): void => {
    const line = (text ?? '').replaceAll(/\s+/gu, ' ').trim();
    if (line !== '' && open.at(-1)?.quoted !== true) found.push(line);
  };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const quoted = open.at(-1)?.quoted === true || isQuoted(name, attributes, language);
      if (!quoted) for (const attribute of READ_ALOUD) add(attributes[attribute]);
      if (!VOID.has(name)) open.push({ name, quoted });
    },
    ontext: add,
    onclosetag: (name) => {
      if (open.at(-1)?.name === name) open.pop();
    },
  });
  parser.end(html.replaceAll('<!-- -->', ''));
  return found;
}

/** Words of English that no German sentence has. */
const ENGLISH =
  /(?<![\w./:-])(?:the|are|and|of|or|not|with|for|this|that|its?|has|have|be|no|your|you|when|where|which|from|by|at|on|to|is|were|does|cannot|who|what|how|more|than|all|one|only|answered|checked|before|after|against)(?![\w./:-])/i;

export const isEnglish = (text: string): boolean => ENGLISH.test(text);

const WEB = fileURLToPath(new URL('../../../src/web', import.meta.url));

/** Sentences and labels of every table of words, by language: the strings in it, however deep. */
export async function listTableTexts(): Promise<{ en: ReadonlySet<string>; de: ReadonlySet<string> }> {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('-words.ts'));
  const texts = { en: new Set<string>(), de: new Set<string>() };
  for (const file of files) {
    const exported: unknown = await import(`${WEB}/${file}`);
    for (const table of Object.values(Object(exported) as Record<string, unknown>)) {
      const { en, de }: { en?: unknown; de?: unknown } = Object(table);
      if (en === undefined || de === undefined) continue;
      for (const text of listStrings(en)) texts.en.add(text);
      for (const text of listStrings(de)) texts.de.add(text);
    }
  }
  return texts;
}

function listStrings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.trim()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : [];
}
