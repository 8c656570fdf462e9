import { parseDocument } from 'yaml';
import { lexed } from '../core/lexemes.ts';
import { variablesIn } from './shell.ts';

/** Names of the variables that an overrides file has outside of its comments, in their order, each once. */
export function fileVariables(text: string): readonly string[] {
  if (!text.includes('$')) return [];
  let said = '';
  let from = 0;
  for (const { start, end } of lexed(text).comments) {
    said += text.slice(from, start);
    from = end;
  }
  return [...new Set(variablesIn(said + text.slice(from)))];
}

const SECRET_KEYS = ['serviceAccountRef', 'serviceAccountSecretRef'] as const;

/** The secret that holds the account of a component; undefined where the file names none. */
export function secretOf(text: string, block: string): string | undefined {
  const document = parseDocument(text, { prettyErrors: false, schema: 'core', uniqueKeys: false });
  const named = SECRET_KEYS.map((key) => document.getIn([block, key]));
  return named.find((value) => typeof value === 'string' && value !== '') as string | undefined;
}
