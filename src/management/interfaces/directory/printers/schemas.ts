import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { toCamelCase } from '../../../core/conventions/names.ts';
import type { Call } from '../../../core/engine/operation.ts';
import { requireShortTexts } from '../schemas.ts';
import type { PrinterKind } from './rows.ts';

/** Lengths in characters: ours, the vendor names none. */
const LIMITS = { displayName: 255, description: 1_024, makeAndModel: 255, uri: 2_048 } as const;
/** Schemes of printers that ChromeOS takes. */
const URI = /^(?:ipps?|https?|lpd|socket|usb|ippusb):\/\/[^\s]+$/i;
const MAX_FILTER_CHARS = 2_000;
const MAX_TERMS = 10;
/** `printServer.displayName=='north'`, also without the prefix. */
const COMPARISON = /^(?:(?:printer|printServer)\.)?(\w+)\s*==?\s*(?:'([^']*)'|"([^"]*)")$/;

/** What may be stored of a printer or print server. @throws Refusal 400 */
export function validatePrinter(body: JsonObject, { schema }: PrinterKind): JsonObject {
  requireShortTexts(body, LIMITS);
  if (getTextMember(body, 'displayName') === '') throw vendorRefusals.required('displayName');
  const uri = getTextMember(body, 'uri');
  if (uri === '') throw vendorRefusals.required('uri');
  if (!URI.test(uri)) throw vendorRefusals.invalid('Invalid Input: uri');
  const hasModel = body['useDriverlessConfig'] === true || getTextMember(body, 'makeAndModel') !== '';
  if (schema === 'Printer' && !hasModel) throw vendorRefusals.required('makeAndModel');
  return body;
}

/** How a list is sorted: a field in snake or camel case, `desc` after it. @throws Refusal 400 for any other */
export function readPrinterOrder({ query }: Call, { sorts }: PrinterKind): { by?: string; descending: boolean } {
  const { orderBy } = query;
  if (!isText(orderBy) || orderBy.trim() === '') return { descending: false };
  const [name = '', direction = 'asc', ...rest] = orderBy.trim().split(/ {1,4}/);
  const by = toCamelCase(name);
  const isKnown = sorts.includes(by) && ['asc', 'desc'].includes(direction.toLowerCase()) && rest.length === 0;
  if (!isKnown) throw vendorRefusals.invalid('Invalid Input: orderBy');
  return { by, descending: direction.toLowerCase() === 'desc' };
}

/**
 * Which ones a `filter` takes: comparisons with `==` joined by `&&`, as print servers have them; of printers, whose syntax
 * the vendor does not describe, also words that all stand in some text, and `manufacturer:Brother`.
 * @throws Refusal 400 for any other
 */
export function parsePrinterFilter({ query }: Call, kind: PrinterKind): (body: JsonObject) => boolean {
  const { filter } = query;
  if (!isText(filter) || filter.trim() === '') return () => true;
  if (filter.length > MAX_FILTER_CHARS) throw vendorRefusals.invalid('Invalid Input: filter');
  const terms = filter.split(/ {0,4}&& {0,4}| {1,4}AND {1,4}/).map((term) => term.trim());
  if (terms.length > MAX_TERMS) throw vendorRefusals.invalid('Invalid Input: filter');
  const tests = terms.map((term) => parseTerm(term, kind));
  return (body) => tests.every((test) => test(body));
}

function parseTerm(term: string, { texts, schema }: PrinterKind): (body: JsonObject) => boolean {
  const [, name, single, double] = COMPARISON.exec(term) ?? [];
  if (name !== undefined) {
    const field = toCamelCase(name);
    if (!texts.includes(field)) throw vendorRefusals.invalid('Invalid Input: filter');
    return (body) => getTextMember(body, field) === (single ?? double);
  }
  if (schema === 'PrintServer' || /[='"()]/.test(term)) throw vendorRefusals.invalid('Invalid Input: filter');
  const words = term
    .toLowerCase()
    .replace(/^manufacturer:/, '')
    .split(' ')
    .slice(0, MAX_TERMS);
  return (body) =>
    words.every((word) => texts.some((field) => getTextMember(body, field).toLowerCase().includes(word)));
}
