import type { Json, JsonObject } from '../../../../src/lib/json.ts';

/** A text of an answer. @throws Error where there is another thing */
export function text(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error('Not a text');
  return value;
}

/** One member of each resource of a list: its name, where nothing else is said. */
export function listedIn(answer: JsonObject, items: string, member = 'name'): unknown[] {
  const list = answer[items];
  return Array.isArray(list) ? list.map((each) => (each as JsonObject)[member]) : [];
}
