import * as z from 'zod';
import type { Exchange, Snapshot } from '../audit/core/snapshot.ts';
import { type Rendered, renderedSchema } from '../audit/rendered/facts/rendered-look.ts';
import { profiles } from '../audit/core/site.ts';
import { visibilityFixBody } from './bodies.ts';
import { type CapabilityName, capabilityNames } from './capability-name.ts';
import { isPanelRecording, type PanelRecording } from './panel-recording.ts';
import { isVisibilityRecording, MAX_CLOCK_MS, type VisibilityRecording } from './visibility-recording.ts';

/** Longest recording that is read back, in characters: bodies of an audit are at most 25 MiB decoded. */
export const MAX_RECORDING_CHARS = 200_000_000;
/** Requests of an audit with the largest crawl, with room for the roles that share one. */
const MAX_EXCHANGES = 500;

const hop = z.object({ url: z.string(), status: z.int(), location: z.string() });
const strings = z.record(z.string(), z.string());
const answer = z.object({
  ok: z.literal(true),
  url: z.string(),
  status: z.int(),
  headers: strings,
  body: z.string(),
  bodyBytes: z.int().min(0),
  sha256: z.string(),
  truncated: z.boolean(),
  redirects: z.array(hop),
});
const noAnswer = z.object({ ok: z.literal(false), reason: z.string(), detail: z.string(), redirects: z.array(hop) });
const exchange = z.object({
  role: z.string(),
  method: z.enum(['GET', 'HEAD', 'POST', 'OPTIONS']),
  url: z.string(),
  requestHeaders: strings,
  requestBody: z.string().optional(),
  /** Absent when `sameAs` names the exchange that holds it. */
  answer: z.discriminatedUnion('ok', [answer, noAnswer]).optional(),
  ms: z.number(),
  sameAs: z.string().optional(),
});
const webUrl = z.url({ protocol: /^https?$/ });

const snapshot = z.object({
  version: z.literal(1),
  url: webUrl,
  clockMs: z.int().min(0).max(MAX_CLOCK_MS),
  exchanges: z.array(exchange).max(MAX_EXCHANGES),
  /** Absent in recordings of before, and where the address was read as it was asked for. */
  insteadOf: z.object({ url: webUrl, reason: z.literal('connection_failed'), detail: z.string() }).optional(),
  /** Absent in recordings of before, and where no browser was asked. */
  rendered: renderedSchema.optional(),
});

/** What of the request body decided the result. */
const input = z.object({
  url: z.string(),
  competitor: z.string().optional(),
  profile: z.enum(profiles).optional(),
  max_pages: z.int().optional(),
  /** Of `visibility_fix_pack`. */
  ...visibilityFixBody.omit({ url: true }).partial().shape,
});
export type RecordedInput = z.infer<typeof input>;

/** Of the form of a recording. */
export const RECORDING_VERSION = 1;
/** Of how generated files are presented: with the share that is filled, and not at all where nothing is. */
export const FILES_EDITION = 2;

const recording = z.object({
  version: z.literal(RECORDING_VERSION),
  edition: z.literal(FILES_EDITION).optional(),
  capability: z.enum(capabilityNames),
  input,
  rubric: z.object({ version: z.string(), sha256: z.string() }),
  snapshots: z.array(snapshot).min(1).max(2),
});

/**
 * Everything a result was made from: one snapshot, two for `compare` (the site, then its competitor). Presenting it again
 * gives the same bytes, as long as the rubric is the same.
 */
export type Recording = {
  version: typeof RECORDING_VERSION;
  /** Absent in recordings of before, which are presented as they were then. */
  edition?: typeof FILES_EDITION;
  capability: CapabilityName;
  input: RecordedInput;
  rubric: { version: string; sha256: string };
  snapshots: readonly Snapshot[];
};

/** What any result was made from. */
export type AnyRecording = Recording | VisibilityRecording | PanelRecording;

/** The runs of engines that a recording holds. */
export function listRunIds(kept: AnyRecording): readonly string[] {
  if (isPanelRecording(kept)) return kept.runs.map(({ runId }) => runId);
  return isVisibilityRecording(kept) ? [kept.run.runId] : [];
}

/**
 * A recording as JSON text in pieces, one exchange each, so that no copy of the whole is ever held. An answer that two
 * roles share is written once.
 */
export function* writeRecordingJson(kept: AnyRecording): Generator<string> {
  if (isVisibilityRecording(kept) || isPanelRecording(kept)) {
    yield JSON.stringify(kept);
    return;
  }
  const { snapshots, ...head } = kept;
  yield `${JSON.stringify(head).slice(0, -1)},"snapshots":[`;
  for (const [index, { exchanges, ...about }] of snapshots.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(about).slice(0, -1)},"exchanges":[`;
    for (const [place, one] of exchanges.entries())
      yield `${place > 0 ? ',' : ''}${JSON.stringify(encodeExchange(one))}`;
    yield ']}';
  }
  yield ']}';
}

function encodeExchange(one: Exchange): object {
  if (one.sameAs === undefined) return one;
  const { answer: _shared, ...rest } = one;
  return rest;
}

export type ParsedRecording =
  | { ok: true; recording: Recording }
  | { ok: false; reason: 'invalid_recording'; detail: string };

/** Reads a recording back; every field is checked, since the file may come from anywhere. */
export function parseRecording(text: string): ParsedRecording {
  const refuse = (detail: string): ParsedRecording => ({ ok: false, reason: 'invalid_recording', detail });
  if (text.length > MAX_RECORDING_CHARS) return refuse(`longer than ${MAX_RECORDING_CHARS} characters`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse('not JSON');
  }
  const parsed = recording.safeParse(json);
  if (!parsed.success) return refuse(z.prettifyError(parsed.error).slice(0, 500));
  const sites = parsed.data.capability === 'compare' ? 2 : 1;
  if (parsed.data.snapshots.length !== sites) return refuse(`${parsed.data.capability} is made from ${sites}`);
  const snapshots: Snapshot[] = [];
  for (const one of parsed.data.snapshots) {
    const exchanges = withAnswers(one.exchanges);
    if (!exchanges) return refuse('an exchange has no answer');
    const { rendered, insteadOf, ...rest } = one;
    snapshots.push({
      ...rest,
      exchanges,
      ...(insteadOf === undefined ? {} : { insteadOf }),
      // Reasons are words of ours, kept as text in the file.
      ...(rendered === undefined ? {} : { rendered: rendered as Rendered }),
    });
  }
  const { edition, ...head } = parsed.data;
  return { ok: true, recording: { ...head, ...(edition === undefined ? {} : { edition }), snapshots } };
}

function withAnswers(rows: readonly z.infer<typeof exchange>[]): readonly Exchange[] | undefined {
  const held = new Map(rows.flatMap((row) => (row.answer === undefined ? [] : [[row.role, row.answer] as const])));
  const whole: Exchange[] = [];
  for (const row of rows) {
    const found = row.answer ?? (row.sameAs === undefined ? undefined : held.get(row.sameAs));
    if (!found) return undefined;
    whole.push({ ...row, answer: found } as Exchange); // Reasons are words of ours, kept as text in the file.
  }
  return whole;
}
