import { isObject, type JsonObject, getMember } from '../../../lib/json.ts';

/** The objects of a list member. */
export function getObjectList(body: JsonObject, name: string): JsonObject[] {
  const value = getMember(body, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}
