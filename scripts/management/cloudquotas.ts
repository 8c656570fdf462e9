import { readFileSync } from 'node:fs';
import { JUDGE_PACKAGES } from '../../test/conformance/packages/folder.ts';
import type { SchemaField, MethodRow, Parameter, Schema } from '../../src/management/core/table/method-row.ts';

type ProtoField = { type: string; rule?: 'repeated'; keyType?: string; options?: Record<string, unknown> };
type ProtoType = {
  fields?: Record<string, ProtoField>;
  values?: Record<string, number>;
  nested?: Record<string, ProtoType>;
};
type Binding = { get?: string; post?: string; patch?: string; body?: string };
type ProtoMethod = {
  requestType: string;
  responseType: string;
  parsedOptions: readonly { '(google.api.http)'?: Binding & { additional_bindings?: Binding[] } }[];
};
type Service = { methods: Record<string, ProtoMethod> };

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** The seed has no quota adjuster in v1; the vendor has by now. */
const NOT_IN_SEED_V1 = 'quotaAdjusterSettings';

/** The quota interface, of the protocol buffers in the npm package `@google-cloud/cloudquotas`. */
export function readCloudQuotas(version: 'v1' | 'v1beta'): {
  methods: MethodRow[];
  schemas: Record<string, Schema>;
} {
  const package_ = new URL('@google-cloud/cloudquotas/build/protos/protos.json', JUDGE_PACKAGES);
  const types = typesOf(JSON.parse(readFileSync(package_, 'utf8')), version);
  const services = Object.values(types).filter((type): type is ProtoType & Service => 'methods' in type);
  const methods = services.flatMap((service) =>
    Object.entries(service.methods).flatMap(([name, method]) => rowsOf(name, method, version, types)),
  );
  return { methods, schemas: schemasOf(types, methods) };
}

function typesOf(root: unknown, version: string): Record<string, ProtoType> {
  const path = ['google', 'api', 'cloudquotas', version];
  const found = path.reduce((type, name) => type.nested?.[name] ?? {}, root as ProtoType); // The package's own file.
  return found.nested ?? {};
}

/** A method is a row for each parent that it has a path for. */
function rowsOf(name: string, method: ProtoMethod, version: string, types: Record<string, ProtoType>): MethodRow[] {
  const http = method.parsedOptions.find((option) => '(google.api.http)' in option)?.['(google.api.http)'];
  const bindings = http === undefined ? [] : [http, ...(http.additional_bindings ?? [])];
  return bindings.flatMap((binding): MethodRow[] => {
    const [httpMethod, template] = verbOf(binding);
    const path = camelPath(template);
    const inSeed = version !== 'v1' || !path.includes(NOT_IN_SEED_V1);
    const [, variable = '', pattern = ''] = /\{([\w.]+)=([^}]+)\}(.*)/.exec(path) ?? [];
    const parent = pattern.split('/')[0] ?? '';
    const body =
      binding.body === undefined ? undefined : types[method.requestType]?.fields?.[camel(binding.body)]?.type;
    const id = idOf(name, `${pattern}${path.slice(path.indexOf('}') + 1)}`);
    return [
      {
        id: version === 'v1' ? id : id.replace('cloudquotas', `cloudquotas.${version}`),
        ...(version === 'v1' ? {} : { vendorId: id }),
        interface: 'quota',
        version,
        httpMethod,
        path,
        parameters: parametersOf(method, binding, variable, types),
        ...(body === undefined ? {} : { request: body }),
        response: method.responseType,
        scopes: [SCOPE],
        inSeed,
        parent,
      },
    ];
  });
}

function verbOf({ get, post, patch }: Binding): ['GET' | 'POST' | 'PATCH', string] {
  if (get !== undefined) return ['GET', get];
  return post === undefined ? ['PATCH', patch ?? ''] : ['POST', post];
}

/** `cloudquotas.projects.locations.quotaPreferences.get`, in every version. */
function idOf(name: string, pattern: string): string {
  const collections = pattern.split('/').filter((part) => part !== '*');
  const settings = collections.at(-1) === NOT_IN_SEED_V1;
  const verb = settings ? camel(name) : (/^[A-Z][a-z]+/.exec(name)?.[0] ?? '').toLowerCase();
  return `cloudquotas.${collections.join('.')}.${verb === 'update' ? 'patch' : verb}`;
}

