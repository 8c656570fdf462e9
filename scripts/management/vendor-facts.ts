/**
 * What the vendor's documents say of an API, without their prose: `test/data/management/vendor/`. The generator of the
 * table takes types, formats, enums and limits from it, and `test/management/core/table/vendor.test.ts` compares with it.
 * Run on discovery documents, it writes them anew: `node scripts/management/vendor-facts.ts logging-v2 FILE SOURCE`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { selections, type Selection } from './selection-data.ts';

/** A type in the terms of discovery documents. Objects written in place are schemas named by owner and field. */
export type VendorType = {
  type?: string;
  format?: string;
  $ref?: string;
  items?: VendorType;
  additionalProperties?: VendorType;
  enum?: readonly string[];
  default?: string;
  readOnly?: true;
  /** Ids of the methods that require the field. */
  required?: readonly string[];
};
export type VendorParameter = {
  location: 'path' | 'query';
  type: string;
  format?: string;
  enum?: readonly string[];
  required?: true;
  repeated?: true;
  pattern?: string;
  minimum?: string;
  maximum?: string;
  default?: string;
};
export type VendorMethod = {
  id: string;
  httpMethod: string;
  path: string;
  parameters: Readonly<Record<string, VendorParameter>>;
  /** The order of required parameters, where there are several. */
  parameterOrder?: readonly string[];
  request?: string;
  response?: string;
  scopes?: readonly string[];
};
export type VendorFacts = {
  source: {
    document: string;
    revision: string;
    licence: string;
    /** What the source does not tell: formats of text (`date-time`), read-only fields, patterns of names in paths. */
    lacks?: readonly ('textFormats' | 'readOnly' | 'patterns')[];
  };
  /** By the resources that they are in and their name: `v2.getSettings`. */
  methods: Readonly<Record<string, VendorMethod>>;
  schemas: Readonly<Record<string, Readonly<Record<string, VendorType>>>>;
};

const FOLDER = new URL('../../test/data/management/vendor/', import.meta.url);

/** The facts of a selected API. The quota interface has none: its protocol buffers say the same. */
export function readVendorFacts({ interface: name, version, take }: Selection): VendorFacts {
  const text = readFileSync(new URL(`${name}-${version}.json`, FOLDER), 'utf8');
  return selectVendorFacts(JSON.parse(text) as VendorFacts, take); // Written below.
}

/** The facts of the methods that are taken, and of the schemas that they are made of. */
function selectVendorFacts({ source, ...facts }: VendorFacts, take: Selection['take']): VendorFacts {
  const methods = Object.entries(facts.methods).filter(([, { id }]) => take(id));
  const named = new Set(methods.flatMap(([, { request, response }]) => [request ?? [], response ?? []].flat()));
  // Grows while it is walked.
  for (const name of named)
    for (const field of Object.values(facts.schemas[name] ?? {})) for (const ref of refsIn(field)) named.add(ref);
  const schemas = [...named].toSorted().map((name) => [name, facts.schemas[name] ?? {}] as const);
  return { source, methods: Object.fromEntries(methods), schemas: Object.fromEntries(schemas) };
}

type Discovered = Record<string, unknown> & {
  properties?: Record<string, Discovered>;
  items?: Discovered;
  additionalProperties?: Discovered;
  annotations?: { required?: string[] };
};
type Resource = { methods?: Record<string, Record<string, unknown>>; resources?: Record<string, Resource> };

/** The facts of a discovery document, of the selected methods and of the schemas that they are made of. */
export function extractVendorFacts(
  document: Resource & { schemas: Record<string, Discovered>; revision: string; servicePath?: string },
  { take }: Selection,
  source: VendorFacts['source'],
): VendorFacts {
  const methods = Object.fromEntries(methodsIn(document, [], document.servicePath ?? ''));
  const schemas = Object.fromEntries(schemasIn(document.schemas));
  return selectVendorFacts({ source, methods, schemas }, take);
}

