import type { Exchange } from '../../core/snapshot.ts';
import { groupAt, type RobotsFile, type RobotsGroup } from './robots.ts';

/** The categories of the AIPREF vocabulary (draft-ietf-aipref-vocab-06, 6.1). */
export const USAGE_LABELS = ['train-ai', 'search'] as const;
export type UsageLabel = (typeof USAGE_LABELS)[number];

/** Rules of one robots.txt and members of one dictionary that are read. */
const MAX_RULES = 100;
const MAX_MEMBERS = 50;

/**
 * One Content-Usage as published. `preferences` is undefined when the text is no dictionary of RFC 9651; a label without
 * a `y` or `n` states nothing and is left out. `path` is '' when the rule is for every path.
 */
export type ContentUsage = {
  from: 'robots' | 'header';
  exchange: Exchange;
  text: string;
  line?: number;
  path: string;
  group: RobotsGroup | undefined;
  preferences: readonly { label: UsageLabel; allows: boolean }[] | undefined;
};

/** The preferences that a Content-Usage value states; undefined when it cannot be parsed. Unknown labels are ignored. */
export function parseContentUsage(text: string): ContentUsage['preferences'] {
  const members = parseDictionary(text);
  return (
    members &&
    USAGE_LABELS.flatMap((label) => {
      const value = members.get(label);
      return value === 'y' || value === 'n' ? [{ label, allows: value === 'y' }] : [];
    })
  );
}

const KEY = /[a-z*][a-z\d_.*-]{0,60}/y;
const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,200}/y;
const OTHER =
  /-?\d{1,15}(?:\.\d{1,3})?|"(?:[\x20\x21\x23-\x5B\x5D-\x7E]|\\["\\]){0,1000}"|:[A-Za-z\d+/=]{0,1000}:|\?[01]|@-?\d{1,15}|\([^()]{0,1000}\)/y;
const SPACE = / {0,100}/y;
const WHITE = /[ \t]{0,100}/y;

/** Members of a Dictionary (RFC 9651, 4.2.2) whose value is a Token; any other value is ''. The last of a name wins. */
function parseDictionary(text: string): ReadonlyMap<string, string> | undefined {
  const source = text.trim();
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const value = (): string | undefined => take(TOKEN) ?? (take(OTHER) === undefined ? undefined : '');
  const skip = (char: string): boolean => source[at] === char && ++at > 0;
  const members = new Map<string, string>();
  for (let count = 0; count < MAX_MEMBERS; count += 1) {
    const key = take(KEY);
    const found = key === undefined ? undefined : skip('=') ? value() : '';
    if (key === undefined || found === undefined || !parameters()) return undefined;
    members.set(key, found);
    take(WHITE);
    if (at === source.length) return members;
    if (!skip(',')) return undefined;
    take(WHITE);
  }
  return undefined;

  function parameters(): boolean {
    for (let count = 0; count < MAX_MEMBERS && skip(';'); count += 1) {
      take(SPACE);
      if (take(KEY) === undefined || (skip('=') && value() === undefined)) return false;
    }
    return true;
  }
}

/** The Content-Usage rules of a robots.txt: `[path] preference` (draft-ietf-aipref-attach, 3). */
export function robotsUsage(file: RobotsFile, exchange: Exchange): readonly ContentUsage[] {
  return file.others
    .filter(({ key }) => key === 'content-usage')
    .slice(0, MAX_RULES)
    .map(({ value, line }) => {
      const path = /^\/\S{0,2000}/u.exec(value)?.[0] ?? '';
      const preferences = parseContentUsage(value.slice(path.length));
      return { from: 'robots', exchange, text: value, line, path, group: groupAt(file, line), preferences };
    });
}

/** The Content-Usage header of an answer, as a list of none or one. */
export function headerUsage(exchange: Exchange): readonly ContentUsage[] {
  const value = exchange.answer.ok ? exchange.answer.headers['content-usage'] : undefined;
  if (value === undefined) return [];
  return [{ from: 'header', exchange, text: value, path: '', group: undefined, preferences: parseContentUsage(value) }];
}
