import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { refuseMeasurement, versusBody, visibilityBody } from '../../capabilities/bodies.ts';
import { loadAskedPrompts, type QuestionFields, requirePromptChoice } from '../../capabilities/visibility-questions.ts';
import { createVisibilityWork } from '../../capabilities/visibility-work.ts';
import type { WorkOutcome } from '../../capabilities/capability.ts';
import {
  loadRecordedPrompts,
  type StoredRuns,
  isVisibilityRecording,
} from '../../capabilities/visibility-recording.ts';
import type { AnyRecording } from '../../capabilities/recording.ts';
import { engineFailureWords } from '../../models/failure-words-data.ts';
import { type AnswerEngine, isDemonstration } from '../../models/port.ts';
import { measureHere } from '../../visibility/run/measure.ts';
import { askFirstPrompt } from '../../visibility/run/preflight.ts';
import type { Prompt } from '../../visibility/run/prompts.ts';
import { readMeasuredBrand } from '../../visibility/trend/measured-run.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type EngineSettings, selectEngineSettings } from '../config/engine-settings.ts';
import { readConfig } from '../config/read-config.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { listNamedFiles, refuseReplacing, refuseUnwritable, refuseUnwritableFile } from '../core/output.ts';
import { createProgressBar, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import {
  type BaselineChange,
  compareWithBaseline,
  formatBaselineChange,
  judgeBaselineChange,
  readMeasuredBaseline,
} from '../history/baseline.ts';
import { type MeasuredFile, readMeasuredRates } from '../history/measured-file.ts';
import { buildMeasuredFixes, type FixFilling, readFixFilling } from './fix-filling.ts';
import { createLocalTools } from './local-run.ts';
import { refuseOutput } from './output-check.ts';
import { printMeasurement, refuseAnswerOptions } from './print-measurement.ts';
import { createTypedEngine, replaceSettingNames } from './typed-engine.ts';

const CALL_MS = 45_000;
const RUN_MS = 600_000;
const RUN_ID_BYTES = 16;

type Values = GivenWords<CommandTable['visibility']['options']>['values'];

/**
 * `sightline visibility --brand A --niche B [--competitor C]`: measures from this machine, with the prompts, the
 * analysis and the retries of the paid capability, against any engine that speaks the OpenAI chat API. The key of the
 * engine comes from the environment alone: arguments can be read by every process.
 */
export async function runVisibilityCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('visibility', args);
  if (isFailure(given)) return given;
  const { values } = given;
  const settings = selectEngineSettings(values, readConfig(values, process.cwd()), process.env);
  if (isFailure(settings)) return settings;
  const input = await readInput(values);
  if (typeof input === 'string') return refuseUsage(input);
  const capability = input.competitor_brand === undefined ? 'visibility_check' : 'visibility_vs_competitor';
  // Before an engine is asked, which may cost money.
  const filling = readFixFilling(values);
  if (isFailure(filling)) return filling;
  const { snapshot, baseline: named } = values;
  const refused =
    refuseAnswerOptions(values) ??
    refuseReplacedAnswers(values) ??
    (await refuseOutput(capability, values)) ??
    (snapshot === undefined ? undefined : refuseUnwritableFile(snapshot));
  if (refused !== undefined) return refused;
  const configured = createTypedEngine(settings, values);
  if (isFailure(configured)) return configured;
  const { prompts, promptSet } = await loadAskedPrompts(
    input.niche,
    await requirePromptChoice(input, listBrands(input)),
  );
  const baseline =
    named === undefined ? undefined : await readMeasuredBaseline(named, { ...input, promptSet, engines: [configured] });
  if (isFailure(baseline)) return baseline;
  const engine = await checkEngine(configured, prompts, settings);
  if (isFailure(engine)) return engine;
  const outcome = await measure(capability, input, engine, values);
  if (!outcome.ok)
    return refuseCommand(
      outcome.reason,
      `The measurement is not complete: ${replaceSettingNames(outcome.detail, given.values, process.env)}`,
      EXIT.unreachable,
      ENGINE_HINT,
    );
  return print({ capability, input, outcome, baseline, filling }, values);
}

const ENGINE_HINT = 'Check the address, the model and ANSWER_ENGINE_KEY of the engine, then run it again.';

