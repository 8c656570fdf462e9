import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { JUDGE_PACKAGES } from '../../conformance/packages/folder.ts';

/** What npm `cloudflare` declares of the answers of AI Search, read from its declarations. */
const FOLDER = join(
  dirname(createRequire(new URL('cloudflare/package.json', JUDGE_PACKAGES)).resolve('cloudflare')),
  'resources/aisearch',
);
const FILES = [
  'tokens',
  'instances/instances',
  'instances/jobs',
  'namespaces/namespaces',
  'namespaces/instances/instances',
  'namespaces/instances/items',
  'namespaces/instances/jobs',
];

type Type =
  | { kind: 'plain'; name: string }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'array'; of: Type }
  | { kind: 'union'; of: readonly Type[] }
  | { kind: 'object'; members: ReadonlyMap<string, Member>; others?: Type }
  /** `within`: the namespaces around the place that names it. */
  | { kind: 'named'; name: string; within: readonly string[] };
type Member = { type: Type; isOptional: boolean };
/** Types of a file by their names with their namespaces. */
type Declared = ReadonlyMap<string, Type>;
/** An answer of a method; `isPage`: its result is a list of them. */
type Answer = { type: Type; declared: Declared; isPage: boolean };

const COMMENT = /\/\*[\s\S]*?\*\//g;
const TOKEN = /'[^']*'|[\w$.]+|=>|[{}[\]<>|:;?,()=&]/g;
const PLAIN = new Set(['string', 'number', 'boolean', 'null', 'unknown']);

