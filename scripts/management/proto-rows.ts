import type { MethodRow, Schema, SchemaField, Schemas } from '../../src/management/core/table/method-row.ts';
import type { ProtoField, ProtoMessages } from './protos.ts';

/** Schemas with the numbers of enums, and the formats that they lack, where protocol buffers know message and field. */
export const schemasWithProtos = (schemas: Schemas, protos: ProtoMessages): Schemas =>
  mapMembers(schemas, (schema, name): Schema => {
    const fields = protos.get(name);
    return mapMembers(schema, (field, each) => withProto(field, fields?.get(each)));
  });

/** Rows whose parameters have the numbers of their enums: the request message has a field of their name. */
export const rowsWithProtos = (rows: readonly MethodRow[], protos: ProtoMessages): MethodRow[] =>
  rows.map((row) => {
    const requests = requestNames(row).flatMap((name) => protos.get(name) ?? []);
    const find = (name: string): ProtoField | undefined => requests.find((fields) => fields.has(name))?.get(name);
    return {
      ...row,
      parameters: mapMembers(row.parameters, (each, name) => ({ ...each, ...numbersOf(each, find(name)) })),
    };
  });

/** `ListTracesRequest` of `projects.traces.list`. */
function requestNames({ id }: MethodRow): string[] {
  const [collection = '', method = ''] = id.split('.').slice(-2).map(capitalized);
  return [`${method}${collection}Request`, `${method}Request`];
}

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function withProto(field: SchemaField, proto: ProtoField | undefined): SchemaField {
  const { items, values } = field;
  if (items !== undefined) return { ...field, items: withProto(items, proto) };
  if (values !== undefined) return { ...field, values: withProto(values, proto) };
  const whole = { ...field, ...missingFormat(field, proto) };
  return { ...whole, ...numbersOf(whole, proto) };
}

/** What a document of the vendor's does not say of a scalar: those of streams are in none, some have no formats of text. */
function missingFormat({ format, enum: names, ref }: SchemaField, proto: ProtoField | undefined): Partial<SchemaField> {
  if (format !== undefined || names !== undefined || ref !== undefined || proto === undefined) return {};
  if (proto.enum !== undefined) return { enum: [...proto.enum.keys()] };
  return SCALARS[proto.scalar ?? ''] ?? {};
}

/** As discovery documents write the scalars of protocol buffers. */
export const SCALARS: Readonly<Record<string, Pick<SchemaField, 'type' | 'format'>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  BoolValue: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  int32: { type: 'integer', format: 'int32' },
  Int32Value: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', format: 'uint32' },
  int64: { type: 'string', format: 'int64' },
  Int64Value: { type: 'string', format: 'int64' },
  uint64: { type: 'string', format: 'uint64' },
  fixed64: { type: 'string', format: 'uint64' },
  float: { type: 'number', format: 'float' },
  double: { type: 'number', format: 'double' },
  Timestamp: { type: 'string', format: 'google-datetime' },
  Duration: { type: 'string', format: 'google-duration' },
  FieldMask: { type: 'string', format: 'google-fieldmask' },
};

type Enum = Pick<SchemaField, 'enum' | 'numbers'>;

function numbersOf({ enum: names, numbers }: Enum, proto: ProtoField | undefined): Pick<Enum, 'numbers'> {
  if (names === undefined || numbers !== undefined || proto?.enum === undefined) return {};
  const found = names.flatMap((name) => proto.enum?.get(name) ?? []);
  if (found.length < names.length) throw new Error(`No number for one of ${names.join(', ')}`);
  return { numbers: found };
}

const mapMembers = <V>(from: Readonly<Record<string, V>>, change: (value: V, name: string) => V): Record<string, V> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value, name)]));
