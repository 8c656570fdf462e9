import {
  type SchemaField,
  type MethodRow,
  methods,
  type Parameter,
  type Schema,
  type Schemas,
} from '../table/method-row.ts';
import { getSchemas } from '../table/schemas.ts';
import { type DiscoveryApi, apis } from './apis.ts';

/** Day of the format and of the method table: YYYYMMDD. */
const REVISION = '20261121';

/**
 * The discovery document of an API (`discovery#restDescription`), for clients that build themselves from one.
 * Has the methods of `served` only, and no parameter that carries a token or a script (rules K5, K6).
 * @param origin of this service: the vendors' clients drop any path of `rootUrl`
 * @see https://developers.google.com/discovery/v1/reference/apis
 */
export function buildDiscoveryDocument(
  api: DiscoveryApi,
  origin: string,
  served: readonly string[],
): Record<string, unknown> {
  const { name, version } = api.interface;
  const rows = methods.filter((row) => row.interface === name && row.version === version && served.includes(row.id));
  const rootUrl = `${origin}/`;
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: `${api.name}:${api.version}`,
    name: api.name,
    canonicalName: api.canonicalName,
    version: api.version,
    revision: REVISION,
    title: api.title,
    protocol: 'rest',
    rootUrl,
    baseUrl: rootUrl,
    servicePath: '',
    basePath: '',
    batchPath: 'batch',
    parameters: STANDARD_PARAMETERS,
    auth: { oauth2: { scopes: buildScopes(rows) } },
    schemas: collectSchemas(rows, getSchemas(name, version)),
    ...buildResourceTree(rows),
  };
}

const STANDARD_PARAMETERS = {
  '$.xgafv': { type: 'string', location: 'query', enum: ['1', '2'], description: 'Format of errors.' },
  alt: { type: 'string', location: 'query', enum: ['json'], default: 'json', description: 'Format of answers.' },
  fields: { type: 'string', location: 'query', description: 'Selection of fields for a partial response.' },
  key: { type: 'string', location: 'query', description: 'Identifies nothing here: send a bearer token.' },
  prettyPrint: { type: 'boolean', location: 'query', default: 'true', description: 'Answers with line breaks.' },
  quotaUser: { type: 'string', location: 'query', description: 'An arbitrary word of at most 40 characters.' },
};

const buildScopes = (rows: readonly MethodRow[]): Record<string, { description: string }> => {
  const scopes = [...new Set(rows.flatMap((row) => row.scopes))].toSorted();
  return Object.fromEntries(scopes.map((scope) => [scope, { description: scope.slice(scope.lastIndexOf('/') + 1) }]));
};

type Resource = { methods?: Record<string, unknown>; resources?: Record<string, Resource> };

/** `directory.users.aliases.list` is the method `list` of the resource `aliases` in `users`. */
function buildResourceTree(rows: readonly MethodRow[]): Resource {
  const root: Resource = {};
  for (const row of rows) {
    const [, ...names] = getVendorId(row).split('.');
    const method = names.pop() ?? '';
    const holders = row.resource?.split('.') ?? names;
    const resource = holders.reduce((parent: Resource, name) => ((parent.resources ??= {})[name] ??= {}), root);
    (resource.methods ??= {})[method] = buildMethodDescription(row);
  }
  return root;
}

/** The id that clients know: ours may say the version too. */
const getVendorId = ({ id, vendorId }: MethodRow): string => vendorId ?? id;

const VARIABLES = /\{(\+?)([\w.]+)(?:=([^{}]+))?\}/g;

