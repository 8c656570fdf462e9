import { readFileSync } from 'node:fs';
import type { AnswerEngine } from '../../models/port.ts';
import { localAnswers } from '../../models/registry-local.ts';
import type { EngineSettings } from '../config/engine-settings.ts';
import { type CommandFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
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

type TypedValues = Readonly<Partial<Record<(typeof OPTIONS)[keyof typeof OPTIONS], string | undefined>>>;

const HOW_TO_NAME: readonly string[] = [
  '--engine openai, anthropic, google or perplexity asks that vendor, which searches the web: name its model with --model, and set ANSWER_ENGINE_KEY.',
  '--engine openai-compatible asks any API that speaks OpenAI chat completions: name it with --url, such as http://127.0.0.1:11434/v1, and its model with --model.',
  'If it wants a key, set ANSWER_ENGINE_KEY.',
  '--engine recorded reads answers from a file (--answers); --engine simulated makes them up, for a trial.',
];

/** The engine that options, environment or configuration name, or what is missing. */
export function createTypedEngine(
  { kind, url, model, key }: EngineSettings,
  values: TypedValues,
): AnswerEngine | CommandFailure {
  const { env } = process;
  const { 'workers-ai': _needsBinding, ...engines } = localAnswers.factories;
  const factory = Object.hasOwn(engines, kind) ? engines[kind as keyof typeof engines] : undefined;
  if (!factory)
    return {
      ...refuseUsage(`Name the answer engine: --engine takes one of ${Object.keys(engines).join(', ')}.`),
      detail: HOW_TO_NAME,
    };
  const recording = kind === 'recorded' ? readRecordingFile(values.answers ?? env['ANSWER_ENGINE_FILE']) : undefined;
  if (typeof recording === 'object') return recording;
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
  return made.ok ? made.engine : refuseUsage(formatSafeLine(replaceSettingNames(made.detail, values, env)));
}

/** The text of the transcript file, where one is named. */
function readRecordingFile(file: string | undefined): string | undefined | CommandFailure {
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
