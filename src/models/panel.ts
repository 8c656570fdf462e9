import { type EngineRow, parseEngineRows } from './engine-rows.ts';
import { engineTraits } from './kinds-data.ts';
import type { AnswerEngine } from './port.ts';
import { type EngineChoice, type Engines, type EngineTools, selectEngine } from './registry.ts';

/**
 * An engine of a panel: its name there, what 30 answers cost, whether it searches the web, and the country (ISO 3166-1
 * alpha-2) that it is asked from where it takes one.
 */
export type PanelEngine = AnswerEngine & { name: string; usdPerRun: number; webSearch: boolean; country?: string };

/** The variables that say which engines measure. `ANSWER_ENGINES` wins; without it the others are a panel of one. */
export type PanelSettings = {
  ANSWER_ENGINES?: string | undefined;
  ANSWER_ENGINE?: string | undefined;
  ANSWER_ENGINE_URL?: string | undefined;
  ANSWER_ENGINE_MODEL?: string | undefined;
  ANSWER_ENGINE_KEY?: string | undefined;
  ANSWER_ENGINE_MAX_TOKENS: number;
  ANSWER_ENGINE_USD_PER_RUN: number;
};

/** `readSecret` gives the secret variable of a name; undefined where it is not set. */
export type PanelTools = EngineTools & { readSecret: (name: string) => string | undefined };

export type PanelChoice = { ok: true; engines: readonly PanelEngine[] } | { ok: false; detail: string };

/** All engines of the settings, at least one, in their order; or what is wrong with the first that cannot be made, in our words. */
export function selectEngines(
  settings: PanelSettings,
  registry: Engines<AnswerEngine>,
  tools: PanelTools,
): PanelChoice {
  if (settings.ANSWER_ENGINES === undefined) return selectOnly(settings, registry, tools);
  const read = parseEngineRows(settings.ANSWER_ENGINES);
  if (!read.ok) return read;
  const engines: PanelEngine[] = [];
  for (const [at, row] of read.rows.entries()) {
    const made = makeRowEngine(row, `ANSWER_ENGINES: row ${at + 1}`, registry, tools);
    if (!made.ok) return made;
    engines.push(made.engine);
  }
  return { ok: true, engines };
}

/** What a run of each of these engines costs together, in USD. */
export const computePanelUsd = (engines: readonly Pick<PanelEngine, 'usdPerRun'>[]): number =>
  engines.reduce((sum, { usdPerRun }) => sum + usdPerRun, 0);

function selectOnly(settings: PanelSettings, registry: Engines<AnswerEngine>, tools: PanelTools): PanelChoice {
  const webSearch = isSearchUsual(settings.ANSWER_ENGINE);
  const made = selectEngine(
    settings.ANSWER_ENGINE,
    {
      prefix: 'ANSWER_ENGINE',
      url: settings.ANSWER_ENGINE_URL,
      model: settings.ANSWER_ENGINE_MODEL,
      key: settings.ANSWER_ENGINE_KEY,
      maxOutputTokens: settings.ANSWER_ENGINE_MAX_TOKENS,
      webSearch,
    },
    registry,
    tools,
  );
  if (!made.ok) return made;
  const { engine } = made;
  return {
    ok: true,
    engines: [{ ...engine, name: engine.kind, usdPerRun: settings.ANSWER_ENGINE_USD_PER_RUN, webSearch }],
  };
}

/** The engine of a row; `place` says where the row is, for messages. */
export function makeRowEngine(
  row: EngineRow,
  place: string,
  registry: Engines<AnswerEngine>,
  tools: PanelTools,
): EngineChoice<PanelEngine> {
  const { name, kind, key_secret: secret, country, web_search: webSearch = isSearchUsual(kind) } = row;
  const key = secret === undefined ? undefined : tools.readSecret(secret);
  if (secret !== undefined && key === undefined)
    return { ok: false, detail: `${place}, key_secret: the secret ${secret} is not set` };
  const made = selectEngine(
    kind,
    {
      prefix: 'ANSWER_ENGINE',
      place,
      url: row.url,
      model: row.model,
      key,
      maxOutputTokens: row.max_tokens,
      webSearch,
      country,
    },
    registry,
    // Two rows of one kind that invents its answers would say the same.
    { ...tools, seed: `${tools.seed ?? 'sightline'} ${name}` },
  );
  if (!made.ok) return made;
  const { usd_per_run: usdPerRun } = row;
  return {
    ok: true,
    engine: { ...made.engine, name, usdPerRun, webSearch, ...(country === undefined ? {} : { country }) },
  };
}

/** Whether an engine searches where its settings do not say. */
function isSearchUsual(kind: string | undefined): boolean {
  if (kind === undefined || !Object.hasOwn(engineTraits, kind)) return false;
  return engineTraits[kind as keyof typeof engineTraits].search === 'asked';
}
