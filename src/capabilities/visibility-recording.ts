import * as z from 'zod';
import { computeSha256Hex } from '../lib/digest.ts';
import { isWithinBytes } from '../lib/utf8.ts';
import { engineKinds, failureReasons, finishReasons, MAX_ANSWER_BYTES, MAX_CITATIONS } from '../models/port.ts';
import type { CollectedRun } from '../visibility/run/run.ts';
import { PROMPT_COUNT, loadPromptSet } from '../visibility/run/prompts.ts';
import { refuseMeasurement, versusBody } from './bodies.ts';
import type { CapabilityName } from './capability-name.ts';

/** Latest clock of a recording of any kind: the end of the year 9999. */
export const MAX_CLOCK_MS = Date.UTC(9999, 11, 31);
const index = z
  .int()
  .min(0)
  .max(PROMPT_COUNT - 1);
/** Names as the bodies of the two capabilities take them. */
const { shape: names } = versusBody;
const time = z.int().min(0).max(MAX_CLOCK_MS);

const answered = z.object({
  index,
  status: z.literal('answered'),
  text: z.string().min(1).refine(isKeepable, `has over ${MAX_ANSWER_BYTES} bytes`),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  servedModel: z.string().optional(),
  finishReason: z.enum(finishReasons),
  citations: z.array(z.string()).max(MAX_CITATIONS).optional(),
});
const failed = z.object({ index, status: z.literal('failed'), reason: z.enum(failureReasons) });

const run = z.object({
  runId: z.string().regex(/^[0-9a-f]{32}$/),
  promptSet: z.object({ id: z.string(), sha256: z.string() }),
  engine: z.object({ kind: z.enum(engineKinds), model: z.string() }),
  niche: names.niche,
  startedAtMs: time,
  endedAtMs: time,
  answers: z.array(z.discriminatedUnion('status', [answered, failed])).length(PROMPT_COUNT),
});

/** Of the form of the recording of a measurement. */
export const MEASUREMENT_VERSION = 1;

const recording = z.object({
  version: z.literal(MEASUREMENT_VERSION),
  capability: z.enum(['visibility_check', 'visibility_vs_competitor']),
  input: z.object({ brand: names.brand, niche: names.niche, competitor_brand: names.competitor_brand.optional() }),
  run,
});

/** What a measurement was made from. Presenting it again gives the same result. */
export type VisibilityRecording = {
  version: typeof MEASUREMENT_VERSION;
  capability: Extract<CapabilityName, 'visibility_check' | 'visibility_vs_competitor'>;
  input: { brand: string; niche: string; competitor_brand?: string };
  run: CollectedRun;
};

/** Whether a recording of any kind is one of a measurement. */
export const isVisibilityRecording = (kept: object): kept is VisibilityRecording => 'run' in kept;

export type ParsedVisibilityRecording = { ok: true; recording: VisibilityRecording } | { ok: false; detail: string };

/**
 * Reads a recording back. Every field is checked, and every answer against its hash, since the file may come from
 * anywhere. What no measurement could have made is refused: other prompts, names that a body may not hold.
 */
export async function parseVisibilityRecording(json: unknown): Promise<ParsedVisibilityRecording> {
  const parsed = recording.safeParse(json);
  if (!parsed.success) return { ok: false, detail: z.prettifyError(parsed.error).slice(0, 500) };
  const { input, run: read, ...head } = parsed.data;
  if ((head.capability === 'visibility_vs_competitor') !== (input.competitor_brand !== undefined))
    return { ok: false, detail: 'competitor_brand belongs to visibility_vs_competitor alone' };
  if (read.niche !== input.niche) return { ok: false, detail: 'the run is about another niche' };
  const { id, sha256 } = await loadPromptSet();
  if (read.promptSet.id !== id || read.promptSet.sha256 !== sha256)
    return { ok: false, detail: 'the run asked other prompts than this version does' };
  const [refused] = (await refuseMeasurement(readBrandNames(input)))?.errors ?? [];
  if (refused) return { ok: false, detail: `${refused.pointer.slice(1)} ${refused.message}` };
  const answers: CollectedRun['answers'][number][] = [];
  for (const [at, one] of read.answers.entries()) {
    if (one.index !== at) return { ok: false, detail: `answer ${at} is out of order` };
    if (one.status === 'answered' && (await computeSha256Hex(one.text)) !== one.sha256)
      return { ok: false, detail: `answer ${at} is not what its hash says` };
    answers.push(one.status === 'failed' ? one : { ...one, servedModel: one.servedModel, citations: one.citations });
  }
  return { ok: true, recording: { ...head, input: readBrandNames(input), run: { ...read, answers } } };
}

/** Without a field for a competitor that is not there. */
const readBrandNames = ({
  competitor_brand,
  ...both
}: z.infer<typeof recording>['input']): VisibilityRecording['input'] =>
  competitor_brand === undefined ? both : { ...both, competitor_brand };

function isKeepable(text: string): boolean {
  return isWithinBytes(text, MAX_ANSWER_BYTES);
}

/** SHA-256 (hex) over all transcripts: of one line `<index> <sha256 of the text>\n` each, `-` for a prompt without answer. */
export const computeTranscriptsSha256 = ({ answers }: CollectedRun): Promise<string> =>
  computeSha256Hex(answers.map((one) => `${one.index} ${one.status === 'answered' ? one.sha256 : '-'}\n`).join(''));
