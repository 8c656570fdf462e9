/** As much of JSON Schema as our OpenAPI documents use. */
export type TypedSchema = boolean | SchemaObject;
type SchemaObject = {
  $ref?: string;
  const?: unknown;
  enum?: readonly unknown[];
  type?: string | readonly string[];
  properties?: Readonly<Record<string, TypedSchema>>;
  required?: readonly string[];
  additionalProperties?: TypedSchema;
  propertyNames?: TypedSchema;
  items?: TypedSchema;
  prefixItems?: readonly TypedSchema[];
  anyOf?: readonly TypedSchema[];
  oneOf?: readonly TypedSchema[];
  allOf?: readonly TypedSchema[];
  description?: string;
};

const REF = /^#\/components\/schemas\/(\w+)$/;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;
const MAX_DEPTH = 40;

/**
 * The TypeScript type of a schema. What a schema only narrows by a pattern or a limit stays the wider type. A reference
 * to a component is a reference to the type of that name.
 * @throws Error for a keyword that would make the type wrong
 */
export function renderSchemaType(schema: TypedSchema, depth = 0): string {
  if (depth > MAX_DEPTH) throw new Error('a schema refers to itself without a component');
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  if (schema.$ref !== undefined) return readRef(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const parts = [
    ...listOwn(rest, depth),
    ...listChoices(anyOf ?? oneOf ?? [], depth),
    ...(allOf ?? []).map((one) => renderSchemaType(one, depth + 1)),
  ];
  return parts.length === 0 ? 'unknown' : parts.join(' & ');
}

function listChoices(choices: readonly TypedSchema[], depth: number): readonly string[] {
  const [first, ...others] = choices.map((one) => renderSchemaType(one, depth + 1));
  if (first === undefined) return [];
  return [others.length === 0 ? first : `(${unite([first, ...others])})`];
}

function readRef(ref: string): string {
  const name = REF.exec(ref)?.[1];
  if (name === undefined) throw new Error(`${ref} is no component`);
  return name;
}

const unite = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** What the schema says beside its combinations: nothing, or one type. */
function listOwn(schema: SchemaObject, depth: number): readonly string[] {
  const { type } = schema;
  if (type === undefined) return schema.properties ? [renderObject(schema, depth)] : [];
  if (typeof type === 'string') return [renderNamed(type, schema, depth)];
  return [`(${unite(type.map((one) => renderNamed(one, schema, depth)))})`];
}

function renderNamed(type: string, schema: SchemaObject, depth: number): string {
  if (type === 'object') return renderObject(schema, depth);
  if (type === 'array') return renderArray(schema, depth);
  if (type === 'integer') return 'number';
  if (['string', 'number', 'boolean', 'null'].includes(type)) return type;
  throw new Error(`${type} is no type of JSON Schema`);
}

function renderArray({ items = true, prefixItems }: SchemaObject, depth: number): string {
  if (prefixItems) return `[${prefixItems.map((one) => renderSchemaType(one, depth + 1)).join(', ')}]`;
  const item = renderSchemaType(items, depth + 1);
  return /^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function renderObject(schema: SchemaObject, depth: number): string {
  const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
  const indent = '  '.repeat(depth + 1);
  const members = Object.entries(properties).map(([key, member]) => {
    const name = PLAIN_KEY.test(key) ? key : JSON.stringify(key);
    const mark = required.includes(key) ? '' : '?';
    return `${renderComment(member, indent)}${indent}${name}${mark}: ${renderSchemaType(member, depth + 1)};\n`;
  });
  // An object with members takes others too, and their type is nothing that a reader could use.
  if (members.length > 0) return `{\n${members.join('')}${'  '.repeat(depth)}}`;
  if (additionalProperties === false) return 'Record<string, never>';
  const value = renderSchemaType(additionalProperties, depth + 1);
  const key = propertyNames === undefined ? 'string' : renderSchemaType(propertyNames, depth + 1);
  if (key === 'string') return `Record<string, ${value}>`;
  return required.length > 0 ? `Record<${key}, ${value}>` : `Partial<Record<${key}, ${value}>>`;
}

/** The description of a member as its comment, which editors show. */
export function renderComment(schema: TypedSchema, indent: string): string {
  const text = typeof schema === 'boolean' ? undefined : schema.description;
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n`;
}