const refsIn = ({ $ref, items, additionalProperties }: VendorType): string[] => [
  ...($ref === undefined ? [] : [$ref]),
  ...[items, additionalProperties].flatMap((inner) => (inner === undefined ? [] : refsIn(inner))),
];

function methodsIn(resource: Resource, path: readonly string[], servicePath: string): [string, VendorMethod][] {
  const own = Object.entries(resource.methods ?? {}).map(([name, method]): [string, VendorMethod] => {
    const { request, response, scopes, parameters = {}, parameterOrder = [], ...rest } = method as MethodShape;
    const { id, httpMethod, path: template } = rest;
    const facts = Object.entries(parameters).map(([parameter, each]) => [parameter, pick(each, PARAMETER_FACTS)]);
    return [
      [...path, name].join('.'),
      {
        id,
        httpMethod,
        path: `${servicePath}${template}`,
        parameters: Object.fromEntries(facts) as VendorMethod['parameters'],
        ...(parameterOrder.length > 1 ? { parameterOrder } : {}),
        ...(request === undefined ? {} : { request: request.$ref }),
        ...(response === undefined ? {} : { response: response.$ref }),
        ...(scopes === undefined ? {} : { scopes }),
      },
    ];
  });
  const inner = Object.entries(resource.resources ?? {}).flatMap(([name, each]) =>
    methodsIn(each, [...path, name], servicePath),
  );
  return [...own, ...inner];
}

type MethodShape = Pick<VendorMethod, 'id' | 'httpMethod' | 'path' | 'parameterOrder' | 'scopes'> & {
  request?: { $ref: string };
  response?: { $ref: string };
  parameters?: Record<string, Record<string, unknown>>;
};
const PARAMETER_FACTS = 'location type format enum required repeated pattern minimum maximum default'.split(' ');
const FIELD_FACTS = ['type', 'format', '$ref', 'enum', 'default', 'readOnly'];

const pick = (from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

function schemasIn(schemas: Record<string, Discovered>): ReadonlyMap<string, Record<string, VendorType>> {
  const found = new Map<string, Record<string, VendorType>>();
  const add = (name: string, { properties = {} }: Discovered): void => {
    const fields = Object.entries(properties).map(([field, each]): [string, VendorType] => {
      const inPlace = `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
      return [field, typeOf(each, inPlace, add)];
    });
    found.set(name, Object.fromEntries(fields));
  };
  for (const [name, schema] of Object.entries(schemas)) add(name, schema);
  return found;
}

function typeOf(field: Discovered, inPlace: string, add: (name: string, schema: Discovered) => void): VendorType {
  if (field.properties !== undefined) {
    add(inPlace, field);
    return { ...pick(field, ['readOnly']), $ref: inPlace };
  }
  const { items, additionalProperties, annotations } = field;
  return {
    ...pick(field, FIELD_FACTS),
    ...(items === undefined ? {} : { items: typeOf(items, inPlace, add) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: typeOf(additionalProperties, inPlace, add) }),
    ...(annotations?.required === undefined ? {} : { required: annotations.required }),
  };
}

const linesOf = (rows: Readonly<Record<string, unknown>>): string =>
  Object.entries(rows)
    .map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`)
    .join(',\n');

/** The text of a file of facts: a line for each method and schema. */
export const renderVendorFacts = ({ source, methods, schemas }: VendorFacts): string =>
  `{"source":${JSON.stringify(source)},\n"methods":{\n${linesOf(methods)}\n},\n"schemas":{\n${linesOf(schemas)}\n}}\n`;

if (import.meta.main) {
  const [name = '', file = '', source = '', licence = 'BSD-3-Clause'] = process.argv.slice(2);
  const selection = selections.find((each) => `${each.interface}-${each.version}` === name);
  if (selection === undefined) throw new Error('Usage: vendor-facts.ts logging-v2 FILE SOURCE [LICENCE]');
  const document = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof extractVendorFacts>[0];
  const facts = extractVendorFacts(document, selection, { document: source, revision: document.revision, licence });
  writeFileSync(new URL(`${name}.json`, FOLDER), renderVendorFacts(facts));
}
