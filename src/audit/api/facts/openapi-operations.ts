import { decodePercentOrKeep } from '../../../lib/percent.ts';
import {
  formatMemberPointer,
  getString,
  isJsonRecord,
  type JsonRecord,
} from '../../structured-data/facts/json-document.ts';

/** `3.1` covers every 3.x from 3.1 on: the rules checked here are the same for all of them. */
export type OpenApiKind = '2.0' | '3.0' | '3.1';

/** One operation. `described` when it has a summary or a description; `paid` when it documents a 402 or a price. */
export type OpenApiOperation = {
  method: string;
  path: string;
  pointer: string;
  operationId: string | undefined;
  described: boolean;
  paid: boolean;
  webhook: boolean;
};

/** Operations of a document that are looked at. */
export const MAX_OPENAPI_OPERATIONS = 2_000;
/** Path items that refer to path items that refer ... */
const MAX_REFERENCES = 5;
/** Characters of a path that an operation keeps. */
const MAX_PATH_CHARS = 500;
/** Characters of a reference that is resolved. */
const MAX_POINTER_CHARS = 2_000;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

/** An operation with the objects it is made of, which checks of the structure need. */
export type RawOperation = { operation: OpenApiOperation; item: JsonRecord; source: JsonRecord };

/** The operations of `paths` and `webhooks`, in document order, at most `MAX_OPENAPI_OPERATIONS`. */
export function readOperations(document: JsonRecord): readonly RawOperation[] {
  const found: RawOperation[] = [];
  for (const group of ['paths', 'webhooks'] as const) {
    for (const [path, item] of listObjectEntries(document[group])) {
      const resolved = path.startsWith('x-') ? undefined : followReference(document, item);
      if (!isJsonRecord(resolved)) continue;
      for (const method of METHODS) {
        const source = Object.hasOwn(resolved, method) ? resolved[method] : undefined;
        if (isJsonRecord(source))
          found.push({ operation: buildOperation(group, path, method, source), item: resolved, source });
        if (found.length >= MAX_OPENAPI_OPERATIONS) return found;
      }
    }
  }
  return found;
}

function buildOperation(group: string, path: string, method: string, source: JsonRecord): OpenApiOperation {
  const text = getString(source, 'summary') ?? getString(source, 'description') ?? '';
  return {
    method,
    path: path.slice(0, MAX_PATH_CHARS),
    pointer: formatMemberPointer([group, path.slice(0, MAX_PATH_CHARS), method]),
    operationId: getString(source, 'operationId')?.slice(0, 200),
    described: text.trim() !== '',
    paid: isPaid(source),
    webhook: group === 'webhooks',
  };
}

/** A documented 402 answer, or one of the extensions by which services tell a price. */
function isPaid(source: JsonRecord): boolean {
  const responses = source['responses'];
  if (isJsonRecord(responses) && Object.hasOwn(responses, '402')) return true;
  return ['x-payment-info', 'x-payment', 'x-402', 'x-x402', 'x-price'].some((name) => Object.hasOwn(source, name));
}

export const listObjectEntries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isJsonRecord(value) ? Object.entries(value).slice(0, MAX_OPENAPI_OPERATIONS) : [];

/** What a local `$ref` leads to, the value itself when it has none, `'elsewhere'` for another document or a loop. */
export function followReference(document: JsonRecord, value: unknown): unknown {
  let current = value;
  for (let steps = 0; steps < MAX_REFERENCES; steps += 1) {
    const reference = getString(current, '$ref');
    if (reference === undefined) return current;
    if (!reference.startsWith('#/')) return 'elsewhere';
    const target = resolvePointer(document, reference.slice(1));
    if (!target.found) return undefined;
    current = target.value;
  }
  return 'elsewhere';
}

/** Resolves a JSON pointer as written in a URI fragment (RFC 6901 section 6). */
export function resolvePointer(document: unknown, pointer: string): { found: true; value: unknown } | { found: false } {
  if (pointer.length > MAX_POINTER_CHARS) return { found: false };
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = decodePercentOrKeep(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return { found: false };
    value = Reflect.get(value, key) as unknown;
  }
  return { found: true, value };
}
