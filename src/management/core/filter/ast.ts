import type { Json } from '../../../lib/json.ts';

/** `logging`: the Logging query language over log entries. `aip`: AIP-160 over any JSON object, without functions. */
export type Profile = 'logging' | 'aip';

export type ComparisonOperator = '=' | '!=' | '>' | '<' | '>=' | '<=' | ':' | '=~' | '!~';

/**
 * How the values of a field compare. `identifier` is text whose letter case counts; `json` and `proto` are payloads and what
 * is in them, `proto` with keys in any spelling; `any` is a field of something else than a log entry.
 */
export type FieldType =
  | 'string'
  | 'identifier'
  | 'int'
  | 'bool'
  | 'timestamp'
  | 'duration'
  | 'severity'
  | 'map'
  | 'json'
  | 'proto'
  | 'any';

export type FilterField = {
  path: readonly string[];
  type: FieldType;
  /** What the field counts as where an entry has none; without it a comparison on a missing field fails. */
  fallback?: Json;
};

/** A value as it was written; what it becomes hangs on the field it meets. */
export type Literal = { text: string; isQuoted: boolean };

/** A comparison as it was written, and the field of a log entry it names. */
export type FilterComparison = {
  kind: 'compare';
  field: FilterField;
  written: readonly string[];
  operator: ComparisonOperator;
  value: Literal;
};

/** A call of a function, its arguments judged. */
export type FunctionCall =
  /** The id as it appears in a log name, escaped. */
  | { name: 'log_id'; id: string }
  | { name: 'source'; container: string }
  | { name: 'sample'; field: FilterField; fraction: number }
  | { name: 'ip_in_net'; field: FilterField; net: string }
  | { name: 'search'; field?: FilterField; query: string }
  | { name: 'type'; query: string };

export type Expression =
  | { kind: 'and' | 'or'; terms: readonly Expression[] }
  | { kind: 'not'; term: Expression }
  | { kind: 'bare'; value: Literal }
  | { kind: 'call'; call: FunctionCall }
  | FilterComparison;

/** A filter that was understood. Without an expression ('' or nothing but comments) it matches everything. */
export type ParsedFilter = { text: string; profile: Profile; expression?: Expression };

/** What makes a text no filter: thrown inside the parser, data outside. `at` counts UTF-16 units from 0. */
export class FilterProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.name = 'FilterProblem';
    this.at = at;
  }
}
