import type { FieldFacts, Overlay } from '../../src/management/core/table/overlay-data.ts';
import type { SchemaField, MethodRow, Parameter, Schemas } from '../../src/management/core/table/method-row.ts';
import type { ReadApi, ReadMethod } from './googleapis.ts';
import { vendorId, type Selection } from './selection-data.ts';
import type { VendorFacts } from './vendor-facts.ts';
import { vendorFieldOf, vendorParameterOf, vendorPathOf } from './vendor-rows.ts';

/** The selected methods of an API as rows, and its schemas, with what the vendor's document says and then the overlay. */
export function overlaid(
  api: ReadApi,
  selection: Selection,
  vendor: VendorFacts,
  overlay: Overlay,
): { methods: MethodRow[]; schemas: Schemas } {
  const named = api.methods.map((method) => ({ ...method, id: vendorId(method.id) }));
  const unknown = Object.keys(overlay.methods ?? {}).filter((id) => !named.some((method) => method.id === id));
  if (unknown.length > 0)
    throw new Error(`The package has no ${unknown.join(', ')}: rows of our own are in by-hand.ts`);
  const methods = named
    .filter(({ id }) => selection.take(id))
    .map((method) => rowOf(method, selection, vendor, overlay));
  const entries = Object.entries(api.schemas).map(([name, schema]) => {
    const fields = Object.entries(schema).map(([field, declared]) => {
      const told = vendor.schemas[name]?.[field];
      const read = told === undefined ? declared : vendorFieldOf(told);
      const comment = api.comments[`${name}.${field}`] ?? '';
      const required = comment.startsWith('Required.') ? { requiredBy: writers(name, methods, api.schemas) } : {};
      const facts = { ...required, ...(isReadOnly(comment) ? READ_ONLY : {}), ...overlay.fields?.[name]?.[field] };
      return [field, fieldWith(read, facts, methods)];
    });
    return [name, { ...Object.fromEntries(fields), ...addedFields(schema, overlay.fields?.[name] ?? {}) }];
  });
  return { methods, schemas: Object.fromEntries(entries) as Schemas };
}

/** Fields that the overlay alone has: those with a type which the package does not know. */
const addedFields = (
  schema: Readonly<Record<string, SchemaField>>,
  facts: Readonly<Record<string, FieldFacts>>,
): Record<string, FieldFacts> =>
  Object.fromEntries(
    Object.entries(facts).filter(([field, { type }]) => type !== undefined && schema[field] === undefined),
  );

function rowOf(
  { comment, id, at, ...method }: ReadMethod,
  selection: Selection,
  vendor: VendorFacts,
  overlay: Overlay,
): MethodRow {
  const more = overlay.methods?.[id];
  if (method.httpMethod === 'PUT' && saysPatch(comment) && more?.putKeeps === undefined)
    throw new Error(`${id} keeps what is not sent, as its vendor says: the overlay must say so too`);
  const told = vendor.methods[at];
  const parameters = Object.entries(method.parameters).map(([name, declared]): [string, Parameter] => {
    const parameter = told?.parameters[name];
    const read = parameter === undefined ? declared : vendorParameterOf(parameter);
    return [name, { ...read, ...more?.parameters?.[name] }];
  });
  const known = told?.id ?? id;
  const holder = at.split('.').slice(0, -1).join('.');
  return {
    id,
    ...(known === id ? {} : { vendorId: known }),
    ...(holder === known.split('.').slice(1, -1).join('.') ? {} : { resource: holder }),
    interface: selection.interface,
    version: selection.version,
    ...method,
    path: more?.pattern === undefined ? vendorPathOf(method.path, told) : withPattern(method.path, more.pattern),
    ...(more?.alsoPatterns && { alsoAt: more.alsoPatterns.map((pattern) => withPattern(method.path, pattern)) }),
    parameters: Object.fromEntries(parameters),
    scopes: more?.scopes ?? method.scopes,
    ...(more?.putKeeps === undefined ? {} : { put: 'patch' }),
    ...(more?.fields === undefined ? {} : { fields: more.fields }),
    ...(more?.media === undefined ? {} : { media: more.media }),
    ...(more?.parts === undefined ? {} : { parts: more.parts }),
    inSeed: typeof selection.inSeed === 'boolean' ? selection.inSeed : selection.inSeed(id),
    ...(selection.interface === 'logging' ? { parent: parentOf(id) } : {}),
  };
}

/** `/v2/{+name}` of the pattern `projects/*` is `/v2/{name=projects/*}`. */
const withPattern = (path: string, pattern: string | undefined): string =>
  pattern === undefined ? path : path.replace(/\{\+(\w+)\}/, (_, name: string) => `{${name}=${pattern}}`);

/** `folders` of `logging.folders.sinks.list`; `generic` for those that take every kind of parent. */
function parentOf(id: string): string {
  const [, second = ''] = id.split('.');
  return ['billingAccounts', 'folders', 'organizations', 'projects'].includes(second) ? second : 'generic';
}

/** The vendor's descriptions say which PUT keeps what is not sent. */
const saysPatch = (comment: string): boolean => /supports \[?patch semantics/.test(comment);

/** Descriptions of fields say it at their beginning or at their end. */
const isReadOnly = (comment: string): boolean =>
  /^(?:Output only|\(?Read-only|The read-only)\b/.test(comment) || READ_ONLY_ENDS.some((end) => comment.endsWith(end));

const READ_ONLY_ENDS = ['(Read-only)', '(Read-only).', '(Readonly)', 'This is a read-only property.'];
const READ_ONLY = { readOnly: true } as const;

/** The methods that make or replace what has a field of this schema, right in it or in an object of it. */
const writers = (schema: string, methods: readonly MethodRow[], schemas: Schemas): string[] =>
  methods
    .filter(
      ({ httpMethod, request }) => httpMethod !== 'PATCH' && request !== undefined && holds(request, schema, schemas),
    )
    .map(({ id }) => id);

function holds(outer: string, inner: string, schemas: Schemas, seen: ReadonlySet<string> = new Set()): boolean {
  if (outer === inner) return true;
  const refs = Object.values(schemas[outer] ?? {}).flatMap(({ ref }) => ref ?? []);
  return refs.some((ref) => !seen.has(ref) && holds(ref, inner, schemas, new Set([...seen, outer])));
}

/** Values of another type take nothing from those that they stand in for. */
const mapValues = (before: SchemaField, { type, ...facts }: Partial<SchemaField>): SchemaField =>
  type === undefined ? { ...before, ...facts } : { type, ...facts };

function fieldWith(
  field: SchemaField,
  { requiredBy, items, values, ...facts }: FieldFacts,
  methods: readonly MethodRow[],
): SchemaField {
  const ids = requiredBy?.filter((id) => methods.some((row) => row.id === id)) ?? [];
  return {
    ...field,
    ...facts,
    ...(items === undefined || field.items === undefined ? {} : { items: { ...field.items, ...items } }),
    ...(values === undefined || field.values === undefined ? {} : { values: mapValues(field.values, values) }),
    ...(ids.length === 0 ? {} : { requiredBy: ids }),
  };
}
