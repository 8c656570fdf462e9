import { decodeJsonText } from './decode.ts';
import { type CheckEvidence, MAX_EXCERPT_CHARS } from '../../audit/core/evidence.ts';
import type { Json } from '../../lib/json.ts';
import type { Fetched } from '../../net/fetched.ts';
import type { MppReading } from './mpp-challenges.ts';
import type { X402Reading } from './x402-terms.ts';

/** What each request was made for. */
export type SellerRole =
  | 'get'
  | 'post'
  | 'post_data'
  | 'head'
  | 'preflight'
  | 'garbage'
  | 'unknown_path'
  | 'well_known_x402'
  | 'well_known_mpp'
  | 'openapi';

/** One request and its answer. `atMs`: when the answer was there, by our clock. */
export type Sighting = { role: SellerRole; method: string; url: string; answer: Fetched; atMs: number };

/** A sighting with an answer. */
export type AnsweredSighting = Sighting & { answer: Extract<Fetched, { ok: true }> };

/**
 * Everything that was asked of one seller. `offered`: the answer that has the terms, a 402; undefined where none came.
 * `isReadOnly`: only GET, HEAD and one unpaid request were made.
 */
export type SellerReading = {
  url: URL;
  isReadOnly: boolean;
  sightings: Readonly<Partial<Record<SellerRole, Sighting>>>;
  offered: AnsweredSighting | undefined;
  x402: X402Reading;
  mpp: MppReading;
};

/** The sighting of a role where an answer came. */
export function findAnswer(
  { sightings }: Pick<SellerReading, 'sightings'>,
  role: SellerRole,
): AnsweredSighting | undefined {
  const sighting = sightings[role];
  return sighting !== undefined && isAnswered(sighting) ? sighting : undefined;
}

export const isAnswered = (sighting: Sighting): sighting is AnsweredSighting => sighting.answer.ok;

/** The body as JSON; undefined for anything else. */
export const readJsonBody = ({ answer }: AnsweredSighting): Json | undefined => decodeJsonText(answer.bytes);

/** What was seen, of one answer: its address and status, and a header or the start of the body. */
export function buildSightingEvidence(
  sighting: Sighting,
  extra: { header?: string; excerpt?: string } = {},
): CheckEvidence {
  const { url, answer } = sighting;
  const cut = Object.fromEntries(Object.entries(extra).map(([name, text]) => [name, text.slice(0, MAX_EXCERPT_CHARS)]));
  return { url, ...(answer.ok ? { status: answer.status } : {}), ...cut };
}

/** Evidence of one header, as `name: value`. */
export const buildHeaderSighting = (sighting: AnsweredSighting, name: string): CheckEvidence =>
  buildSightingEvidence(sighting, { header: `${name}: ${sighting.answer.headers[name] ?? '(absent)'}` });
