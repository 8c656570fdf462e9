/** A piece of a path template: what one segment of a path must be, or that the rest is taken. */
export type Piece =
  | { is: 'literal'; text: string }
  /** Any segment; with a verb, any that ends in `:verb`. */
  | { is: 'one'; verb?: string }
  /** `{+orgUnitPath}`: the value may begin with a slash of its own, as its clients write paths. */
  | { is: 'rest'; mayBeginWithSlash: boolean };

/** A variable of a template: the pieces from `from` up to and without `to` are its value. */
export type Variable = {
  name: string;
  from: number;
  to: number;
  /** `{name=projects/*}`: `%2F` in a segment is no separator and stays as it is (google/api/http.proto). */
  hasPattern: boolean;
  /** Stands behind the value, with a colon: `:stop`. */
  verb?: string;
};

export type PathTemplate = { pieces: readonly Piece[]; variables: readonly Variable[] };

/**
 * A path template of a method row: `{userKey}`, `{+orgUnitPath}`, `{name=projects/*}`, a verb at the end.
 * @throws Error for any other template: a bug in the table
 */
export function parseTemplate(template: string): PathTemplate {
  const pieces: Piece[] = [];
  const variables: Variable[] = [];
  if (template.includes('//')) throw new Error(`Path template ${template}`);
  for (const part of partsOf(template)) {
    const variable = VARIABLE.exec(part)?.groups;
    if (variable === undefined) {
      if (/[{}*]/.test(part) || part === '') throw new Error(`Path template ${template}`);
      pieces.push({ is: 'literal', text: part });
      continue;
    }
    const { name = '', pattern, rest, verb } = variable;
    const from = pieces.length;
    if (pattern !== undefined) pieces.push(...patternPieces(pattern));
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
const partsOf = (template: string): string[] => template.slice(1).match(/\{[^}]*\}[^/]*|[^/]+/g) ?? [];

const patternPieces = (pattern: string): Piece[] =>
  pattern.split('/').map((part): Piece => {
    if (part === '*') return { is: 'one' };
    return part === '**' ? { is: 'rest', mayBeginWithSlash: false } : { is: 'literal', text: part };
  });