const camel = (name: string): string =>
  `${name.charAt(0).toLowerCase()}${name.slice(1)}`.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The variable is named by its last part, as the vendor's discovery documents do: `{quota_preference.name=...}` is `{name=...}`. */
const camelPath = (path: string): string =>
  path.replace(/\{([\w.]+)=/, (_, name: string) => `{${camel(name.split('.').at(-1) ?? name)}=`);

function parametersOf(
  { requestType }: ProtoMethod,
  { body }: Binding,
  variable: string,
  types: Record<string, ProtoType>,
): Record<string, Parameter> {
  const fields = Object.entries(types[requestType]?.fields ?? {});
  const inQuery = fields.filter(([name]) => name !== variable && name !== camel(body ?? ''));
  const query = inQuery.map(([name, field]): [string, Parameter] => {
    const read = fieldOf(field, types, types[requestType]);
    const one = read.items ?? read;
    const type = one.type === 'boolean' || one.type === 'integer' ? one.type : 'string';
    const format = one.format === undefined ? {} : { format: one.format };
    const values = one.enum === undefined ? {} : { enum: one.enum, numbers: one.numbers ?? [] };
    const required = isRequired(field) ? { required: true as const } : {};
    const repeated = read.type === 'array' ? { repeated: true as const } : {};
    return [name, { in: 'query', type, ...repeated, ...required, ...format, ...values }];
  });
  return { [variable]: { in: 'path', type: 'string', required: true }, ...Object.fromEntries(query) };
}

const behaviour = ({ options }: ProtoField): unknown => options?.['(google.api.field_behavior)'];
const isRequired = (field: ProtoField): boolean => behaviour(field) === 'REQUIRED';

function schemasOf(types: Record<string, ProtoType>, methods: readonly MethodRow[]): Record<string, Schema> {
  const messages = Object.entries(types).filter(([name, { fields }]) => fields !== undefined && !isRequestOnly(name));
  return Object.fromEntries(
    messages.map(([name, type]): [string, Schema] => [
      name,
      Object.fromEntries(
        Object.entries(type.fields ?? {}).map(([field, proto]) => {
          const writes = methods.filter(({ request, httpMethod }) => request !== undefined && httpMethod !== 'PATCH');
          const requiredBy = isRequired(proto) ? writes.filter((row) => reaches(row.request ?? '', name, types)) : [];
          return [
            field,
            {
              ...fieldOf(proto, types, type),
              ...(behaviour(proto) === 'OUTPUT_ONLY' ? { readOnly: true as const } : {}),
              ...(requiredBy.length === 0 ? {} : { requiredBy: requiredBy.map(({ id }) => id) }),
            },
          ];
        }),
      ),
    ]),
  );
}

/** Requests of REST calls are their bodies and parameters. */
const isRequestOnly = (name: string): boolean => /^(?:Get|List|Create|Update)\w+Request$/.test(name);

const reaches = (from: string, to: string, types: Record<string, ProtoType>): boolean =>
  from === to || Object.values(types[from]?.fields ?? {}).some(({ type }) => type in types && reaches(type, to, types));

const SCALARS: Readonly<Record<string, SchemaField>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'string', format: 'int64' },
  'google.protobuf.Int64Value': { type: 'string', format: 'int64' },
  'google.protobuf.Timestamp': { type: 'string', format: 'google-datetime' },
  'google.protobuf.FieldMask': { type: 'string', format: 'google-fieldmask' },
};

function fieldOf(field: ProtoField, types: Record<string, ProtoType>, owner: ProtoType = {}): SchemaField {
  if (field.rule === 'repeated') return { type: 'array', items: fieldOf({ type: field.type }, types, owner) };
  if (field.keyType !== undefined) return { type: 'object', values: fieldOf({ type: field.type }, types, owner) };
  const scalar = SCALARS[field.type];
  if (scalar !== undefined) return scalar;
  const type = owner.nested?.[field.type] ?? types[field.type];
  if (type?.values !== undefined) {
    return { type: 'string', enum: Object.keys(type.values), numbers: Object.values(type.values) };
  }
  if (type === undefined) throw new Error(`Unknown type ${field.type}`);
  return { type: 'object', ref: field.type };
}