/** The engine, once it has answered the first prompt: 30 prompts and their retries would take most of a minute to fail. */
async function checkEngine(
  engine: AnswerEngine,
  prompts: readonly Prompt[],
  { url }: EngineSettings,
): Promise<AnswerEngine | CommandFailure> {
  if (isDemonstration(engine)) return engine;
  const checked = await askFirstPrompt(engine, prompts, { callMs: CALL_MS, sleep });
  if (checked.ok) return checked.engine;
  const { reason, detail } = checked.failure;
  const where = url !== undefined && URL.canParse(url) ? ` at ${new URL(url).origin}` : '';
  return refuseCommand(
    'measurement_incomplete',
    `The engine${where} did not answer the first prompt: ${engineFailureWords[reason].what} (${reason}: ${detail}). The other ${prompts.length - 1} were not asked.`,
    EXIT.unreachable,
    ENGINE_HINT,
  );
}

type Input = { brand: string; niche: string; competitor_brand?: string } & QuestionFields;

const listBrands = ({ brand, competitor_brand }: Input): readonly string[] =>
  competitor_brand === undefined ? [brand] : [brand, competitor_brand];

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

async function measure(
  capability: 'visibility_check' | 'visibility_vs_competitor',
  input: Input,
  engine: AnswerEngine,
  { quiet }: Values,
): Promise<WorkOutcome> {
  const bar = createProgressBar(quiet === true ? { write: () => true } : process.stderr);
  const tools = await createLocalTools(bar.step);
  try {
    return await createVisibilityWork(capability)(input, {
      ...tools,
      measure: async (asked, onProgress) => [
        await measureHere(asked, {
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
      ],
    });
  } finally {
    bar.end();
  }
}

type Printed = {
  capability: string;
  input: Input;
  outcome: WorkOutcome & { ok: true };
  baseline: MeasuredFile | undefined;
  filling: FixFilling;
};

async function print({ capability, input, outcome, baseline, filling }: Printed, values: Values): Promise<CommandEnd> {
  const { measurement } = outcome;
  const fixes =
    values.fixes === true
      ? await buildMeasuredFixes(input, outcome.result, filling, await createLocalTools())
      : undefined;
  const runs =
    measurement && isVisibilityRecording(measurement)
      ? { prompts: await loadRecordedPrompts(measurement), runs: [measurement.run] }
      : undefined;
  const change = baseline && runs && compareNow(baseline, input, { result: outcome.result, runs });
  const compared = change === undefined || isFailure(change) ? {} : { change };
  const warnings = [...outcome.warnings, ...(fixes?.warnings ?? [])];
  const result = { capability, ...outcome.result, ...fixes?.members, ...compared, warnings };
  const below = change === undefined || isFailure(change) ? [] : formatBaselineChange(change);
  // First: a file that cannot be written must not cost the answers.
  const printed = await printMeasurement(result, values, { runs, below });
  if (isFailure(printed)) return printed;
  const saved = values.snapshot === undefined ? printed : keep(values.snapshot, measurement);
  if (isFailure(saved) || change === undefined) return saved;
  return isFailure(change) ? change : (judgeBaselineChange(change) ?? saved);
}

function compareNow(
  baseline: MeasuredFile,
  { brand, niche, competitor_brand: competitor }: Input,
  { result, runs }: { result: Record<string, unknown>; runs: StoredRuns },
): BaselineChange | CommandFailure | undefined {
  const others = competitor === undefined ? [] : [competitor];
  const now = readMeasuredBrand({ brand, niche, others }, runs);
  const figures = readMeasuredRates(result);
  return now && figures && compareWithBaseline(baseline, now, figures);
}

/** The file of answers that no option names; those of options are seen where options are read. */
const refuseReplacedAnswers = ({ output, snapshot }: Values): CommandFailure | undefined =>
  refuseReplacing({
    read: listNamedFiles({ ANSWER_ENGINE_FILE: process.env['ANSWER_ENGINE_FILE'] }),
    written: listNamedFiles({ '--output': output, '--snapshot': snapshot }),
  });

function keep(file: string, measurement: AnyRecording | undefined): CommandEnd {
  try {
    writeFileSync(file, JSON.stringify(measurement));
    return EXIT.done;
  } catch (error) {
    return refuseUnwritable(file, error);
  }
}
