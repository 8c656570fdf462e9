import { decodePercent } from '../../../lib/percent.ts';
import { type MethodRow, methods } from './method-row.ts';

/** A piece of a path template: what one segment of a path must be, or that the rest is taken. */
type Piece =
  | { is: 'literal'; text: string }
  /** Any segment; with a verb, any that ends in `:verb`. */
  | { is: 'one'; verb?: string }
  /** `{+orgUnitPath}`: the value may begin with a slash of its own, as its clients write paths. */
  | { is: 'rest'; mayBeginWithSlash: boolean };

/** A variable of a template: the pieces from `from` up to and without `to` are its value. */
type Variable = {
  name: string;
  from: number;
  to: number;
  /** `{name=projects/*}`: `%2F` in a segment is no separator and stays as it is (google/api/http.proto). */
  hasPattern: boolean;
  /** Follows the value, after a colon: `:stop`. */
  verb?: string;
};

type PathTemplate = { pieces: readonly Piece[]; variables: readonly Variable[] };

/**
 * A path template of a method row: `{userKey}`, `{+orgUnitPath}`, `{name=projects/*}`, a verb at the end.
 * @throws Error for any other template: a bug in the table
 */
export function parseTemplate(template: string): PathTemplate {
  const pieces: Piece[] = [];
  const variables: Variable[] = [];
  if (template.includes('//')) throw new Error(`Path template ${template}`);
  for (const part of splitTemplate(template)) {
    const variable = VARIABLE.exec(part)?.groups;
    if (variable === undefined) {
      if (/[{}*]/.test(part) || part === '') throw new Error(`Path template ${template}`);
      pieces.push({ is: 'literal', text: part });
      continue;
    }
    const { name = '', pattern, rest, verb } = variable;
    const from = pieces.length;
    if (pattern !== undefined) pieces.push(...parsePatternPieces(pattern));
    else pieces.push(rest === undefined ? { is: 'one' } : { is: 'rest', mayBeginWithSlash: true });
    variables.push({
      name,
      from,
      to: pieces.length,
      hasPattern: pattern !== undefined,
      ...(verb !== undefined && { verb }),
    });
    if (verb === undefined) continue;
    const last = pieces.pop();
    if (last === undefined || last.is === 'rest')
      throw new Error(`Path template ${template}: a verb follows one segment`);
    pieces.push(last.is === 'one' ? { is: 'one', verb } : { is: 'literal', text: `${last.text}:${verb}` });
  }
  if (pieces.some(({ is }, at) => is === 'rest' && at < pieces.length - 1))
    throw new Error(`Path template ${template}`);
  return { pieces, variables };
}

const VARIABLE = /^\{(?<rest>\+)?(?<name>[\w.]+)(?:=(?<pattern>[^}]+))?\}(?::(?<verb>\w+))?$/;

/** Splits at the slashes that are not in braces. */
const splitTemplate = (template: string): string[] => template.slice(1).match(/\{[^}]*\}[^/]*|[^/]+/g) ?? [];

const parsePatternPieces = (pattern: string): Piece[] =>
  pattern.split('/').map((part): Piece => {
    if (part === '*') return { is: 'one' };
    return part === '**' ? { is: 'rest', mayBeginWithSlash: false } : { is: 'literal', text: part };
  });

/** The row that a request is for, with its path parameters decoded once; or the verbs that the path takes otherwise. */
export type Match = { row: MethodRow; path: Readonly<Record<string, string>> } | { allowed: readonly string[] };
export type MethodRouter = (httpMethod: string, rawPathname: string) => Match | undefined;

/**
 * Finds rows by verb and path. The path is matched as it is sent, segment by segment, and decoded afterwards, once:
 * `%2F` is no separator. Where several templates match, literals win over variables, from the left. Undefined for a path
 * of no row, with an empty or a dot segment, or that does not decode. One empty segment is taken: before the value of
 * `{+orgUnitPath}`, which clients write with a slash of its own (`orgunits//corp`); the value is then without it.
 */
export function createMethodRouter(rows: readonly MethodRow[]): MethodRouter {
  const root = createNode();
  for (const row of rows) {
    for (const path of [row.path, ...(row.alsoAt ?? [])]) {
      const template = parseTemplate(path);
      const leaf = ensureLeaf(root, template.pieces);
      if (leaf.has(row.httpMethod)) throw new Error(`${row.id} has the path of ${leaf.get(row.httpMethod)?.row.id}`);
      leaf.set(row.httpMethod, { row, template });
    }
  }
  return (httpMethod, rawPathname) => {
    const path = splitPathSegments(rawPathname);
    if (path === undefined) return undefined;
    const { segments, emptyAt } = path;
    const leaves = [...listLeaves(root, segments, 0)].filter(
      (leaf) => emptyAt === undefined || canTakeSlash(leaf, emptyAt),
    );
    if (leaves.length === 0) return undefined;
    const route = leaves.map((leaf) => leaf.get(httpMethod)).find((found) => found !== undefined);
    if (route === undefined) return { allowed: [...new Set(leaves.flatMap((leaf) => [...leaf.keys()]))] };
    return { row: route.row, path: readTemplateParameters(route.template, segments) };
  };
}

