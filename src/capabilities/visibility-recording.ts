import * as z from 'zod';
import {
  engineKinds,
  failureReasons,
  finishReasons,
  MAX_ANSWER_BYTES,
  MAX_CITATIONS,
  type CollectedRun,
} from '../visibility/answer.ts';
import { PROMPT_COUNT, sha256OfText } from '../visibility/prompts.ts';
import { MAX_NAME_LENGTH } from './bodies.ts';
import type { CapabilityName } from './capability.ts';

/** Latest clock of a recording: the end of the year 9999. */
const MAX_CLOCK_MS = Date.UTC(9999, 11, 31);
const index = z
  .int()
  .min(0)
  .max(PROMPT_COUNT - 1);
const name = z.string().min(1).max(MAX_NAME_LENGTH);
const time = z.int().min(0).max(MAX_CLOCK_MS);

const answered = z.object({
  index,
  status: z.literal('answered'),
  text: z.string().min(1).max(MAX_ANSWER_BYTES),
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
  niche: name,
  startedAtMs: time,
  endedAtMs: time,
  answers: z.array(z.discriminatedUnion('status', [answered, failed])).length(PROMPT_COUNT),
});

const recording = z.object({
  version: z.literal(1),
  capability: z.enum(['visibility_check', 'visibility_vs_competitor']),
  input: z.object({ brand: name, niche: name, competitor_brand: name.optional() }),
  run,
});

/** What a measurement was made from. Presenting it again gives the same result. */
export type VisibilityRecording = {
  version: 1;
  capability: Extract<CapabilityName, 'visibility_check' | 'visibility_vs_competitor'>;
  input: { brand: string; niche: string; competitor_brand?: string };
  run: CollectedRun;
};

/** Whether a recording of any kind is one of a measurement. */
export const isVisibilityRecording = (kept: object): kept is VisibilityRecording => 'run' in kept;

export type ParsedVisibilityRecording = { ok: true; recording: VisibilityRecording } | { ok: false; detail: string };

/** Reads a recording back. Every field is checked, and every answer against its hash, since the file may come from anywhere. */
export async function parseVisibilityRecording(json: unknown): Promise<ParsedVisibilityRecording> {
  const parsed = recording.safeParse(json);
  if (!parsed.success) return { ok: false, detail: z.prettifyError(parsed.error).slice(0, 500) };
  const { input, run: read, ...head } = parsed.data;
  if ((head.capability === 'visibility_vs_competitor') !== (input.competitor_brand !== undefined))
    return { ok: false, detail: 'competitor_brand belongs to visibility_vs_competitor alone' };
  if (read.niche !== input.niche) return { ok: false, detail: 'the run is about another niche' };
  const answers: CollectedRun['answers'][number][] = [];
  for (const [at, one] of read.answers.entries()) {
    if (one.index !== at) return { ok: false, detail: `answer ${at} is out of order` };
    if (one.status === 'answered' && (await sha256OfText(one.text)) !== one.sha256)
      return { ok: false, detail: `answer ${at} is not what its hash says` };
    answers.push(one.status === 'failed' ? one : { ...one, servedModel: one.servedModel, citations: one.citations });
  }
  const { brand, niche, competitor_brand } = input;
  return {
    ok: true,
    recording: {
      ...head,
      input: { brand, niche, ...(competitor_brand === undefined ? {} : { competitor_brand }) },
      run: { ...read, answers },
    },
  };
}

/** SHA-256 (hex) over all transcripts: of one line `<index> <sha256 of the text>\n` each, `-` for a prompt without answer. */
export const transcriptsSha256 = ({ answers }: CollectedRun): Promise<string> =>
  sha256OfText(answers.map((one) => `${one.index} ${one.status === 'answered' ? one.sha256 : '-'}\n`).join(''));
