import { loadSync, type PackageDefinition } from '@grpc/proto-loader';

/** A field of a protocol buffer: its scalar (`int32`, `Timestamp`), the message that it names, or an enum's numbers. */
export type ProtoField = {
  is: 'one' | 'list' | 'map';
  /** A scalar, or the full name of a message of `google.protobuf`; absent for messages and enums. */
  scalar?: string;
  /** The last part of a message's name: discovery documents have no other. */
  message?: string;
  enum?: ReadonlyMap<string, number>;
};
/** The messages of an API by the last part of their names, with their fields as JSON spells them. */
export type ProtoMessages = ReadonlyMap<string, ReadonlyMap<string, ProtoField>>;

/** The files of an API in the npm package `google-proto-files`. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'logging/v2': [
    'google/logging/v2/logging.proto',
    'google/logging/v2/logging_config.proto',
    'google/logging/v2/logging_metrics.proto',
    'google/iam/v1/iam_policy.proto',
    'google/cloud/location/locations.proto',
  ],
  'tracing/v1': ['google/devtools/cloudtrace/v1/trace.proto'],
  'tracing/v2': ['google/devtools/cloudtrace/v2/tracing.proto'],
  'tags/v3': [
    'google/cloud/resourcemanager/v3/tag_bindings.proto',
    'google/cloud/resourcemanager/v3/tag_keys.proto',
    'google/cloud/resourcemanager/v3/tag_values.proto',
  ],
  'quota/v1': [
    'google/api/cloudquotas/v1/cloudquotas.proto',
    'google/api/cloudquotas/v1/quota_adjuster_settings.proto',
  ],
  'quota/v1beta': [
    'google/api/cloudquotas/v1beta/cloudquotas.proto',
    'google/api/cloudquotas/v1beta/quota_adjuster_settings.proto',
  ],
};
const ROOT = new URL('../../node_modules/google-proto-files/', import.meta.url).pathname;

/** The messages of an interface (`logging/v2`); none for one whose protocol buffers the vendor has not published. */
export function readProtoMessages(key: string): ProtoMessages {
  const files = FILES[key];
  if (files === undefined) return new Map();
  const types = new Map(declaredTypes(loadSync([...files], { includeDirs: [ROOT] })));
  const named = new Map<string, ReadonlyMap<string, ProtoField>>();
  for (const [name, { field }] of types) {
    if (field === undefined || name.startsWith('google.protobuf.')) continue;
    const short = lastPart(name);
    // Two messages of one last part: the API's own comes first, what it imports later.
    if (!named.has(short)) named.set(short, new Map(field.map((each) => [each.name, fieldOf(each, name, types)])));
  }
  return named;
}

type Field = { name: string; label: string; type: string; typeName: string };
type Type = {
  name: string;
  field?: readonly Field[];
  nestedType?: readonly Type[];
  enumType?: readonly Type[];
  value?: readonly { name: string; number: number }[];
  options?: { mapEntry?: boolean } | null;
};

/** Every message and enum by its full name; the types of the files that were asked for come first. */
function* declaredTypes(definition: PackageDefinition): Generator<[string, Type]> {
  for (const [name, declared] of Object.entries(definition))
    if ('type' in declared) yield* typesIn(name, declared.type as Type); // The loader leaves the descriptor's type open.
}

function* typesIn(name: string, type: Type): Generator<[string, Type]> {
  yield [name, type];
  for (const inner of [...(type.nestedType ?? []), ...(type.enumType ?? [])])
    yield* typesIn(`${name}.${inner.name}`, inner);
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function fieldOf({ label, type, typeName }: Field, owner: string, types: ReadonlyMap<string, Type>): ProtoField {
  const is = label === 'LABEL_REPEATED' ? 'list' : 'one';
  if (typeName === '') return { is, scalar: type.slice('TYPE_'.length).toLowerCase() };
  const [full, found] = resolve(typeName, owner, types);
  if (found?.options?.mapEntry === true) {
    const value = found.field?.find(({ name }) => name === 'value');
    if (value === undefined) throw new Error(`${full} has no value`);
    return { ...fieldOf(value, full, types), is: 'map' };
  }
  if (full.startsWith('google.protobuf.')) return { is, scalar: lastPart(full) };
  if (found?.value !== undefined) return { is, enum: new Map(found.value.map((each) => [each.name, each.number])) };
  return { is, message: lastPart(full) };
}

/** Names are relative to the scopes around their owner: the innermost that has one counts. */
function resolve(name: string, owner: string, types: ReadonlyMap<string, Type>): [string, Type | undefined] {
  const scopes = owner.split('.');
  for (let depth = scopes.length; depth > 0; depth -= 1) {
    const full = [...scopes.slice(0, depth), name].join('.');
    const found = types.get(full);
    if (found !== undefined) return [full, found];
    if (full.startsWith('google.protobuf.')) return [full, undefined];
  }
  throw new Error(`${owner} names ${name}, which no file declares`);
}
