import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { refuseMeasurement, versusBody, visibilityBody } from '../../capabilities/bodies.ts';
import { runVisibilityFixes, createVisibilityWork } from '../../capabilities/visibility-work.ts';
import type { WorkOutcome } from '../../capabilities/capability.ts';
import type { VisibilityRecording } from '../../capabilities/visibility-recording.ts';
import { type AnswerEngine, howToConfigure } from '../../models/port.ts';
import { localAnswers } from '../../models/registry-local.ts';
import { measureHere } from '../../visibility/run/measure.ts';
import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { createLocalTools } from './local-run.ts';
import { formatVisibility } from './print-visibility.ts';
import { createProgressBar, formatSafeJson, formatSafeLine } from '../core/terminal.ts';

const CALL_MS = 45_000;
const RUN_MS = 600_000;
const RUN_ID_BYTES = 16;
const MAX_OUTPUT_TOKENS = 1500;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  brand: text,
  niche: text,
  competitor: text,
  engine: text,
  url: text,
  model: text,
  answers: text,
  simulate: text,
  seed: text,
  snapshot: text,
  fixes: flag,
  json: flag,
} as const;

const parseVisibilityArguments = (args: readonly string[]) => parseArguments(args, options, { positionals: false });
type Values = Exclude<ReturnType<typeof parseVisibilityArguments>, string>['values'];

/**
 * `sightline visibility --brand A --niche B [--competitor C]`: measures from this machine, with the prompts, the
 * analysis and the retries of the paid capability, against any engine that speaks the OpenAI chat API. The key of the
 * engine comes from the environment alone: arguments can be read by every process.
 */
export async function runVisibilityCommand(args: readonly string[]): Promise<number> {
  const parsed = parseVisibilityArguments(args);
  if (typeof parsed === 'string') return printUsageError(parsed);
  const { values } = parsed;
  const input = await readInput(values);
  if (typeof input === 'string') return printUsageError(input);
  const engine = createEngine(values);
  if (typeof engine === 'string') return printUsageError(engine);
  const capability = input.competitor_brand === undefined ? 'visibility_check' : 'visibility_vs_competitor';
  const outcome = await measure(capability, input, engine);
  if (!outcome.ok) return printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable);
  return print(capability, input, outcome, values);
}

type Input = { brand: string; niche: string; competitor_brand?: string };

/** The body as the paid route would read it, or what is wrong with it. */
async function readInput({ brand, niche, competitor }: Values): Promise<Input | string> {
  if (brand === undefined || niche === undefined) return 'Name a brand with --brand and its market with --niche.';
  const body = { brand, niche, ...(competitor === undefined ? {} : { competitor_brand: competitor }) };
  const schema: z.ZodType<Input> = competitor === undefined ? visibilityBody : versusBody;
  const read = schema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = String(issue?.path[0] ?? '').replace('competitor_brand', 'competitor');
    return formatSafeLine(`--${field}: ${issue?.message ?? 'invalid'}`);
  }
  const refused = await refuseMeasurement(read.data);
  const [error] = refused?.errors ?? [];
  return error
    ? formatSafeLine(`--${error.pointer.slice(1).replace('competitor_brand', 'competitor')} ${error.message}`)
    : read.data;
}

function createEngine(values: Values): AnswerEngine | string {
  const { env } = process;
  const kind = values.engine ?? env['ANSWER_ENGINE'] ?? 'none';
  const { 'workers-ai': _needsBinding, ...engines } = localAnswers.factories;
  const factory = Object.hasOwn(engines, kind) ? engines[kind as keyof typeof engines] : undefined;
  if (!factory)
    return [
      `--engine takes one of ${Object.keys(engines).join(', ')}.`,
      ...howToConfigure.map((step) => `  ${step}`),
    ].join('\n');
  const url = values.url ?? env['ANSWER_ENGINE_URL'];
  const model = values.model ?? env['ANSWER_ENGINE_MODEL'];
  const key = env['ANSWER_ENGINE_KEY'];
  const recording = kind === 'recorded' ? readRecordingFile(values.answers ?? env['ANSWER_ENGINE_FILE']) : undefined;
  if (typeof recording === 'object') return recording.detail;
  const made = factory(
    { prefix: 'ANSWER_ENGINE', url, model, key, maxOutputTokens: MAX_OUTPUT_TOKENS },
    {
      fetch,
      ai: undefined,
      recording,
      brands: values.simulate ?? env['ANSWER_ENGINE_BRANDS'],
      seed: values.seed ?? env['ANSWER_ENGINE_SEED'],
    },
  );
  return made.ok ? made.engine : formatSafeLine(made.detail);
}

/** The text of the transcript file, where one is named. */
function readRecordingFile(file: string | undefined): string | undefined | { detail: string } {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return { detail: `${formatSafeLine(file)} cannot be read.` };
  }
}

async function measure(
  capability: 'visibility_check' | 'visibility_vs_competitor',
  input: Input,
  engine: AnswerEngine,
): Promise<WorkOutcome> {
  const bar = createProgressBar(process.stderr);
  const tools = await createLocalTools(bar.step);
  try {
    return await createVisibilityWork(capability)(input, {
      ...tools,
      measure: (niche, onProgress) =>
        measureHere(niche, {
          engine,
          runId: randomBytes(RUN_ID_BYTES).toString('hex'),
          runMs: RUN_MS,
          callMs: CALL_MS,
          now: Date.now,
          random: Math.random,
          sleep,
          log: () => {},
          onProgress: ({ done, total, failed }) => onProgress({ done, total, failed, label: `of ${total} prompts` }),
        }),
    });
  } finally {
    bar.end();
  }
}

async function print(
  capability: string,
  input: Input,
  outcome: WorkOutcome & { ok: true },
  values: Values,
): Promise<number> {
  const fixes = values.fixes ? await buildVisibilityFixes(input, outcome.result) : {};
  const result = { capability, ...outcome.result, ...fixes, warnings: outcome.warnings };
  const lines = values.json ? formatSafeJson(result) : formatVisibility(result).join('\n');
  process.stdout.write(`${lines}\n`); // First: a file that cannot be written must not cost the answers.
  return values.snapshot === undefined ? EXIT.done : keep(values.snapshot, outcome.measurement);
}

function keep(file: string, measurement: VisibilityRecording | undefined): number {
  try {
    writeFileSync(file, JSON.stringify(measurement));
    return EXIT.done;
  } catch {
    return printFailure(`${formatSafeLine(file)} cannot be written.`, EXIT.usage);
  }
}

/** The fix pack for the weak spots that were just found. */
async function buildVisibilityFixes(
  { brand, niche }: Input,
  result: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const spots = result['weak_spots'] ?? (result['brands'] as { brand: { weak_spots: unknown } }).brand.weak_spots;
  const made = await runVisibilityFixes({ brand, niche, weak_spots: spots as [] }); // Made by us a moment ago.
  return made.ok ? { fixes: made.result['fixes'] } : {};
}
