import * as z from 'zod';
import { computeSha256Hex } from '../lib/digest.ts';
import { dropUndefined } from '../lib/json.ts';
import { isWithinBytes } from '../lib/utf8.ts';
import {
  engineKinds,
  failureReasons,
  finishReasons,
  MAX_ANSWER_BYTES,
  MAX_CITATIONS,
  MAX_SOURCE_SPANS,
} from '../models/port.ts';
import { MAX_OWN_PROMPT_CHARS } from '../visibility/prompts/limits.ts';
import { type PromptChoice, promptLanguages, selectPrompts } from '../visibility/prompts/prompt-set.ts';
import { refusalKinds } from '../visibility/refusals/refusal-kinds.ts';
import { MAX_PROMPTS } from '../visibility/run/consume.ts';
import type { Prompt } from '../visibility/run/prompts.ts';
import type { CollectedRun } from '../visibility/run/run.ts';
import { refuseMeasurement, versusBody } from './bodies.ts';
import type { CapabilityName } from './capability-name.ts';

/** Latest clock of a recording of any kind: the end of the year 9999. */
export const MAX_CLOCK_MS = Date.UTC(9999, 11, 31);
const index = z
  .int()
  .min(0)
  .max(MAX_PROMPTS - 1);
/** Names as the bodies of the two capabilities take them. */
const { shape: names } = versusBody;
const time = z.int().min(0).max(MAX_CLOCK_MS);

const keptText = z.string().refine(isKeepable, `has over ${MAX_ANSWER_BYTES} bytes`);
const received = {
  index,
  text: keptText.min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  servedModel: z.string().optional(),
  finishReason: z.enum(finishReasons),
};
const place = z.int().min(0).max(MAX_ANSWER_BYTES);
const source = z.object({
  url: z.string(),
  title: z.string().optional(),
  spans: z
    .array(z.tuple([place, place]))
    .max(MAX_SOURCE_SPANS)
    .optional(),
});
const answered = z.object({
  ...received,
  status: z.literal('answered'),
  citations: z.array(z.string()).max(MAX_CITATIONS).optional(),
  sources: z.array(source).max(MAX_CITATIONS).optional(),
});
/** An engine may refuse without a word. */
const refusedAnswer = z.object({
  ...received,
  text: keptText,
  status: z.literal('refused'),
  refusal: z.enum(refusalKinds),
});
const failed = z.object({ index, status: z.literal('failed'), reason: z.enum(failureReasons) });

export const recordedRun = z.object({
  runId: z.string().regex(/^[0-9a-f]{32}$/),
  promptSet: z.object({ id: z.string(), sha256: z.string() }),
  engine: z.object({
    kind: z.enum(engineKinds),
    model: z.string(),
    name: z.string().optional(),
    webSearch: z.boolean().optional(),
    country: z.string().optional(),
  }),
  niche: names.niche,
  startedAtMs: time,
  endedAtMs: time,
  answers: z
    .array(z.discriminatedUnion('status', [answered, refusedAnswer, failed]))
    .min(1)
    .max(MAX_PROMPTS),
});

/** Which prompts were asked, as it was chosen. */
export const promptChoice = z.discriminatedUnion('set', [
  z.object({ set: z.literal('v1') }),
  z.object({
    set: z.literal('v2'),
    language: z.enum(promptLanguages),
    kind: z.enum(['product', 'service']),
    local: z.boolean(),
  }),
  z.object({
    set: z.literal('own'),
    language: z.enum(promptLanguages),
    prompts: z.array(z.string().max(MAX_OWN_PROMPT_CHARS)).max(MAX_PROMPTS),
  }),
]);

/** Of the form of the recording of a measurement. Those of version 1 have v1 prompts and count no refusals; they are read for ever. */
export const MEASUREMENT_VERSION = 2;
const FIRST_VERSION = 1;

const recording = z.object({
  version: z.literal([FIRST_VERSION, MEASUREMENT_VERSION]),
  capability: z.enum(['visibility_check', 'visibility_vs_competitor']),
  input: z.object({
    brand: names.brand,
    niche: names.niche,
    competitor_brand: names.competitor_brand.optional(),
    questions: promptChoice.optional(),
  }),
  run: recordedRun,
});