function buildMethodDescription(row: MethodRow): Record<string, unknown> {
  const { httpMethod, path, parameters, request, response, scopes, media } = row;
  const variables = [...path.matchAll(VARIABLES)];
  const patterns = new Map(
    variables.map(([, plus, name = '', pattern = plus === '+' ? '**' : undefined]) => [name, pattern]),
  );
  const shown = Object.entries(parameters).map(([name, each]) => [
    name,
    buildParameterDescription(each, patterns.get(name)),
  ]);
  const required = Object.keys(parameters).filter((name) => parameters[name]?.required === true && !patterns.has(name));
  return {
    id: getVendorId(row),
    httpMethod,
    path: path
      .slice(1)
      .replace(VARIABLES, (_, plus: string, name: string, pattern?: string) =>
        pattern === undefined ? `{${plus}${name}}` : `{+${name}}`,
      ),
    parameters: Object.fromEntries(shown),
    parameterOrder: [...patterns.keys(), ...required],
    ...(request === undefined ? {} : { request: { $ref: request } }),
    ...(response === undefined ? {} : { response: { $ref: response } }),
    ...(media === undefined ? {} : { supportsMediaDownload: true }),
    scopes,
  };
}

function buildParameterDescription(parameter: Parameter, pattern: string | undefined): Record<string, unknown> {
  const { in: location, minimum, maximum, numbers: _, means: __, ...row } = parameter;
  return {
    ...row,
    location,
    ...(minimum === undefined ? {} : { minimum: `${minimum}` }),
    ...(maximum === undefined ? {} : { maximum: `${maximum}` }),
    ...(pattern === undefined ? {} : { pattern: formatPattern(pattern) }),
  };
}

/** `projects/*` as the vendor's documents write it: `^projects/[^/]+$`. */
const formatPattern = (pattern: string): string =>
  `^${pattern.replaceAll(/\*\*?/g, (stars) => (stars === '*' ? '[^/]+' : '.*'))}$`;

/** The schemas that these methods are made of, with all that those name. */
function collectSchemas(rows: readonly MethodRow[], schemas: Schemas): Record<string, unknown> {
  const named = new Set(rows.flatMap(({ request, response }) => [request ?? [], response ?? []].flat()));
  // Grows while it is walked: a set also gives what was added meanwhile.
  for (const name of named)
    for (const field of Object.values(schemas[name] ?? {})) for (const ref of collectSchemaRefs(field)) named.add(ref);
  return Object.fromEntries(
    [...named].toSorted().map((name) => [name, buildSchemaDescription(name, schemas[name] ?? {}, rows)]),
  );
}

function collectSchemaRefs({ ref, items, values }: SchemaField): string[] {
  const inner = [items, values].flatMap((field) => (field === undefined ? [] : collectSchemaRefs(field)));
  return ref === undefined ? inner : [ref, ...inner];
}

const buildSchemaDescription = (id: string, schema: Schema, rows: readonly MethodRow[]): Record<string, unknown> => ({
  id,
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(schema).map(([name, field]) => [name, buildFieldDescription(field, rows)]),
  ),
});

function buildFieldDescription(field: SchemaField, rows: readonly MethodRow[]): Record<string, unknown> {
  const { type, ref, values, items, requiredBy, numbers: _, ...rest } = field;
  const ids = requiredBy?.flatMap((id) => rows.find((row) => row.id === id) ?? []).map(getVendorId) ?? [];
  return {
    ...(ref === undefined ? { type } : { $ref: ref }),
    ...rest,
    ...(items === undefined ? {} : { items: buildFieldDescription(items, rows) }),
    ...(values === undefined ? {} : { additionalProperties: buildFieldDescription(values, rows) }),
    ...(ids.length === 0 ? {} : { annotations: { required: ids } }),
  };
}

/** The path of an API's discovery document. */
export const getDocumentPath = (name: string, version: string): string => `/discovery/v1/apis/${name}/${version}/rest`;

/**
 * The list of what has a discovery document (`discovery#directoryList`).
 * @param name only the APIs of this name
 */
export function buildDiscoveryList(origin: string, name?: string): Record<string, unknown> {
  const chosen = apis.filter((api) => name === undefined || api.name === name);
  return {
    kind: 'discovery#directoryList',
    discoveryVersion: 'v1',
    items: chosen.map((api) => ({
      kind: 'discovery#directoryItem',
      id: `${api.name}:${api.version}`,
      name: api.name,
      version: api.version,
      title: api.title,
      discoveryRestUrl: `${origin}${getDocumentPath(api.name, api.version)}`,
      preferred: true,
    })),
  };
}
