import { type PanelChoice, selectEngines } from '../../../src/models/panel.ts';
import type { AnswerEngine } from '../../../src/models/port.ts';
import type { EngineChoice } from '../../../src/models/registry.ts';
import type { AppOptions } from '../context.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { type Env, readSettings } from './env.ts';

const chosen = new WeakMap<ApiWorkerSettings, { engines: AppOptions['engines']; choice: PanelChoice }>();

/** All answer engines of the settings (`ANSWER_ENGINES`, or else the one of `ANSWER_ENGINE`), or what is missing, made once per isolate. */
export function getAnswerEngines(env: Env, { engines }: Pick<AppOptions, 'engines'>): PanelChoice {
  const settings = readSettings(env);
  const known = chosen.get(settings);
  if (known?.engines === engines) return known.choice;
  const choice = selectEngines(settings, engines, {
    fetch: (input, init) => fetch(input, init),
    ai: env.AI,
    recording: getNonEmptyText(env['ANSWER_ENGINE_RECORDING']),
    brands: getNonEmptyText(env['ANSWER_ENGINE_BRANDS']),
    seed: getNonEmptyText(env['ANSWER_ENGINE_SEED']),
    readSecret: (name) => getNonEmptyText(env[name]),
  });
  chosen.set(settings, { engines, choice });
  return choice;
}

/** The answer engine of a measurement by one: the first of all. */
export function getAnswerEngine(env: Env, options: Pick<AppOptions, 'engines'>): EngineChoice<AnswerEngine> {
  const choice = getAnswerEngines(env, options);
  if (!choice.ok) return choice;
  const [engine] = choice.engines;
  return engine === undefined ? { ok: false, detail: 'ANSWER_ENGINE is none' } : { ok: true, engine };
}

const getNonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
