import { type PanelChoice, selectEngines } from '../../../src/models/panel.ts';
import type { AnswerEngine } from '../../../src/models/port.ts';
import type { AskModels, EngineChoice } from '../../../src/models/registry.ts';
import type { AppOptions } from '../context.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { classifyRemotely } from '../../../src/visibility/remote/remote-engines.ts';
import type { ClassifyAnswer } from '../../../src/visibility/run/consume.ts';
import { type Env, readSettings } from './env.ts';

/** Judging a text takes a few milliseconds: this is for a Worker that hangs. */
const CLASSIFY_MS = 10_000;

const chosen = new WeakMap<ApiWorkerSettings, { engines: AppOptions['engines']; choice: PanelChoice }>();

/** All answer engines of the settings (`ANSWER_ENGINES`, or else the one of `ANSWER_ENGINE`), or what is missing, made once per isolate. */
export function getAnswerEngines(env: Env, { engines }: Pick<AppOptions, 'engines'>): PanelChoice {
  const settings = readSettings(env);
  const known = chosen.get(settings);
  if (known?.engines === engines) return known.choice;
  const choice = selectEngines(settings, engines, {
    fetch: (input, init) => fetch(input, init),
    ai: env.AI,
    askModels: readModels(env),
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

/** The Worker of models as the engines ask it; undefined where it is not bound. The address is never looked up. */
function readModels({ MODELS }: Env): AskModels | undefined {
  return MODELS && ((body, signal) => MODELS.fetch('https://models.internal/', { method: 'POST', body, signal }));
}

/** Says whether a text is an answer: here, or by the Worker of models. */
export function getClassifier(env: Env, { classify }: Pick<AppOptions, 'classify'>): ClassifyAnswer {
  if (classify) return classify;
  return (text, about) => {
    const askModels = readModels(env);
    if (askModels === undefined) throw new Error('the binding MODELS is not declared in this deployment');
    return classifyRemotely(askModels, text, about, AbortSignal.timeout(CLASSIFY_MS));
  };
}

const getNonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
