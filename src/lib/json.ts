/** What a JSON text can hold. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/** The value of a JSON text; undefined for a text that is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // JSON.parse makes nothing else.
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

/** An own member of an object; undefined for anything that only its prototype has. */
export const getMember = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** A text member; '' where it is missing or of another type. */
export function getTextMember(object: JsonObject, name: string): string {
  const value = getMember(object, name);
  return isText(value) ? value : '';
}

/** An object member; an empty one where it is missing or of another type. */
export function getObjectMember(object: JsonObject, name: string): JsonObject {
  const value = getMember(object, name);
  return isObject(value) ? value : {};
}

/** The objects of a list; none where there is no list. */
export const toObjects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The texts of a list; none where there is no list. */
export const toTexts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter(isText) : []);

/** The texts of a list member; none where it is missing or no list. */
export const getTextList = (object: JsonObject, name: string): string[] => toTexts(getMember(object, name));

/** The objects of a list member; none where it is missing or no list. */
export const getObjectList = (object: JsonObject, name: string): JsonObject[] => toObjects(getMember(object, name));

/** The JSON Pointer (RFC 6901) of a path into a body, as the errors of a refused body name a member. */
export const formatJsonPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** JSON with sorted keys, so that the order in which fields are written changes nothing. */
export function formatCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The members whose value is not undefined. */
export const dropUndefined = <Given extends object>(
  given: Given,
): { [Name in keyof Given]: Exclude<Given[Name], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Given]: Exclude<Given[Name], undefined>;
  };
