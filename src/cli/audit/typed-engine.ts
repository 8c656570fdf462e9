import { readFileSync } from 'node:fs';
import { dropUndefined } from '../../lib/json.ts';
import { findRowMisfits } from '../../models/engine-rows.ts';
import { engineTraits } from '../../models/kinds-data.ts';
import type { PanelEngine } from '../../models/panel.ts';
import type { AnswerEngine } from '../../models/port.ts';
import { localAnswers } from '../../models/registry-local.ts';
import type { EngineSettings } from '../config/engine-settings.ts';
import type { ConfiguredEngine } from '../config/schema.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';

const MAX_OUTPUT_TOKENS = 1500;

/** The settings of an engine that have an option. The key has none: arguments can be read by every process. */
const OPTIONS = {
  ANSWER_ENGINE_URL: 'url',
  ANSWER_ENGINE_MODEL: 'model',
  ANSWER_ENGINE_FILE: 'answers',
  ANSWER_ENGINE_BRANDS: 'simulate',
  ANSWER_ENGINE_SEED: 'seed',
  ANSWER_ENGINE: 'engine',
} as const;

export type TypedValues = Readonly<Partial<Record<(typeof OPTIONS)[keyof typeof OPTIONS], string | undefined>>>;

const HOW_TO_NAME: readonly string[] = [
  '--engine openai, anthropic, google or perplexity asks that vendor, which searches the web: name its model with --model, and set ANSWER_ENGINE_KEY.',
  '--engine openai-compatible asks any API that speaks OpenAI chat completions: name it with --url, such as http://127.0.0.1:11434/v1, and its model with --model.',
  'If it wants a key, set ANSWER_ENGINE_KEY.',
  '--engine recorded reads answers from a file (--answers); --engine simulated makes them up, for a trial.',
];

/** An engine that is asked, with what a configuration says of it. */
export type AskedEngine = AnswerEngine & Partial<Pick<PanelEngine, 'name' | 'usdPerRun' | 'webSearch' | 'country'>>;

/** The engine that options, environment or configuration name, or what is missing. */
export function createTypedEngine(
  { kind, url, model, key, row }: EngineSettings,
  values: TypedValues,
): AskedEngine | CommandFailure {
  const { env } = process;
  const { 'workers-ai': _needsBinding, ...engines } = localAnswers.factories;
  const factory = Object.hasOwn(engines, kind) ? engines[kind as keyof typeof engines] : undefined;
  if (!factory)
    return {
      ...refuseUsage(`Name the answer engine: --engine takes one of ${Object.keys(engines).join(', ')}.`),
      detail: HOW_TO_NAME,
    };
  const recording = kind === 'recorded' ? readAnswersFile(values) : undefined;
  if (typeof recording === 'object') return recording;
  const said = describeRow(kind, row);
  if (isFailure(said)) return said;
  const { webSearch, country } = said;
  const made = factory(
    { prefix: 'ANSWER_ENGINE', url, model, key, maxOutputTokens: MAX_OUTPUT_TOKENS, webSearch, country },
    { ...collectEngineTools(values), recording },
  );
  return made.ok
    ? { ...made.engine, ...said }
    : refuseUsage(formatSafeLine(replaceSettingNames(made.detail, values, env)));
}

type RowFacts = Pick<AskedEngine, 'name' | 'usdPerRun' | 'webSearch' | 'country'>;

/** What a run says of its engine beside its model; or what the configuration says that its kind cannot do. */
function describeRow(kind: string, row: ConfiguredEngine | undefined): RowFacts | CommandFailure {
  const { name, web_search: search, country, usd_per_run: usdPerRun } = row ?? {};
  const misfit = findRowMisfits({ kind, web_search: search, country }).find((one) =>
    /^(?:web_search|country):/.test(one),
  );
  if (misfit !== undefined)
    return refuseUsage(formatSafeLine(`The engine ${name ?? kind} of the configuration, ${misfit}.`));
  const isUsual =
    Object.hasOwn(engineTraits, kind) && engineTraits[kind as keyof typeof engineTraits].search === 'asked';
  return dropUndefined({ name, usdPerRun, country, webSearch: search ?? (isUsual ? true : undefined) });
}

type EngineMeans = { fetch: typeof fetch; ai: undefined; brands?: string; seed?: string };

/** What engines are made of on this machine; the simulated one invents its answers by the last two. */
export const collectEngineTools = (values: TypedValues): EngineMeans => ({
  fetch,
  ai: undefined,
  ...dropUndefined({
    brands: values.simulate ?? process.env['ANSWER_ENGINE_BRANDS'],
    seed: values.seed ?? process.env['ANSWER_ENGINE_SEED'],
  }),
});

/** The text of the file of recorded answers, where one is named. */
export function readAnswersFile(values: TypedValues): string | undefined | CommandFailure {
  const file = values.answers ?? process.env['ANSWER_ENGINE_FILE'];
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return refuseCommand(
      'file_unusable',
      `${file} cannot be read.`,
      EXIT.usage,
      'Name a file of answers with --answers.',
    );
  }
}

/**
 * A message about an engine in the words of who typed the command: `--url` instead of ANSWER_ENGINE_URL. What came from
 * the environment keeps its name.
 */
export function replaceSettingNames(
  message: string,
  values: TypedValues,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return message.replaceAll(/\bANSWER_ENGINE(?:_(?:URL|MODEL|FILE|BRANDS|SEED))?\b/g, (name) => {
    const option = OPTIONS[name as keyof typeof OPTIONS];
    return values[option] === undefined && env[name] !== undefined ? name : `--${option}`;
  });
}
