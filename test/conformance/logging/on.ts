import { google, type logging_v2 } from 'googleapis';
import type { JsonObject } from '../../../src/lib/json.ts';

/** The parents of the seed document, each with a container of its own; `generic` stands for rows that take any of them. */
export const PARENTS = {
  generic: 'projects/conformance-generic',
  billingAccounts: 'billingAccounts/0A0A0A-0B0B0B-0C0C0C',
  folders: 'folders/111222333',
  organizations: 'organizations/444555666',
  projects: 'projects/conformance',
} as const;

export type ParentName = keyof typeof PARENTS;

/** The official client at one parent: what a case works with. */
export type On = {
  parent: ParentName;
  /** `projects/conformance`. */
  container: string;
  /** A method below the parent by the rest of its id: `sinks.create`. @returns the answer's body; throws as the client does */
  call: (suffix: string, parameters: Record<string, unknown>) => Promise<JsonObject>;
  /** The same of the methods without a parent: `entries.write`. */
  global: (method: string, parameters: Record<string, unknown>) => Promise<JsonObject>;
  /** A name that nothing else has. */
  fresh: (word: string) => string;
};

/** A method of the vendor's client, found by its id. */
type Method = (parameters: Record<string, unknown>) => Promise<{ data: JsonObject | '' }>;

let made = 0;

/** The client at a parent. `logging.getSettings` is `client.v2.getSettings`; below a project it is `client.projects`. */
export function onParent(url: string, token: string, parent: ParentName): On {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const client = google.logging({ version: 'v2', rootUrl: `${url}/`, auth });
  const run = async (id: string, parameters: Record<string, unknown>): Promise<JsonObject> => {
    const { data } = await methodOf(client, id)(parameters);
    return data === '' ? {} : data;
  };
  const below = (suffix: string): string => {
    if (parent !== 'generic') return `${parent}.${suffix}`;
    return suffix.includes('.') ? suffix : `v2.${suffix}`;
  };
  return {
    parent,
    container: PARENTS[parent],
    call: (suffix, parameters) => run(below(suffix), parameters),
    global: run,
    fresh: (word) => `${word}-${(made += 1)}`,
  };
}

function methodOf(client: logging_v2.Logging, id: string): Method {
  const names = id.split('.');
  const verb = names.pop() ?? '';
  let owner = client as unknown as Record<string, unknown>; // Found by name: the types of 254 methods are one here.
  for (const name of names) owner = owner[name] as Record<string, unknown>;
  const method = owner[verb] as Method | undefined;
  if (method === undefined) throw new Error(`The official client has no method ${id}`);
  return method.bind(owner);
}

/** One operation seen from outside, under any parent that has it: used rightly, with its effect read back, and wrongly. */
export type OperationCase = {
  right: (on: On) => Promise<void>;
  wrong: (on: On) => Promise<void>;
};

/** By the rest of the method's id. */
export type Cases = Readonly<Record<string, OperationCase>>;

/** The members of a list as objects. */
export const listOf = (body: JsonObject, name: string): JsonObject[] => {
  const items = body[name];
  return Array.isArray(items) ? (items as JsonObject[]) : [];
};

/** The names of a list's members. */
export const namesIn = (body: JsonObject, name: string): unknown[] => listOf(body, name).map((item) => item['name']);

export const NOT_FOUND = '404 NOT_FOUND';
export const INVALID = '400 INVALID_ARGUMENT';
export const PRECONDITION = '400 FAILED_PRECONDITION';
export const EXISTS = '409 ALREADY_EXISTS';
export const ABORTED = '409 ABORTED';