type Segment = { raw: string; decoded: string };
type Route = { row: MethodRow; template: PathTemplate };
type Leaf = Map<string, Route>;
/** A tree of segments: of each path at most as many nodes are visited as the table has. */
type Node = {
  literals: Map<string, Node>;
  /** By verb; '' for none. */
  ones: Map<string, Node>;
  rest?: Leaf;
  leaf: Leaf;
};

/** An org unit path is 35 units deep at most; nothing else is near this. */
const MAX_SEGMENTS = 64;

function createNode(): Node {
  return { literals: new Map(), ones: new Map(), leaf: new Map() };
}

function ensureLeaf(root: Node, pieces: readonly Piece[]): Leaf {
  let node = root;
  for (const piece of pieces) {
    if (piece.is === 'rest') return (node.rest ??= new Map());
    const [children, key] = piece.is === 'literal' ? [node.literals, piece.text] : [node.ones, piece.verb ?? ''];
    const next = children.get(key) ?? createNode();
    children.set(key, next);
    node = next;
  }
  return node.leaf;
}

function* listLeaves(node: Node, segments: readonly Segment[], at: number): Generator<Leaf> {
  const segment = segments[at];
  if (segment === undefined) {
    if (node.leaf.size > 0) yield node.leaf;
    return;
  }
  const literal = node.literals.get(segment.raw);
  if (literal !== undefined) yield* listLeaves(literal, segments, at + 1);
  const verb = extractVerb(segment.raw);
  const withVerb = verb === '' ? undefined : node.ones.get(verb);
  if (withVerb !== undefined) yield* listLeaves(withVerb, segments, at + 1);
  const one = node.ones.get('');
  if (one !== undefined) yield* listLeaves(one, segments, at + 1);
  if (node.rest !== undefined) yield node.rest;
}

/** `undelete` of `b:undelete`; '' where nothing precedes the colon. */
function extractVerb(raw: string): string {
  const colon = raw.lastIndexOf(':');
  return colon < 1 ? '' : raw.slice(colon + 1);
}

/** Whether what a leaf's templates have at this place is a value that may begin with a slash. */
const canTakeSlash = (leaf: Leaf, at: number): boolean =>
  [...leaf.values()].every(({ template: { pieces } }) => {
    const piece = pieces[at];
    return piece?.is === 'rest' && piece.mayBeginWithSlash;
  });

/** The segments of a path but for its first empty one, and where that was. */
function splitPathSegments(rawPathname: string): { segments: readonly Segment[]; emptyAt?: number } | undefined {
  if (!rawPathname.startsWith('/')) return undefined;
  const raws = rawPathname.split('/', MAX_SEGMENTS + 2).slice(1);
  if (raws.length > MAX_SEGMENTS) return undefined;
  const emptyAt = raws.indexOf('');
  const segments = raws.filter((_, at) => at !== emptyAt).map((raw) => ({ raw, decoded: decodePercent(raw) }));
  const isWhole = (segment: { raw: string; decoded: string | undefined }): segment is Segment =>
    segment.decoded !== undefined && !NO_SEGMENTS.includes(segment.decoded);
  if (!segments.every(isWhole)) return undefined;
  return emptyAt < 0 ? { segments } : { segments, emptyAt };
}

const NO_SEGMENTS = ['', '.', '..'];

function readTemplateParameters(
  { pieces, variables }: PathTemplate,
  segments: readonly Segment[],
): Record<string, string> {
  return Object.fromEntries(
    variables.map(({ name, from, to, hasPattern, verb }) => {
      const last = pieces[to - 1];
      const taken = segments.slice(from, last?.is === 'rest' ? undefined : to);
      const end = verb === undefined ? '' : `:${verb}`;
      const values = taken.map((segment) => (hasPattern ? decodeInName(segment) : segment.decoded));
      const value = values.join('/');
      return [name, value.slice(0, value.length - end.length)];
    }),
  );
}

/** In a resource name an escaped slash stays escaped: `projects/p/logs/a%2Fb`. */
const decodeInName = ({ raw }: Segment): string => raw.split(ESCAPED_SLASH).map(decodeURIComponent).join('%2F');

const ESCAPED_SLASH = /%2F/i;

/** Matches against the whole table. */
export const match: MethodRouter = createMethodRouter(methods);
