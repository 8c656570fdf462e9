import type { JsonObject } from '../../../lib/json.ts';

export const JSON_TYPE = 'application/json; charset=UTF-8';

/** The text of an answer: two spaces deep by default, or in one line (`prettyPrint=false`). */
export const renderJsonText = (body: JsonObject, { prettyPrint }: { prettyPrint: boolean }): string =>
  prettyPrint ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body);
