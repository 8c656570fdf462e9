import * as z from 'zod';
import { dropUndefined } from '../../lib/json.ts';
import { sum } from '../../lib/numbers.ts';
import { readCitedAnswers } from '../citations/cited-answers.ts';
import { formatPageKey } from './page-key.ts';

/** Answers, and engines of one measurement, that are read. */
const MAX_ANSWERS = 1_000;
const MAX_RUNS = 16;
/** Redirects of vendors whose pages are known. */
const MAX_RESOLUTIONS = 24_000;

/** What is compared of a measurement of our own: one brand, some prompts, and which pages the answers give as sources. */
export type OwnMeasurement = {
  brand: string;
  /** As results name them, such as `openai-compatible (gpt-5)`. */
  engines: readonly string[];
  /** Answers that count. */
  answers: number;
  /** Null where the file is of the answers alone. */
  mention_rate: { value: number; low: number; high: number; n: number } | null;
  /** Null where the file is of the answers alone: they do not say what was asked. */
  prompts: readonly string[] | null;
  /**
   * The pages of each answer whose sources are all known, each once, by their keys. Null: the engine gives no sources, or the
   * file has no addresses.
   */
  cited: readonly (readonly string[])[] | null;
  /** Answers that are not in `cited`, because a vendor's redirect hides which page one of their sources is. */
  hidden: number;
};

const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.int().min(0) });
const engine = z.object({ kind: z.string(), model: z.string() });
const valid = z.int().min(0);
const asked = z.array(z.object({ prompt: z.string() })).max(MAX_ANSWERS);

/** The part of a result of one engine that is read. */
const singleResult = z
  .object({
    brand: z.string(),
    engine,
    mention_rate: rate.optional(),
    brands: z.object({ brand: z.object({ mention_rate: rate }) }).optional(),
    prompts: z.object({ valid, asked }),
  })
  .transform(({ brand, engine: one, prompts, mention_rate: own, brands }) => ({
    brand,
    engines: [one],
    answers: prompts.valid,
    mention_rate: own ?? brands?.brand.mention_rate ?? null,
    prompts: prompts.asked.map(({ prompt }) => prompt),
  }));

/** The part of a result of a panel that is read. */
const panelResult = z
  .object({
    brand: z.string(),
    engines: z.array(engine.extend({ valid, status: z.string() })).max(MAX_RUNS),
    pooled: z.object({ mention_rate: rate }),
    prompts: z.object({ asked }),
  })
  .transform(({ brand, engines, pooled, prompts }) => {
    const measured = engines.filter(({ status }) => status === 'measured');
    return {
      brand,
      engines: measured,
      answers: sum(measured.map((one) => one.valid)),
      mention_rate: pooled.mention_rate,
      prompts: prompts.asked.map(({ prompt }) => prompt),
    };
  });

const result = z.union([singleResult, panelResult]);

const answered = z.object({
  index: z.int().min(0),
  status: z.string(),
  citations: z.array(z.string()).optional(),
  sources: z.array(z.object({ url: z.string(), title: z.string().optional() })).optional(),
});
const run = z.object({ engine, answers: z.array(answered).max(MAX_ANSWERS) });
const resolution = z.union([
  z.object({ url: z.string(), target: z.string() }),
  z.object({ url: z.string(), reason: z.string() }),
]);

/** The answers of a measurement, as `visibility --snapshot` saves them and as the service keeps them: of one engine, or of several. */
const recording = z
  .object({
    input: z.object({ brand: z.string() }),
    run: run.optional(),
    runs: z.array(run).max(MAX_RUNS).optional(),
    citations: z.object({ resolutions: z.array(resolution).max(MAX_RESOLUTIONS) }).optional(),
  })
  .transform(({ input, run: one, runs = [], citations }) => ({
    brand: input.brand,
    runs: one === undefined ? runs : [one, ...runs],
    // Words of ours, as they were stored: why one is not known makes no difference here.
    targets: (citations?.resolutions ?? []).filter((known) => 'target' in known),
  }))
  .refine(({ runs }) => runs.length > 0);

/**
 * Reads a measurement from its result, from the recording of its answers, or from both: a result alone has no addresses.
 * Undefined where neither is one.
 */
export function readOwnMeasurement(...parts: readonly unknown[]): OwnMeasurement | undefined {
  const read = parts.map((part) => result.safeParse(part)).find(({ success }) => success)?.data;
  const kept = parts.map((part) => recording.safeParse(part)).find(({ success }) => success)?.data;
  const brand = read?.brand ?? kept?.brand;
  if (brand === undefined) return undefined;
  const engines = kept?.runs.map((one) => one.engine) ?? read?.engines ?? [];
  const real = kept?.runs.flatMap(({ answers }) => answers).filter(({ status }) => status === 'answered');
  return {
    brand,
    engines: engines.map(({ kind, model }) => `${kind} (${model})`),
    answers: read?.answers ?? real?.length ?? 0,
    mention_rate: read?.mention_rate ?? null,
    prompts: read?.prompts ?? null,
    ...(kept === undefined || real === undefined ? { cited: null, hidden: 0 } : listCited(real, kept.targets)),
  };
}

function listCited(
  answers: readonly z.infer<typeof answered>[],
  targets: z.infer<typeof recording>['targets'],
): Pick<OwnMeasurement, 'cited' | 'hidden'> {
  const { answers: read } = readCitedAnswers(
    answers.map(({ index, citations, sources }) => ({
      index,
      text: '',
      citations,
      sources: sources?.map(dropUndefined),
    })),
    targets,
  );
  if (read.length === 0) return { cited: null, hidden: 0 };
  const known = read.filter(({ cites, unknown }) => unknown === 0 && cites.every(({ page }) => page !== undefined));
  return {
    cited: known.map(({ cites }) => cites.map(({ key }) => formatPageKey(key))),
    hidden: read.length - known.length,
  };
}
