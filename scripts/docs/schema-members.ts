/** A JSON Schema, as far as these pages read it. */
export type Schema = {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  format?: string;
};

/** One member of an object: `path` is `scores.aeo.checks[].id`. */
export type Member = { path: string; type: string; isRequired: boolean; description: string };

const MAX_DEPTH = 8;
/** Integers without a bound of their own have these in a JSON Schema. */
const ANY_INTEGER = 2 ** 53 - 1;

/** The members of an object, those of its own objects and lists after each. */
export function listMembers(schema: Schema, prefix = '', depth = 0): readonly Member[] {
  if (depth > MAX_DEPTH) throw new Error(`${prefix} is nested deeper than ${MAX_DEPTH}`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const row = { path, type: describeType(member), isRequired, description: member.description ?? '' };
    return [row, ...listInner(member, path, depth)];
  });
}

function listInner(member: Schema, path: string, depth: number): readonly Member[] {
  if (member.items !== undefined)
    return [...listMembers(member.items, `${path}[].`, depth + 1), ...listChoices(member.items, `${path}[].`, depth)];
  return [...listMembers(member, `${path}.`, depth + 1), ...listChoices(member, `${path}.`, depth)];
}

/** Members of the forms that a value may have, each name once. */
function listChoices({ anyOf = [], oneOf = [] }: Schema, prefix: string, depth: number): readonly Member[] {
  const all = [...anyOf, ...oneOf].flatMap((each) =>
    each.items === undefined
      ? listMembers(each, prefix, depth + 1)
      : listMembers(each.items, prefix.replace(/\.$/, '[].'), depth + 1),
  );
  return all.filter(({ path }, index) => all.findIndex((one) => one.path === path) === index);
}

/** A type in words: `text`, `list of text`, `one of a, b`. */
export function describeType(schema: Schema): string {
  const { type, items, minimum, maximum, format } = schema;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => `\`${String(value)}\``).join(', ')}`;
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choices.length > 0) return [...new Set(choices.map(describeType))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${describeType(items)}`;
  if (type === 'integer' || type === 'number') return `${type}${describeRange(minimum, maximum)}`;
  if (type === 'string') return format === 'uri' ? 'address' : 'text';
  if (type === 'boolean') return '`true` or `false`';
  return type === undefined ? 'any' : String(type);
}

function describeRange(minimum: number | undefined, maximum: number | undefined): string {
  const [from, to] = [minimum === -ANY_INTEGER ? undefined : minimum, maximum === ANY_INTEGER ? undefined : maximum];
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}`;
  if (from !== undefined) return ` of at least ${from}`;
  return to === undefined ? '' : ` of at most ${to}`;
}
