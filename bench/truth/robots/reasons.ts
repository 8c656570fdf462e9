import { isUtf8 } from 'node:buffer';
import { ROBOTS_LIMITS } from '../../../src/audit/crawlers/facts/robots.ts';

/** A file and the paths asked of it, as a parser may take them. The groups of `parts` are parsed apart and then joined. */
export type Reading = { parts: readonly string[]; toPath: (path: string) => string };

/**
 * Why our decisions about a file are not those of Google's parser. `toGoogles` makes of our reading one with which our
 * matcher decides as Google's parser does: the bench applies it, so that no reason is a mere assertion.
 */
export type Reason = {
  id: string;
  google: string;
  ours: string;
  source: string;
  toGoogles: (reading: Reading, bytes: Uint8Array) => Reading;
};

/** All reasons that are known, in the order in which they are applied. */
export const reasons: readonly Reason[] = [
  {
    id: 'not-utf-8',
    google: 'compares the bytes of a rule, whatever they mean: an é of one byte is %E9.',
    ours: 'reads text; bytes that are not UTF-8 are U+FFFD, which no address has.',
    source: 'RFC 9309, 2.3: the file must be UTF-8',
    toGoogles: (reading, bytes) => (isUtf8(bytes) ? reading : { ...reading, parts: [escapeBytes(bytes)] }),
  },
  {
    id: 'escape-case',
    google: 'writes the escapes of rules in upper case and compares paths as they come: /%2b meets no rule with %2b.',
    ours: 'writes the escapes of both in upper case.',
    source: 'RFC 3986, 2.1 and 6.2.2.1; RFC 9309, 2.2.2',
    toGoogles: (reading) => ({ ...reading, toPath: (path) => hideLowerEscapes(reading.toPath(path)) }),
  },
  {
    id: 'misspelt-key',
    google: 'takes "useragent", "user agent" and five misspellings of "disallow" for what they mean.',
    ours: 'drops the line, as crawlers may that keep to the standard; aeo.robots.syntax names it.',
    source: 'RFC 9309, 2.2',
    toGoogles: (reading) => ({ ...reading, parts: reading.parts.map(spellKeys) }),
  },
  {
    id: 'index-file',
    google: 'lets "Allow: /a/index.html" allow the path /a/ too, and likewise whatever begins with index.htm.',
    ours: 'allows what the rule says.',
    source: 'RFC 9309, 2.2.2',
    toGoogles: (reading) => ({ ...reading, parts: reading.parts.map(allowIndexFolders) }),
  },
  {
    id: 'long-file',
    google: 'reads all of a file; how much of it is given to the parser is for the crawler to say.',
    ours: `reads ${ROBOTS_LIMITS.chars / 1024} KiB and ${ROBOTS_LIMITS.rules} rules.`,
    source: 'RFC 9309, 2.5: at least 500 KiB',
    toGoogles: (reading) => ({ ...reading, parts: reading.parts.flatMap(cutFile) }),
  },
];

const escapeBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\u00EF\u00BB\u00BF/, '')
    .replace(/[\u0080-\u00FF]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** No pattern has a control character, so that only a wildcard matches it. */
const hideLowerEscapes = (path: string): string =>
  path.replace(/%[\da-f]{2}/gi, (escape) => (escape === escape.toUpperCase() ? escape : '\u0001\u0001\u0001'));

const spellKeys = (text: string): string =>
  text
    .replace(/^([\t\v\f ]{0,99})user ?agent\b/gim, '$1User-agent')
    .replace(/^([\t\v\f ]{0,99})dis{1,2}al{1,2}[oa]w\b/gim, '$1Disallow');

const allowIndexFolders = (text: string): string =>
  text.replace(
    /^[\t\v\f ]{0,99}allow[\t\v\f ]{0,99}:[\t\v\f ]{0,99}([^\s#]{0,2000}\/)index\.htm[^\r\n]{0,2000}/gim,
    (line, folder: string) => `${line}\nAllow: ${folder}$`,
  );

const PART_LINES = 2000;
const isAgentLine = (line: string): boolean => /^[\t\v\f ]{0,99}user-agent[\t\v\f ]{0,99}:/i.test(line);
const isRuleLine = (line: string): boolean => /^[\t\v\f ]{0,99}(?:dis)?allow[\t\v\f ]{0,99}:/i.test(line);

/** Pieces of a file that are within our limits, each begun by the names of the group that the cut goes through. */
function cutFile(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => isAgentLine(line) || isRuleLine(line));
  const parts: string[] = [];
  let names: string[] = [];
  let part: string[] = [];
  let hasRules = false;
  for (const line of lines) {
    if (isAgentLine(line)) names = hasRules ? [line] : [...names, line];
    hasRules = isRuleLine(line);
    part.push(line);
    if (part.length < PART_LINES) continue;
    parts.push(part.join('\n'));
    part = [...names];
  }
  return [...parts, part.join('\n')];
}
