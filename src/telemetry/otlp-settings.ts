import * as z from 'zod';
import { classifyHost, withoutTrailingDot } from '../net/address.ts';
import type { OtlpDestination } from './otlp-sender.ts';

const MAX_HEADERS_CHARS = 8_192;
const MAX_HEADERS = 20;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Printable ASCII: anything else is no value of a header. */
const VALUE = /^[\x20-\x7e]{0,4096}$/;
/** What the request itself says. */
const OWN: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'host',
  'connection',
  'transfer-encoding',
]);

const unset = z.literal('').transform(() => undefined);

/** `name=value` pairs by commas, values percent-encoded; undefined for any other text (OpenTelemetry, "Header Serialization"). */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  if (pairs.length > MAX_HEADERS) return undefined;
  const headers: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const value = decodeHeaderValue(pair.slice(at + 1).trim());
    if (value === undefined || !NAME.test(name) || !VALUE.test(value) || OWN.has(name) || name === '__proto__')
      return undefined;
    headers[name] = value;
  }
  return headers;
}

function decodeHeaderValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // `%` without two digits after it.
  }
}

/** Variables of the control Worker, by the names of OpenTelemetry's own. */
export const otlpVariables = {
  /** Where the service's logs and spans go as well, in the JSON form of OTLP/HTTP: https; `/v1/logs` and `/v1/traces` follow. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.union([unset, z.url({ protocol: /^https?$/ }).max(2_048)]).optional(),
  /** Secret: headers of these requests, `name=value` by commas. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .union([
      unset,
      z
        .string()
        .max(MAX_HEADERS_CHARS)
        .refine((text) => parseOtlpHeaders(text) !== undefined),
    ])
    .optional(),
};

export type OtlpSettings = z.infer<z.ZodObject<typeof otlpVariables>>;

/** Where telemetry goes by OTLP, nowhere, or why not there. */
export type OtlpTarget = OtlpDestination | { refused: 'not_https' | 'own_address' } | undefined;

/**
 * The address of the settings. It must be https, but for this machine where `allowsPlainLoopback` says so; and none of our
 * own: each export would be a request that is exported.
 */
export function findOtlpTarget(
  { OTEL_EXPORTER_OTLP_ENDPOINT: text, OTEL_EXPORTER_OTLP_HEADERS: headers = '' }: OtlpSettings,
  own: readonly (string | undefined)[],
  allowsPlainLoopback: boolean,
): OtlpTarget {
  if (text === undefined) return undefined;
  const url = new URL(text);
  const { protocol, hostname, origin, pathname } = url;
  if (protocol !== 'https:' && !(allowsPlainLoopback && classifyHost(hostname).kind === 'loopback'))
    return { refused: 'not_https' };
  const place = formatPlace(url);
  if (own.some((each) => each !== undefined && formatPlace(new URL(each)) === place)) return { refused: 'own_address' };
  return { endpoint: `${origin}${pathname === '/' ? '' : pathname}`, headers: parseOtlpHeaders(headers) ?? {} };
}

/** Host and port, the same for each way to write them: a machine's names for itself are one. */
function formatPlace({ protocol, hostname, port }: URL): string {
  const host = classifyHost(hostname).kind === 'loopback' ? 'localhost' : withoutTrailingDot(hostname);
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
