import type * as z from 'zod';
import { findCapability } from '../../capabilities/catalog.ts';
import { parseBody } from '../../capabilities/parse-body.ts';
import { parseJson } from '../../lib/json.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';

/**
 * The request body: addresses first, then `key=value` pairs. The second address is the competitor. Addresses go as they
 * were typed: the service reads a bare host by https, and by http where that cannot connect.
 * @returns a text where the words are no body
 */
export function parseOrderFields(capability: string, fields: readonly string[]): Record<string, unknown> | string {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const pair = /^([a-z_]{1,40})=(.*)$/s.exec(field);
    const [key, text] = pair
      ? [pair[1] ?? '', pair[2] ?? '']
      : [Object.hasOwn(body, 'url') ? 'competitor' : 'url', field];
    if (Object.hasOwn(body, key)) return `${key} is given twice.`;
    const value = pair ? parseValue(capability, key, text) : text;
    if (value === undefined) return `${key} is not valid JSON.`;
    body[key] = value;
  }
  return body;
}

/** A value that starts with [ or { is JSON (weak_spots), and so is one that the field takes only as such (max_pages). */
function parseValue(capability: string, key: string, text: string): unknown {
  if (/^[[{]/.test(text)) return parseJson(text);
  const field = findField(capability, key);
  return field === undefined || field.safeParse(text).success ? text : (parseJson(text) ?? text);
}

function findField(capability: string, key: string): z.ZodType | undefined {
  const shape = findCapability(capability)?.body.shape ?? {};
  return Object.hasOwn(shape, key) ? (shape[key] as z.ZodType) : undefined;
}

/**
 * Why the service would refuse the body, found before a payment is signed for it. A field that this build does not know
 * may be one of a newer service.
 */
export async function refuseBody(
  capability: string,
  body: Readonly<Record<string, unknown>>,
): Promise<CommandFailure | undefined> {
  const row = findCapability(capability);
  if (row === undefined) return undefined;
  const read = parseBody(row, body);
  if (read.ok) {
    const [error] = (await row.refuse?.(read.input))?.errors ?? [];
    return error && describeFault(capability, error.pointer.slice(1), error.message);
  }
  const issue = read.issues.find(({ code }) => code !== 'unrecognized_keys');
  if (issue === undefined) return undefined;
  const [field] = issue.path;
  const isMissing = typeof field === 'string' && !Object.hasOwn(body, field);
  return describeFault(capability, issue.path.join('.'), isMissing ? 'is missing' : issue.message);
}

function describeFault(capability: string, field: string, fault: string): CommandFailure {
  return refuseUsage(formatSafeLine(`${capability}: ${field}: ${fault}.`), formatUse(capability));
}

/** What to type for a capability. */
function formatUse(capability: string): string {
  const shape: Readonly<Record<string, z.ZodType>> = findCapability(capability)?.body.shape ?? {};
  const needed = Object.entries(shape).flatMap(([name, field]) => {
    if (field.safeParse(undefined).success) return [];
    if (name === 'url') return ['<url>'];
    return [name === 'competitor' ? '<competitor>' : `${name}=...`];
  });
  return `Use: sightline buy ${[capability, ...needed].join(' ')}`;
}
