import generated from './methods.generated.json' with { type: 'json' };

/** Every method of every management interface, in the order of their ids. */
export const methods = generated as unknown as readonly MethodRow[]; // Written by scripts/generate-management.ts.

const byId = new Map(methods.map((row) => [row.id, row]));

/** @throws Error for an id that no row has: a bug, ids from outside are matched by path */
export function requireMethod(id: string): MethodRow {
  const row = byId.get(id);
  if (row === undefined) throw new Error(`No method ${id}`);
  return row;
}

/** A parameter of a method: its location and what it takes (terms of discovery documents). */
export type Parameter = {
  in: 'path' | 'query';
  type: 'string' | 'integer' | 'number' | 'boolean';
  /** Given more than once, it is a list. */
  repeated?: true;
  required?: true;
  /** `int64` and `uint64` are strings of digits. */
  format?: string;
  enum?: readonly string[];
  /** Numbers of the enum's names, in their order; absent where they are not known. */
  numbers?: readonly number[];
  /**
   * The vendor's document says `string`, its description true or false: clients send `True` as well as `true`. No discovery
   * document of ours shows it.
   */
  means?: 'boolean';
  default?: string;
  minimum?: number;
  maximum?: number;
};

/** A method of a management interface. */
export type MethodRow = {
  /** The vendor's id, with the version in it where two versions have the same: `directory.users.list`. */
  id: string;
  /** The vendor's id where ours differs. */
  vendorId?: string;
  /** The resources that hold the method in the vendor's document, where its id does not say them: `v2`. */
  resource?: string;
  interface: string;
  version: string;
  httpMethod: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path as a template: `{name}` is one segment; `{+name}` takes the rest, slashes and all; `{name=projects/*}` takes
   * segments by its pattern (`*` one, `**` any number); a verb may follow: `/v2/{name=projects/*}/traces:batchWrite`.
   */
  path: string;
  /** Other paths of the same method, with the same parameters. No discovery document lists them. */
  alsoAt?: readonly string[];
  parameters: Readonly<Record<string, Parameter>>;
  /** Schemas of the body and of the answer; absent: none. */
  request?: string;
  response?: string;
  /** Any one of them is enough. Full URLs. */
  scopes: readonly string[];
  /**
   * What PUT means where it is not the general rule (`replace`): the vendor keeps fields that are not sent. A tenant with
   * `strict_put` has the general rule everywhere.
   */
  put?: 'patch';
  /** Partial responses: what is shown when `fields` is not given, or that it must be given. */
  fields?: { default: string } | { required: true };
  /** A stream of the vendor: the answer is a JSON array of `parts` of the body, each of the schema of the answer. */
  parts?: true;
  /** `alt=media` answers the content of what the path names. */
  media?: true;
  /** Named in the seed documents: the rows that the table of docs/platform/index.md counts. */
  inSeed: boolean;
  /** For one and the same method under several parents (logging, quota). */
  parent?: string;
};

/** A field of a schema. */
export type SchemaField = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'object' | 'array';
  /** `object`: the schema's name. */
  ref?: string;
  /** `object`: a map to such values. */
  values?: SchemaField;
  /** `array`. */
  items?: SchemaField;
  /** `int64` and `uint64` are strings of digits on the wire. */
  format?: string;
  enum?: readonly string[];
  /** Numbers of the enum's names, in their order; absent where they are not known. */
  numbers?: readonly number[];
  /** The value where none is sent: the `kind` of most schemas. Clients see it in discovery documents; it is not filled in. */
  default?: string;
  /** Set by the server only: ignored in requests. */
  readOnly?: true;
  /** Ids of the methods whose body must have it. */
  requiredBy?: readonly string[];
};

export type Schema = Readonly<Record<string, SchemaField>>;

/** The schemas of one interface and version, by name. */
export type Schemas = Readonly<Record<string, Schema>>;