/** What a measurement was made from. Presenting it again gives the same result. */
export type VisibilityRecording = {
  version: typeof FIRST_VERSION | typeof MEASUREMENT_VERSION;
  capability: Extract<CapabilityName, 'visibility_check' | 'visibility_vs_competitor'>;
  /** `questions`: absent for v1. */
  input: { brand: string; niche: string; competitor_brand?: string; questions?: PromptChoice };
  run: CollectedRun;
};

/** The prompts that a recorded run asked. */
export const loadRecordedPrompts = async ({
  input: { niche, questions = { set: 'v1' } },
}: Pick<VisibilityRecording, 'input'>): Promise<readonly Prompt[]> => (await selectPrompts(niche, questions)).prompts;

/** The answers behind a measurement: a run for each engine, and the prompts that all of them asked. */
export type StoredRuns = { prompts: readonly Prompt[]; runs: readonly CollectedRun[] };

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
  const wrongRun = await findRunFault(read, input);
  if (wrongRun !== undefined) return { ok: false, detail: wrongRun };
  const [refused] = (await refuseMeasurement(readBrandNames(input)))?.errors ?? [];
  if (refused) return { ok: false, detail: `${refused.pointer.slice(1)} ${refused.message}` };
  return { ok: true, recording: { ...head, input: readBrandNames(input), run: buildRun(read) } };
}

type ReadRun = z.infer<typeof recordedRun>;

/**
 * What of a run no measurement could have made: other prompts than its choice says, answers out of order, texts that are not
 * what their hash says. Undefined: nothing.
 */
export async function findRunFault(
  { answers, promptSet, niche }: ReadRun,
  input: { niche: string; questions?: PromptChoice | undefined },
): Promise<string | undefined> {
  if (niche !== input.niche) return 'the run is about another niche';
  const { promptSet: asked, prompts } = await selectPrompts(niche, input.questions ?? { set: 'v1' });
  if (promptSet.id !== asked.id || promptSet.sha256 !== asked.sha256)
    return 'the run asked other prompts than this version does';
  if (answers.length !== prompts.length) return `the run has ${answers.length} answers to ${prompts.length} prompts`;
  for (const [at, one] of answers.entries()) {
    if (one.index !== at) return `answer ${at} is out of order`;
    if (one.status !== 'failed' && (await computeSha256Hex(one.text)) !== one.sha256)
      return `answer ${at} is not what its hash says`;
  }
  return undefined;
}

/** The run as it was collected: what is absent in the file is undefined, or absent, as the collector has it. */
export const buildRun = ({ engine, answers, ...rest }: ReadRun): CollectedRun => ({
  runId: rest.runId,
  promptSet: rest.promptSet,
  engine: dropUndefined(engine),
  niche: rest.niche,
  startedAtMs: rest.startedAtMs,
  endedAtMs: rest.endedAtMs,
  answers: answers.map((one) => {
    if (one.status === 'failed') return one;
    if (one.status === 'refused') return { ...one, servedModel: one.servedModel };
    const { sources, ...answer } = one;
    return {
      ...answer,
      servedModel: one.servedModel,
      citations: one.citations,
      ...(sources === undefined ? {} : { sources: sources.map(dropUndefined) }),
    };
  }),
});

/** Without fields for a competitor and questions that are not there. */
const readBrandNames = ({
  brand,
  niche,
  ...more
}: z.infer<typeof recording>['input']): VisibilityRecording['input'] => ({
  brand,
  niche,
  ...dropUndefined(more),
});

function isKeepable(text: string): boolean {
  return isWithinBytes(text, MAX_ANSWER_BYTES);
}

/** SHA-256 (hex) over all transcripts: of one line `<index> <sha256 of the text>\n` each, `-` for a prompt without answer. */
export const computeTranscriptsSha256 = ({ answers }: CollectedRun): Promise<string> =>
  computeSha256Hex(answers.map((one) => `${one.index} ${one.status === 'failed' ? '-' : one.sha256}\n`).join(''));
