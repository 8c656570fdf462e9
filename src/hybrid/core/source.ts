import { type Document, isMap, isScalar, parseDocument, visit, type YAMLError, type YAMLMap, Lexer } from 'yaml';
import { type FilePosition, createPositionFinder, buildOverridesProblem, type OverridesProblem } from './problem.ts';
import type { ProblemCode } from './problems-data.ts';

const TAB_IN_INDENTATION = /^ *\t[ \t]*(?=[^ \t\r\n#])/gm;

/** Where lines are indented by a tab; lines inside of a text of several lines are its own. */
function findIndentingTabs(text: string, root: YAMLMap): readonly number[] {
  const found = [...text.matchAll(TAB_IN_INDENTATION)].map(({ index }) => index);
  if (found.length === 0) return [];
  const texts = findMultilineTexts(text, root);
  let next = 0;
  return found.filter((at) => {
    while ((texts[next]?.end ?? Infinity) <= at) next += 1;
    return !((texts[next]?.start ?? Infinity) < at);
  });
}

/** In their order: texts do not lie within each other. */
function findMultilineTexts(text: string, root: YAMLMap): readonly TextRange[] {
  const ranges: TextRange[] = [];
  visit(root, (_key, node) => {
    if (!isScalar(node) || !node.range) return;
    const [start, end] = node.range;
    if (text.slice(start, end).includes('\n')) ranges.push({ start, end });
  });
  return ranges;
}

/** Of an overrides file, in UTF-16 units: the largest that were found have some 10,000. */
export const MAX_OVERRIDES_CHARS = 262_144;
/** Levels that one line may open: overrides files have a handful, and each level of a tree takes memory of the parser. */
const MAX_DEPTH = 128;
/** Reported places per kind of problem. */
const MAX_PLACES = 20;

/** An overrides file that can be changed by splices, and what its offsets mean. */
export type OverridesSource = {
  text: string;
  root: YAMLMap;
  /** What ends its first line. */
  eol: '\n' | '\r\n';
  /** Where blocks are appended: the end, or the marker `...`. */
  end: number;
  /** Of an offset in `text`. */
  placeOf: (offset: number) => FilePosition;
};

export type SourceRead = { ok: true; source: OverridesSource } | { ok: false; problems: readonly OverridesProblem[] };

const START: FilePosition = { line: 1, column: 1 };
/** Characters that YAML 1.2 does not allow in a file (section 5.1), and a carriage return that does not end a line. */
const FORBIDDEN = /(?![\t\n\r\u0085])\p{Cc}|[\uFFFE\uFFFF]|\r(?!\n)|\p{Cs}|(?!^)\uFEFF/gu;
const TEMPLATE = /\{\{|\{%/g;

const refuseSource = (...problems: readonly OverridesProblem[]): SourceRead => ({ ok: false, problems });

/** Parses an overrides file, for offsets and values: nothing is ever written from the tree. */
export function readSource(text: string): SourceRead {
  if (text.length > MAX_OVERRIDES_CHARS)
    return refuseSource(
      buildOverridesProblem('too-large', START, `The file has over ${MAX_OVERRIDES_CHARS} characters.`),
    );
  const placeOf = createPositionFinder(text);
  const forbidden = [...text.matchAll(FORBIDDEN)].slice(0, MAX_PLACES);
  if (forbidden.length > 0)
    return refuseSource(
      ...forbidden.map((found) =>
        buildOverridesProblem('control-character', placeOf(found.index), describeForbiddenCharacter(found)),
      ),
    );
  const lexemes = scanLexemes(text);
  if (lexemes.depth > MAX_DEPTH)
    return refuseSource(buildOverridesProblem('too-large', START, `The file nests deeper than ${MAX_DEPTH} levels.`));
  const templates = findTemplates(text, lexemes);
  if (templates.length > 0)
    return refuseSource(
      ...templates.map((at) => buildOverridesProblem('template', placeOf(at), 'The file is a template with `{{ }}`.')),
    );
  // Not `logLevel: 'silent'`: the parser is then silent about further documents too.
  const document = parseDocument(text, { prettyErrors: false, schema: 'core', uniqueKeys: false });
  if (document.errors.length > 0)
    return refuseSource(...document.errors.slice(0, MAX_PLACES).map((error) => buildSyntaxProblem(error, placeOf)));
  return buildSource(text, document, lexemes, placeOf);
}

function buildSource(
  text: string,
  { contents: root }: Document,
  lexemes: Lexed,
  placeOf: OverridesSource['placeOf'],
): SourceRead {
  if (!isMap(root))
    return refuseSource(buildOverridesProblem('not-overrides', START, 'The file is no mapping of keys to values.'));
  const start = root.range?.[0] ?? 0;
  if (root.flow === true)
    return refuseSource(buildOverridesProblem('flow-lines', placeOf(start), 'The whole file is one {...}.'));
  const twice = findDuplicateKeys(root).slice(0, MAX_PLACES);
  if (twice.length > 0)
    return refuseSource(
      ...twice.map((at) => buildOverridesProblem('duplicate-key', placeOf(at), 'The mapping already has this key.')),
    );
  const tabs = findIndentingTabs(text, root);
  if (tabs.length > 0)
    return refuseSource(
      ...tabs.slice(0, MAX_PLACES).map((at) => buildOverridesProblem('tab', placeOf(at), 'A tab in the indentation.')),
    );
  const eol = /\r\n|\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
  return { ok: true, source: { text, root, eol, end: lexemes.documentEnd ?? text.length, placeOf } };
}

const describeForbiddenCharacter = ([character = '']: RegExpExecArray): string =>
  `The character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} is not allowed in a YAML file.`;

/** Offsets of template markers outside comments. */
function findTemplates(text: string, { comments }: Lexed): readonly number[] {
  const places: number[] = [];
  let next = 0;
  for (const { index } of text.matchAll(TEMPLATE)) {
    while ((comments[next]?.end ?? Infinity) <= index) next += 1;
    const isComment = (comments[next]?.start ?? Infinity) <= index;
    if (!isComment) places.push(index);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

const SYNTAX: Readonly<Record<string, ProblemCode>> = {
  MULTIPLE_DOCS: 'several-documents',
  TAB_AS_INDENT: 'tab',
};

/** Never the parser's own sentence: some of them quote the text, which may be a password. */
function buildSyntaxProblem({ code, pos }: YAMLError, placeOf: OverridesSource['placeOf']): OverridesProblem {
  return buildOverridesProblem(SYNTAX[code] ?? 'yaml-syntax', placeOf(pos[0]), SENTENCES[code] ?? 'This is no YAML.');
}

const SENTENCES: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'An alias or anchor without a name.',
  BAD_DIRECTIVE: 'A directive that YAML does not know.',
  BAD_DQ_ESCAPE: 'An escape that double quotes do not know.',
  BAD_INDENT: 'The indentation does not fit the lines around it.',
  BAD_SCALAR_START: 'A text that begins so needs quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'A mapping begins where only a value is allowed: a text with `: ` needs quotes.',
  BLOCK_IN_FLOW: 'A block inside {...} or [...].',
  IMPOSSIBLE: 'This is no YAML.',
  KEY_OVER_1024_CHARS: 'A key is longer than 1,024 characters.',
  MISSING_CHAR: 'A sign is missing here: a colon, a comma, a bracket or a quote.',
  MULTILINE_IMPLICIT_KEY: 'A key goes over several lines, or its colon is missing.',
  MULTIPLE_DOCS: 'A second YAML document begins here.',
  RESOURCE_EXHAUSTION: 'The file is nested too deeply to read.',
  TAB_AS_INDENT: 'A tab in the indentation.',
  TAG_RESOLVE_FAILED: 'An unknown tag.',
  UNEXPECTED_TOKEN: 'Unexpected content: a text may need quotes.',
};

export type TextRange = { start: number; end: number };

/**
 * What the parsed tree does not tell: where comments are, where `...` ends the document, and how many levels one line may
 * open at most, which is known before a tree of them is built.
 */
export type Lexed = { comments: readonly TextRange[]; documentEnd: number | undefined; depth: number };

/** Signs that the lexer puts between lexemes: they have no place in the text. */
const SIGNS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001F']);
const SCALAR_FOLLOWS = '\u001F';
/** Each may begin a level of its own, many of them in one line: `- - - x`. */
const BLOCK_SIGNS: ReadonlySet<string> = new Set(['-', '?', ':']);

/** Takes texts without control characters: the lexer's signs are some of them. */
export function scanLexemes(text: string): Lexed {
  const comments: TextRange[] = [];
  let documentEnd: number | undefined;
  let offset = 0;
  let before = '';
  let depth = 0;
  const open = { flow: 0, line: 0 };
  for (const lexeme of new Lexer().lex(text)) {
    if (!SIGNS.has(lexeme)) {
      const end = offset + lexeme.length;
      if (lexeme.startsWith('#') && before !== SCALAR_FOLLOWS) comments.push({ start: offset, end });
      if (lexeme === '...' && before !== SCALAR_FOLLOWS) documentEnd ??= offset;
      offset = end;
      if (before !== SCALAR_FOLLOWS) countLevels(open, lexeme);
      depth = Math.max(depth, open.flow + open.line);
    }
    before = lexeme;
  }
  return { comments, documentEnd, depth };
}

function countLevels(open: { flow: number; line: number }, lexeme: string): void {
  if (lexeme === '[' || lexeme === '{') open.flow += 1;
  else if (lexeme === ']' || lexeme === '}') open.flow = Math.max(0, open.flow - 1);
  else if (lexeme === '\n' || lexeme === '\r\n') open.line = 0;
  else if (open.flow === 0 && BLOCK_SIGNS.has(lexeme)) open.line += 1;
}

/**
 * Offsets of keys that occur a second time in their mapping. The parser's own search compares each key with all earlier
 * ones, which takes minutes on a large mapping.
 */
export function findDuplicateKeys(root: YAMLMap): readonly number[] {
  const places: number[] = [];
  visit(root, (_key, node) => {
    if (!isMap(node)) return;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key) || !key.range) continue;
      if (seen.has(key.value)) places.push(key.range[0]);
      seen.add(key.value);
    }
  });
  return places.toSorted((one, other) => one - other);
}
