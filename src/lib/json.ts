/** What a JSON text can hold. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

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

/** The objects of a list; none where it is no list. */
export const listObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
