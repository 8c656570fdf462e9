import type { PanelEngine } from '../../../src/models/panel.ts';
import type { AnswerEngine } from '../../../src/models/port.ts';
import { type EngineChoice, selectEngine } from '../../../src/models/registry.ts';
import type { AppOptions } from '../context.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { type Env, readSettings } from './env.ts';

type AnswerChoice = EngineChoice<AnswerEngine>;

const chosen = new WeakMap<ApiWorkerSettings, { engines: AppOptions['engines']; choice: AnswerChoice }>();

/** The answer engine that `ANSWER_ENGINE` names, or what is missing for one, made once per isolate. */
export function getAnswerEngine(env: Env, { engines }: Pick<AppOptions, 'engines'>): AnswerChoice {
  const settings = readSettings(env);
  const known = chosen.get(settings);
  if (known?.engines === engines) return known.choice;
  const choice = selectEngine(
    settings.ANSWER_ENGINE,
    {
      prefix: 'ANSWER_ENGINE',
      url: settings.ANSWER_ENGINE_URL,
      model: settings.ANSWER_ENGINE_MODEL,
      key: settings.ANSWER_ENGINE_KEY,
      maxOutputTokens: settings.ANSWER_ENGINE_MAX_TOKENS,
    },
    engines,
    {
      fetch: (input, init) => fetch(input, init),
      ai: env.AI,
      recording: getNonEmptyText(env['ANSWER_ENGINE_RECORDING']),
      brands: getNonEmptyText(env['ANSWER_ENGINE_BRANDS']),
      seed: getNonEmptyText(env['ANSWER_ENGINE_SEED']),
    },
  );
  chosen.set(settings, { engines, choice });
  return choice;
}

const getNonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** All engines of this deployment, in the order of its settings. */
export function getAnswerEngines(
  env: Env,
  options: Pick<AppOptions, 'engines'>,
): { ok: true; engines: readonly PanelEngine[] } | { ok: false; detail: string } {
  const choice = getAnswerEngine(env, options);
  if (!choice.ok) return choice;
  const { ANSWER_ENGINE_USD_PER_RUN: usdPerRun } = readSettings(env);
  return { ok: true, engines: [{ ...choice.engine, name: choice.engine.kind, usdPerRun, webSearch: false }] };
}