/** Reads the types of a file of declarations, which has interfaces, namespaces, and names for types. */
class Reader {
  readonly types = new Map<string, Type>();
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(TOKEN) ?? [];
  }

  read(): void {
    while (this.#at < this.#tokens.length) {
      const word = this.#next();
      if (word === 'export') this.#declaration([]);
    }
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new Error(`${token} expected, and not ${found}`);
  }

  #declaration(within: readonly string[]): void {
    if (this.#peek() === 'declare') this.#next();
    const [kind, name] = [this.#next(), this.#peek()];
    if (kind === 'interface') {
      this.#next();
      const isOwn = this.#peek() === '{';
      while (this.#peek() !== '{') this.#next();
      const type = this.#object(within);
      if (isOwn) this.types.set([...within, name].join('.'), type);
    } else if (kind === 'namespace') {
      this.#next();
      this.#namespace([...within, name]);
    } else if (kind === 'type' && this.#tokens[this.#at + 1] === '=') {
      this.#at += 2;
      this.types.set([...within, name].join('.'), this.#type(within));
    }
  }

  #namespace(within: readonly string[]): void {
    this.#expect('{');
    while (this.#peek() !== '}') {
      if (this.#peek() === 'export') this.#skipExports();
      else this.#declaration(within);
    }
    this.#next();
  }

  #skipExports(): void {
    while (this.#next() !== '}');
    if (this.#peek() === ';') this.#next();
  }

  #object(within: readonly string[]): Type {
    this.#expect('{');
    const members = new Map<string, Member>();
    let others: Type | undefined;
    while (this.#peek() !== '}') {
      if (this.#peek() === '[') {
        while (this.#next() !== ']');
        this.#expect(':');
        others = this.#type(within);
      } else {
        const name = this.#next();
        const isOptional = this.#peek() === '?';
        if (isOptional) this.#next();
        this.#expect(':');
        members.set(name, { type: this.#type(within), isOptional });
      }
      this.#expect(';');
    }
    this.#next();
    return { kind: 'object', members, ...(others && { others }) };
  }

  #type(within: readonly string[]): Type {
    const of = [this.#single(within)];
    while (this.#peek() === '|') {
      this.#next();
      of.push(this.#single(within));
    }
    const [only, ...more] = of;
    return only !== undefined && more.length === 0 ? only : { kind: 'union', of };
  }

  #single(within: readonly string[]): Type {
    if (this.#peek() === '{') return this.#object(within);
    const word = this.#next();
    if (word.startsWith("'")) return { kind: 'literal', value: word.slice(1, -1) };
    if (/^\d/.test(word)) return { kind: 'literal', value: Number(word) };
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
    if (PLAIN.has(word)) return { kind: 'plain', name: word };
    if (this.#peek() !== '<') return { kind: 'named', name: word, within };
    this.#next();
    const of = this.#type(within);
    while (this.#next() !== '>');
    if (word === 'Array') return { kind: 'array', of };
    return { kind: 'named', name: word, within };
  }
}

const CLASS = /class Base\w+ extends APIResource \{\s*static readonly _key: readonly \[([^\]]+)\];([\s\S]*?)\n\}/;
const METHOD = /^ {4}(\w+)\(.*\): (APIPromise|PagePromise)<(?:\w+, )?(\w+)>;$/gm;

/** What each method answers, by the method's id in our table: `aisearch.namespaces.instances.items.list`. */
export function readSdkAnswers(): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const file of FILES) {
    const text = readFileSync(join(FOLDER, `${file}.d.ts`), 'utf8').replaceAll(COMMENT, '');
    const reader = new Reader(text.replace(CLASS, ''));
    reader.read();
    const [, key = '', body = ''] = CLASS.exec(text) ?? [];
    const prefix = key.replaceAll(/[' ]/g, '').split(',').join('.').toLowerCase();
    for (const [, name = '', kind, type = ''] of body.matchAll(METHOD))
      if (type !== 'Response')
        // The content of a file.
        answers.set(`${prefix}.${name}`, {
          type: { kind: 'named', name: type, within: [] },
          declared: reader.types,
          isPage: kind === 'PagePromise',
        });
  }
  return answers;
}

/** Where a result is not exactly what is declared: what is missing, not declared, or of another type. */
export function listDifferences({ type, declared, isPage }: Answer, result: unknown): readonly string[] {
  return compare(isPage ? { kind: 'array', of: type } : type, result, 'result', declared);
}

function compare(type: Type, value: unknown, at: string, declared: Declared): readonly string[] {
  const wrong = [`${at}: ${JSON.stringify(value)?.slice(0, 80)} is not ${describe(type)}`];
  switch (type.kind) {
    case 'plain':
      if (type.name === 'unknown') return [];
      return (type.name === 'null' ? value === null : typeof value === type.name) ? [] : wrong;
    case 'literal':
      return value === type.value ? [] : wrong;
    case 'array':
      if (!Array.isArray(value)) return wrong;
      return value.flatMap((one, index) => compare(type.of, one, `${at}[${index}]`, declared));
    case 'union': {
      const all = type.of.map((one) => compare(one, value, at, declared));
      // The differences of the variant that is meant say more than that none fits.
      return all.find((found) => found.length === 0) ?? all.find((found) => !found[0]?.startsWith(`${at}: `)) ?? wrong;
    }
    case 'named': {
      const found = resolve(type, declared);
      if (found === undefined) throw new Error(`${type.name} is not declared`);
      return compare(found, value, at, declared);
    }
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
      return compareObject(type, value, at, declared);
  }
}

function compareObject(
  { members, others }: Extract<Type, { kind: 'object' }>,
  value: object,
  at: string,
  declared: Declared,
): readonly string[] {
  const missing = [...members].filter(([name, { isOptional }]) => !isOptional && !Object.hasOwn(value, name));
  const differences = Object.entries(value).flatMap(([name, member]) => {
    const wanted = members.get(name)?.type ?? others;
    return wanted === undefined
      ? [`${at}.${name} is not declared`]
      : compare(wanted, member, `${at}.${name}`, declared);
  });
  return [...missing.map(([name]) => `${at}.${name} is missing`), ...differences];
}

function resolve({ name, within }: Extract<Type, { kind: 'named' }>, declared: Declared): Type | undefined {
  for (let depth = within.length; depth >= 0; depth -= 1) {
    const found = declared.get([...within.slice(0, depth), name].join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function describe(type: Type): string {
  if (type.kind === 'plain' || type.kind === 'named') return type.name;
  if (type.kind === 'literal') return JSON.stringify(type.value);
  if (type.kind === 'union') return type.of.map(describe).join(' | ');
  return `an ${type.kind}`;
}
