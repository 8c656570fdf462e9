import * as z from 'zod';
import { HOUR_S } from '../../lib/time.ts';

/** An empty variable is one that is not set. */
const convertEmptyToUndefined = (given: unknown): unknown => (given === '' ? undefined : given);

/** A number of seconds; the usual one where it is not set, or empty. */
const defineSeconds = (usual: number) =>
  z.preprocess(convertEmptyToUndefined, z.coerce.number().int().min(1).default(usual));

/** Variables of the control Worker that say how watch channels behave. */
export const watchVariables = {
  /** Header prefix of push notifications. */
  VENDOR_HEADER_PREFIX: z.preprocess(
    convertEmptyToUndefined,
    z
      .string()
      .regex(/^X-[A-Za-z]{1,20}-$/)
      .default('X-Goog-'),
  ),
  /** Life of a watch channel that names none, and the longest, in seconds. */
  CHANNEL_TTL_DEFAULT_S: defineSeconds(2 * HOUR_S),
  CHANNEL_TTL_MAX_S: defineSeconds(6 * HOUR_S),
};

const httpUrl = z.url({ protocol: /^https?$/ });
const optionalUrl = z.preprocess(convertEmptyToUndefined, httpUrl.optional());

const settingsSchema = z.object({
  CONTROL_URL: httpUrl,
  BASE_URL: optionalUrl,
  WEBHOOK_URL: optionalUrl,
  ...watchVariables,
});

export type WatchSettings = {
  /** Our own origin, without trailing slash: resource URIs start with it. */
  origin: string;
  /** Origins of the service's Workers, as far as they are known here. */
  ownOrigins: readonly string[];
  headerPrefix: string;
  ttlDefaultS: number;
  ttlMaxS: number;
};

/** @throws ZodError for variables that do not parse: the deployment is broken */
export function readWatchSettings(env: unknown): WatchSettings {
  const variables = settingsSchema.parse(env);
  const { CONTROL_URL, BASE_URL, WEBHOOK_URL } = variables;
  return {
    origin: new URL(CONTROL_URL).origin,
    ownOrigins: [CONTROL_URL, BASE_URL, WEBHOOK_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).origin])),
    headerPrefix: variables.VENDOR_HEADER_PREFIX,
    ttlDefaultS: variables.CHANNEL_TTL_DEFAULT_S,
    ttlMaxS: variables.CHANNEL_TTL_MAX_S,
  };
}
