import * as z from 'zod';
import { computePageKey } from './page-key.ts';

/** Answers, and addresses of one answer, that are read of a measurement. */
const MAX_ANSWERS = 1_000;
const MAX_CITED = 200;
/** Engines of one measurement. */
const MAX_RUNS = 16;

/** What is compared of a measurement of our own: one brand, some prompts, and which pages the answers give as sources. */
export type OwnMeasurement = {
  brand: string;
  /** As results name them, such as `openai-compatible (gpt-5)`. */
  engines: readonly string[];
  /** Answers that count. */
  answers: number;
  /** Null where the file is of the answers alone. */
  mention_rate: { value: number; low: number; high: number; n: number } | null;
  prompts: readonly string[];
  /** The pages of each answer, normalised, each once. Null: the engine gives no sources, or the file has no addresses. */
  cited: readonly (readonly string[])[] | null;
};

const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.int().min(0) });
const engine = z.object({ kind: z.string(), model: z.string() });
const askedPrompt = z.object({ prompt: z.string(), status: z.string() });

/** The part of a result that is read. A result of a panel has `engines`, one of a single engine `engine`. */
const result = z.object({
  brand: z.string(),
  engine: engine.optional(),
  mention_rate: rate.optional(),
  brands: z.object({ brand: z.object({ mention_rate: rate }) }).optional(),
  prompts: z.object({ valid: z.int().min(0), asked: z.array(askedPrompt).max(MAX_ANSWERS) }),
});

const source = z.object({ url: z.string() });
const answered = z.object({
  status: z.string(),
  citations: z.array(z.string()).optional(),
  sources: z.array(source).optional(),
});

const run = z.object({ engine, answers: z.array(answered).max(MAX_ANSWERS) });

/** The answers of a measurement, as `visibility --snapshot` saves them and as the service keeps them: of one engine, or of several. */
const recording = z
  .object({ input: z.object({ brand: z.string() }), run: run.optional(), runs: z.array(run).max(MAX_RUNS).optional() })
  .transform(({ input, run: one, runs = [] }) => ({ input, runs: one === undefined ? runs : [one, ...runs] }))
  .refine(({ runs }) => runs.length > 0);

/**
 * Reads a measurement from its result, from the recording of its answers, or from both: a result alone has no addresses.
 * Undefined where neither is one.
 */
export function readOwnMeasurement(...parts: readonly unknown[]): OwnMeasurement | undefined {
  const read = parts.map((part) => result.safeParse(part)).find(({ success }) => success)?.data;
  const kept = parts.map((part) => recording.safeParse(part)).find(({ success }) => success)?.data;
  const brand = read?.brand ?? kept?.input.brand;
  if (brand === undefined) return undefined;
  const real = kept?.runs.flatMap(({ answers }) => answers).filter(({ status }) => status === 'answered');
  const asked = kept?.runs.map((one) => one.engine) ?? (read?.engine === undefined ? [] : [read.engine]);
  const engines = asked.map(({ kind, model }) => `${kind} (${model})`);
  return {
    brand,
    engines,
    answers: read?.prompts.valid ?? real?.length ?? 0,
    mention_rate: read?.mention_rate ?? read?.brands?.brand.mention_rate ?? null,
    prompts: read?.prompts.asked.map(({ prompt }) => prompt) ?? [],
    cited: real === undefined ? null : listCited(real),
  };
}

function listCited(answers: readonly z.infer<typeof answered>[]): OwnMeasurement['cited'] {
  const given = answers.map(({ citations, sources }) => sources?.map(({ url }) => url) ?? citations);
  if (given.every((urls) => urls === undefined)) return null;
  return given.map((urls) => [
    ...new Set((urls ?? []).slice(0, MAX_CITED).flatMap((url) => computePageKey(url) ?? [])),
  ]);
}
