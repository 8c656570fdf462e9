import { readFileSync } from 'node:fs';
import { JUDGE_PACKAGES } from '../../test/conformance/packages/folder.ts';
import type { SchemaField, MethodRow, Parameter, Schema } from '../../src/management/core/table/method-row.ts';
import { declarationsOf, inlineMembers, type Declaration, type Member, type TypeNode } from './declarations.ts';

/**
 * A method as the package tells it. `at` is the way to it in the client: `v2.getSettings`; `comment` the vendor's
 * description with an example.
 */
export type ReadMethod = Omit<MethodRow, 'interface' | 'version' | 'inSeed'> & { at: string; comment: string };
/** Methods and schemas of one API; `comments` are the descriptions of fields: `Schema.field`. */
export type ReadApi = {
  methods: readonly ReadMethod[];
  schemas: Readonly<Record<string, Schema>>;
  comments: Readonly<Record<string, string>>;
};

/** Reads one API of the npm package `googleapis`: `admin/directory_v1`. Ids begin with `prefix`. */
export function readGoogleApi(api: string, prefix: string): ReadApi {
  const base = new URL(`googleapis/build/src/apis/${api}`, JUDGE_PACKAGES);
  const declarations = declarationsOf(readFileSync(`${base.pathname}.d.ts`, 'utf8'));
  const requests = requestsOf(readFileSync(`${base.pathname}.js`, 'utf8'));
  const schemas = readSchemas(declarations);
  const root = [...declarations.values()].find(
    ({ members }) => members.some(isResource) && members[0]?.name === 'context',
  );
  if (root === undefined) throw new Error(`${api} has no client class`);
  const methods = methodsBelow(root, [], declarations).map((method) =>
    methodOf(method, prefix, requests, declarations),
  );
  return { methods, ...schemas };
}

type Request = { httpMethod: string; path: string; required: readonly string[]; inPath: readonly string[] };
type DeclaredMethod = {
  at: readonly string[];
  resource: string;
  name: string;
  comment: string;
  texts: readonly string[];
};

const isResource = ({ text }: Member): boolean => text.includes(': Resource$');

/** Ids are the names of the properties on the way: those of the classes have lost their capitals. */
function methodsBelow(
  owner: Declaration,
  way: readonly string[],
  all: ReadonlyMap<string, Declaration>,
): DeclaredMethod[] {
  const names = new Set(owner.members.map(({ name }) => name));
  return [...names].flatMap((name): DeclaredMethod[] => {
    const members = owner.members.filter((member) => member.name === name);
    const [first] = members;
    if (first === undefined || name === 'context' || name === 'constructor') return [];
    const at = [...way, name];
    if (isResource(first)) {
      const resource = all.get(first.type?.typeName?.name ?? '');
      return resource === undefined ? [] : methodsBelow(resource, at, all);
    }
    const texts = members.map(({ text }) => text);
    return [{ at, resource: owner.name, name, comment: first.comment, texts }];
  });
}

/** `logging.v2.getSettings` is `logging.getSettings` in the vendor's document: a version is no part of an id. */
const idOf = (prefix: string, at: readonly string[]): string =>
  [prefix, ...at.filter((name) => !/^v\d/.test(name))].join('.');

function methodOf(
  { at, resource, name, comment, texts }: DeclaredMethod,
  prefix: string,
  requests: ReadonlyMap<string, Request>,
  declarations: ReadonlyMap<string, Declaration>,
): ReadMethod {
  const id = idOf(prefix, at);
  const request = requests.get(`${resource}.${name}`);
  if (request === undefined) throw new Error(`${id} has no request`);
  const text = texts.join('\n');
  const members = declarations.get(/Params\$[\w$]+/.exec(text)?.[0] ?? '')?.members ?? [];
  const body = members.find((member) => member.name === 'requestBody')?.type?.typeName?.name;
  const response = /GaxiosResponseWithHTTP2<Schema\$(\w+)>/.exec(text)?.[1];
  return {
    id,
    at: at.join('.'),
    httpMethod: request.httpMethod as MethodRow['httpMethod'], // One of the five in all documents; the test of the table says so.
    path: request.path,
    parameters: parametersOf(members, request),
    ...(body === undefined ? {} : { request: unprefixed(body) }),
    ...(response === undefined ? {} : { response }),
    scopes: scopesOf(comment),
    comment,
  };
}

