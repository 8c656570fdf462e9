import { isObject, isText, type JsonObject, getMember } from '../../../lib/json.ts';

/** A text member; '' where it is missing or of another type. */
export function textIn(body: JsonObject, name: string): string {
  const value = getMember(body, name);
  return isText(value) ? value : '';
}

/** An object member; one without members where it is missing or of another type. */
export function objectIn(body: JsonObject, name: string): JsonObject {
  const value = getMember(body, name);
  return isObject(value) ? value : {};
}

/** The objects of a list member. */
export function getObjectList(body: JsonObject, name: string): JsonObject[] {
  const value = getMember(body, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}
