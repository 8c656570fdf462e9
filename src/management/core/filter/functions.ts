import { type FilterField, FilterProblem, type FunctionCall, type Profile } from './ast.ts';
import { parseBlock } from './addresses.ts';
import { findEntryField } from './fields.ts';
import { searchQuery } from './search.ts';

/** An argument as it was written. */
export type Argument = { text: string; path: readonly string[]; isQuoted: boolean; at: number };
type WrittenCall = { name: string; at: number; args: readonly Argument[] };

/** Real functions of the vendor that this module leaves out. */
const LEFT_OUT = new Set(['cast', 'regexp_extract']);
const CONTAINER = /^(?:projects|folders|organizations|billingAccounts)\/[^/]{1,200}$/;
const KINDS_OF_QUERIES = new Set(['logging', 'opsanalytics']);

/** A judged call of a function; names are written in any letter case. @throws FilterProblem */
export function parseFunctionCall(written: WrittenCall, profile: Profile): FunctionCall {
  const name = written.name.toLowerCase();
  if (profile === 'aip') return parseTypeCall(written, name);
  switch (name) {
    case 'log_id':
      return { name, id: escapeLogId(requireOneArgument(written).text) };
    case 'source':
      return { name, container: parseContainerArgument(requireOneArgument(written)) };
    case 'sample':
      return sampleCall(written);
    case 'ip_in_net':
      return parseIpInNetCall(written);
    case 'search':
      return searchCall(written);
    default:
      throw new FilterProblem(`unknown function '${written.name}'`, written.at);
  }
}

/** Says at once what this module leaves out: its arguments may be calls, which the grammar of the rest has not. */
export function refuseLeftOut(name: string, at: number): void {
  if (LEFT_OUT.has(name.toLowerCase())) throw new FilterProblem(`the function '${name}' is not supported`, at);
}

/** A field that must be one of a log entry's. @throws FilterProblem */
export function requireField(path: readonly string[], text: string, at: number): FilterField {
  const field = findEntryField(path);
  if (field === undefined) throw new FilterProblem(`Field not found: '${text}'`, at);
  return field;
}

function sampleCall(written: WrittenCall): FunctionCall {
  const [field, fraction] = requireTwoArguments(written);
  const share = fraction.text.trim() === '' ? Number.NaN : Number(fraction.text);
  const isShare = share > 0 && share <= 1;
  if (!isShare) throw new FilterProblem('the fraction of sample() is greater than 0 and at most 1', fraction.at);
  return { name: 'sample', field: parseFieldArgument(field), fraction: share };
}

function parseIpInNetCall(written: WrittenCall): FunctionCall {
  const [field, net] = requireTwoArguments(written);
  if (parseBlock(net.text) === undefined) throw new FilterProblem(`'${net.text}' is no IP address or range`, net.at);
  return { name: 'ip_in_net', field: parseFieldArgument(field), net: net.text };
}

function searchCall(written: WrittenCall): FunctionCall {
  const query = written.args.at(-1);
  if (query === undefined || written.args.length > 2) throw createArgumentProblem(written, 'one or two arguments');
  if (!query.isQuoted) throw new FilterProblem('the query of SEARCH() is a text in quotes', query.at);
  const { tokens, phrases } = searchQuery(query.text);
  if (tokens.length + phrases.length === 0) throw new FilterProblem('the query of SEARCH() has no words', query.at);
  const [field] = written.args;
  const isInField = written.args.length === 2 && field !== undefined;
  return { name: 'search', ...(isInField && { field: parseFieldArgument(field) }), query: query.text };
}

/** `type("Logging")` of the lists of queries: the only call that the AIP profile knows. */
function parseTypeCall(written: WrittenCall, name: string): FunctionCall {
  if (name !== 'type') throw new FilterProblem(`unknown function '${written.name}'`, written.at);
  const kind = requireOneArgument(written);
  if (!KINDS_OF_QUERIES.has(kind.text.toLowerCase()))
    throw new FilterProblem('type() takes "Logging" or "OpsAnalytics"', kind.at);
  return { name: 'type', query: kind.text.toLowerCase() };
}

const parseFieldArgument = ({ path, text, at }: Argument): FilterField => requireField(path, text, at);

function parseContainerArgument({ text, at }: Argument): string {
  if (!CONTAINER.test(text)) throw new FilterProblem(`'${text}' is no resource that source() knows`, at);
  return text;
}

function requireOneArgument(written: WrittenCall): Argument {
  const [argument, ...more] = written.args;
  if (argument === undefined || more.length > 0) throw createArgumentProblem(written, 'one argument');
  return argument;
}

function requireTwoArguments(written: WrittenCall): [Argument, Argument] {
  const [first, second, ...more] = written.args;
  if (first === undefined || second === undefined || more.length > 0)
    throw createArgumentProblem(written, 'two arguments');
  return [first, second];
}

const createArgumentProblem = ({ name, at }: WrittenCall, count: string): FilterProblem =>
  new FilterProblem(`the function '${name}' takes ${count}`, at);

/** The id of a log may be written as in a log name. */
function escapeLogId(id: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(id));
  } catch {
    // Its percent signs or surrogates are no escapes and no characters: no log has such an id.
    return encodeURIComponent(id.toWellFormed());
  }
}