function parametersOf(members: readonly Member[], { required, inPath }: Request): Record<string, Parameter> {
  const named = members.filter(({ name }) => !['requestBody', 'media'].includes(name));
  return Object.fromEntries(
    named.map(({ name, type }): [string, Parameter] => {
      const field = fieldOf(type, name, () => name);
      const one = field.items ?? field;
      return [
        name,
        {
          in: inPath.includes(name) ? 'path' : 'query',
          type: one.type === 'boolean' || one.type === 'number' ? one.type : 'string',
          ...(field.type === 'array' ? { repeated: true } : {}),
          ...(required.includes(name) ? { required: true } : {}),
        },
      ];
    }),
  );
}

const scopesOf = (comment: string): string[] => {
  const list = /scopes: \[([^\]]*)\]/.exec(comment)?.[1] ?? '';
  return [...list.matchAll(/https:\/\/[^'"\s,]+/g)].map(([scope]) => scope);
};

/** What each method of the compiled client sends, by `Resource$Users.list`. */
function requestsOf(source: string): ReadonlyMap<string, Request> {
  const classes = source.split(/^ {4}class /m).slice(1);
  return new Map(
    classes.flatMap((text) => {
      const owner = /^[\w$]+/.exec(text)?.[0] ?? '';
      const methods = text.split(/^ {8}(?=\w+\(paramsOrCallback)/m).slice(1);
      return methods.map((method): [string, Request] => [
        `${owner}.${/^\w+/.exec(method)?.[0] ?? ''}`,
        {
          httpMethod: /^ +method: '([A-Z]+)',$/m.exec(method)?.[1] ?? '',
          path: /^ +url: \(rootUrl \+\s+'([^']+)'/m.exec(method)?.[1] ?? '',
          required: namesIn(/requiredParams: \[([^\]]*)\]/.exec(method)?.[1]),
          inPath: namesIn(/pathParams: \[([^\]]*)\]/.exec(method)?.[1]),
        },
      ]);
    }),
  );
}

const namesIn = (list = ''): string[] => [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);

const PREFIX = 'Schema$';
const unprefixed = (name: string): string => name.slice(PREFIX.length);

function readSchemas(declarations: ReadonlyMap<string, Declaration>): Pick<ReadApi, 'schemas' | 'comments'> {
  const schemas: Record<string, Schema> = {};
  const comments: Record<string, string> = {};
  const add = (name: string, members: readonly Member[]): string => {
    if (Object.hasOwn(schemas, name)) throw new Error(`Two schemas ${name}`);
    schemas[name] = {};
    schemas[name] = Object.fromEntries(members.map((member) => [member.name, fieldIn(name, member)]));
    return name;
  };
  const fieldIn = (owner: string, member: Member): SchemaField => {
    comments[`${owner}.${member.name}`] = member.comment;
    const inline = `${owner}${member.name.charAt(0).toUpperCase()}${member.name.slice(1)}`;
    return fieldOf(member.type, `${owner}.${member.name}`, (members) => add(inline, members));
  };
  for (const { name, members } of declarations.values()) if (name.startsWith(PREFIX)) add(unprefixed(name), members);
  return { schemas, comments };
}

const SIMPLE: Readonly<Record<string, SchemaField>> = {
  TSStringKeyword: { type: 'string' },
  TSBooleanKeyword: { type: 'boolean' },
  // Its size is told by the vendor's document only.
  TSNumberKeyword: { type: 'number' },
  TSAnyKeyword: { type: 'any' },
};

/** A field by its type; `named` gives a type that is written in place a name. */
function fieldOf(
  type: TypeNode | undefined,
  where: string,
  named: (members: readonly Member[]) => string,
): SchemaField {
  const simple = SIMPLE[type?.type ?? ''];
  if (simple !== undefined) return { ...simple };
  if (type?.types !== undefined) {
    return fieldOf(
      type.types.find((one) => one.type !== 'TSNullKeyword'),
      where,
      named,
    );
  }
  if (type?.elementType !== undefined) return { type: 'array', items: fieldOf(type.elementType, where, named) };
  if (type?.typeName?.name === 'Array') {
    return { type: 'array', items: fieldOf(type.typeArguments?.params[0], where, named) };
  }
  if (type?.typeName?.name.startsWith(PREFIX) === true) return { type: 'object', ref: unprefixed(type.typeName.name) };
  const members = type === undefined ? [] : inlineMembers(type);
  const [only] = type?.members ?? [];
  if (only?.type === 'TSIndexSignature') return { type: 'object', values: fieldOf(members[0]?.type, where, named) };
  if (members.length > 0) return { type: 'object', ref: named(members) };
  throw new Error(`${where}: a type that is not known, ${type?.type}`);
}
