import { toPascalCase } from '../../src/lib/text.ts';

/** A JSON Schema as OpenAPI documents have it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A class of a model: its members in order, each with a Python type. */
export type ModelClass = { name: string; description: string | undefined; members: readonly ModelMember[] };
export type ModelMember = { key: string; type: string; required: boolean; description: string | undefined };
/** A second name of a class. */
type ModelAlias = { name: string; type: string };

/** Types of Python, each with what it refers to before itself: written in this order they need no forward reference. */
export type ModelSet = { classes: readonly ModelClass[]; aliases: readonly ModelAlias[] };

/**
 * `names`: what to call objects that have no name in the document, by the path that they would be called after.
 * `optional`: members that are never required.
 */
export type ModelChoices = { names: Readonly<Record<string, string>>; optional: readonly string[] };

const MAX_DEPTH = 20;
const REF = '#/components/schemas/';

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listObjects = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isObject) : []);
/**
 * Reads classes of Python from schemas. Enums are texts and unions are the sum of their members: a newer service may answer
 * with values that this version does not know.
 */
export class ModelReader {
  readonly #schemas: Readonly<Record<string, JsonSchema>>;
  readonly #classes = new Map<string, ModelClass>();
  readonly #aliases: ModelAlias[] = [];
  /** Names of objects that were met without one, by their text: the same object twice is one class. */
  readonly #inline = new Map<string, string>();
  readonly #open = new Set<string>();
  readonly #named = new Map<string, string>();
  readonly #choices: ModelChoices;

  constructor(schemas: Readonly<Record<string, JsonSchema>>, choices: ModelChoices) {
    this.#schemas = schemas;
    this.#choices = choices;
  }

  /** Reads a named schema and all that it refers to. @returns the type that stands for it in Python */
  readNamed(name: string): string {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    if (this.#open.has(name)) return 'Dict[str, Any]'; // It contains itself: read by hand.
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    this.#open.add(name);
    const type = this.#readType(schema, name, 0);
    this.#open.delete(name);
    // A scalar or a map is written out; a second name of a class is one in Python too.
    const isAlias = type !== name && this.#classes.has(type);
    if (isAlias) this.#aliases.push({ name, type });
    this.#named.set(name, isAlias ? name : type);
    return isAlias ? name : type;
  }

  list(): ModelSet {
    return { classes: [...this.#classes.values()], aliases: this.#aliases };
  }

  #readType(schema: JsonSchema, name: string, depth: number): string {
    if (depth > MAX_DEPTH) throw new Error(`${name} is nested deeper than ${MAX_DEPTH}`);
    const ref = schema['$ref'];
    if (typeof ref === 'string') return this.readNamed(ref.slice(REF.length));
    const variants = [...listObjects(schema['anyOf']), ...listObjects(schema['oneOf'])];
    if (variants.length > 0) return this.#readUnion(variants, name, depth);
    const parts = listObjects(schema['allOf']);
    if (parts.length > 0)
      return this.#readObject(this.#merge([{ ...schema, allOf: undefined }, ...parts], false), name, depth);
    const { type } = schema;
    if (Array.isArray(type)) {
      const kinds = type.filter((kind) => kind !== 'null');
      const one = kinds.length === 1 ? this.#readType({ ...schema, type: kinds[0] }, name, depth + 1) : 'Any';
      return kinds.length === type.length ? one : toOptional(one);
    }
    if (type === 'object' || isObject(schema['properties'])) return this.#readObject(schema, name, depth);
    if (type === 'array')
      return `List[${isObject(schema['items']) ? this.#readType(schema['items'], name, depth + 1) : 'Any'}]`;
    return readScalar(schema);
  }

  #readUnion(variants: readonly JsonSchema[], name: string, depth: number): string {
    const real = variants.filter(({ type }) => type !== 'null');
    const wrap = real.length === variants.length ? (type: string): string => type : toOptional;
    const resolved = real.map((variant) => this.#resolve(variant));
    if (resolved.length > 1 && resolved.every((one) => isObject(one['properties'])))
      return wrap(this.#readObject(this.#merge(resolved, true), name, depth));
    const types = new Set(real.map((variant) => this.#readType(variant, name, depth + 1)));
    const [only = 'Any'] = types;
    return wrap(types.size === 1 ? only : 'Any');
  }

  #readObject(schema: JsonSchema, path: string, depth: number): string {
    const name = this.#choices.names[path] ?? path;
    const { properties, additionalProperties } = schema;
    if (!isObject(properties) || Object.keys(properties).length === 0) {
      const values = isObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
      return `Dict[str, ${values ? this.#readType(additionalProperties, name, depth + 1) : 'Any'}]`;
    }
    const text = JSON.stringify(schema);
    const known = this.#inline.get(text);
    if (known !== undefined) return known;
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    const members = Object.entries(properties).map(([key, value]) => {
      const member = isObject(value) ? value : {};
      return {
        key,
        type: this.#readType(member, `${name}${toPascalCase(key)}`, depth + 1),
        required: required.has(key) && !this.#choices.optional.includes(key),
        description: readDescription(member),
      };
    });
    if (this.#classes.has(name)) throw new Error(`two schemas would be called ${name}`);
    this.#inline.set(text, name);
    this.#classes.set(name, { name, description: readDescription(schema), members });
    return name;
  }

  #resolve(schema: JsonSchema): JsonSchema {
    const ref = schema['$ref'];
    return typeof ref === 'string' ? (this.#schemas[ref.slice(REF.length)] ?? {}) : schema;
  }

  /** One object with the members of several. `isUnion`: a member is required where each of them requires it. */
  #merge(schemas: readonly JsonSchema[], isUnion: boolean): JsonSchema {
    const parts = schemas.map((schema) => this.#resolve(schema));
    const lists = parts.map(({ required }) => (Array.isArray(required) ? required : []));
    const all = [...new Set(lists.flat())];
    const properties: Record<string, unknown> = {};
    for (const [key, value] of parts.flatMap((part) =>
      Object.entries(isObject(part['properties']) ? part['properties'] : {}),
    )) {
      const before = properties[key];
      properties[key] =
        before === undefined || JSON.stringify(before) === JSON.stringify(value) ? value : { anyOf: [before, value] };
    }
    return { properties, required: isUnion ? all.filter((key) => lists.every((list) => list.includes(key))) : all };
  }
}

const toOptional = (type: string): string => (/^(?:Optional\[|Any$)/.test(type) ? type : `Optional[${type}]`);

function readScalar({ type, enum: values, const: value }: JsonSchema): string {
  if (type === 'string') return 'str';
  if (type === 'integer') return 'int';
  if (type === 'number') return 'float';
  if (type === 'boolean') return 'bool';
  const given = Array.isArray(values) ? values : value === undefined ? [] : [value];
  if (given.length > 0 && given.every((one) => typeof one === 'string')) return 'str';
  return given.length > 0 && given.every((one) => typeof one === 'boolean') ? 'bool' : 'Any';
}

const readDescription = ({ description }: JsonSchema): string | undefined =>
  typeof description === 'string' && description !== '' ? description.replaceAll(/\s+/g, ' ') : undefined;
