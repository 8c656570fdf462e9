import type { EngineChoice } from '../../../src/sales/seller.ts';
import { isPublicHttps } from '../../../src/models/answer/api-settings.ts';
import type { EngineFactory } from '../../../src/models/answer/registry.ts';
import type { AppOptions } from '../context.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import { type Env, readSettings } from './env.ts';

const chosen = new WeakMap<ApiWorkerSettings, { engines: AppOptions['engines']; choice: EngineChoice }>();

/**
 * The answer engine that `ANSWER_ENGINE` names, made once per isolate. Which names there are is up to the entry: no
 * variable can choose an engine that its bundle does not hold.
 */
export function getAnswerEngine(env: Env, { engines, local }: Pick<AppOptions, 'engines' | 'local'>): EngineChoice {
  const settings = readSettings(env);
  const known = chosen.get(settings);
  if (known?.engines === engines) return known.choice;
  const choice = choose(env, settings, engines, local);
  chosen.set(settings, { engines, choice });
  return choice;
}

function choose(env: Env, settings: ApiWorkerSettings, engines: AppOptions['engines'], local: boolean): EngineChoice {
  const { ANSWER_ENGINE: kind = 'none', ANSWER_ENGINE_URL: url } = settings;
  if (kind === 'none') return { ok: false, detail: 'ANSWER_ENGINE is none' };
  const factory: EngineFactory | undefined = Object.hasOwn(engines, kind) ? engines[kind] : undefined;
  if (!factory) return { ok: false, detail: `ANSWER_ENGINE is none of: none, ${Object.keys(engines).join(', ')}` };
  if (url !== undefined && !local && !isPublicHttps(url)) {
    return { ok: false, detail: 'ANSWER_ENGINE_URL must be https and public' };
  }
  return factory(
    {
      kind,
      ...(url === undefined ? {} : { url }),
      ...(settings.ANSWER_ENGINE_MODEL === undefined ? {} : { model: settings.ANSWER_ENGINE_MODEL }),
      ...(settings.ANSWER_ENGINE_KEY === undefined ? {} : { key: settings.ANSWER_ENGINE_KEY }),
      maxOutputTokens: settings.ANSWER_ENGINE_MAX_TOKENS,
    },
    {
      fetch: (input, init) => fetch(input, init),
      ai: env.AI,
      recording: getNonEmptyText(env['ANSWER_ENGINE_RECORDING']),
      brands: getNonEmptyText(env['ANSWER_ENGINE_BRANDS']),
      seed: getNonEmptyText(env['ANSWER_ENGINE_SEED']),
    },
  );
}

const getNonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
