import {
  type AskedEngine,
  collectEngineTools,
  createTypedEngine,
  readAnswersFile,
  type TypedValues,
} from '../audit/typed-engine.ts';
import { type EngineSettings, selectEngineSettings } from '../config/engine-settings.ts';
import { createConfigEngines } from '../config/panel-engines.ts';
import type { FoundConfig } from '../config/read-config.ts';
import type { ConfiguredEngine } from '../config/schema.ts';
import { type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';

type EngineWords = TypedValues & { engines?: string | undefined };

/** The engines of a measurement, at least one; `settings` of the only one, where its address can be named in a message. */
export type AskedEngines = { engines: readonly AskedEngine[]; settings?: EngineSettings };

/**
 * The engine that options or environment name; otherwise all engines of the configuration, or those of `--engines`. An address
 * or model that is given is that of one engine: of the first, unless `--engines` names another.
 */
export function selectAskedEngines(
  values: EngineWords,
  found: FoundConfig | undefined | CommandFailure,
  env: NodeJS.ProcessEnv,
): AskedEngines | CommandFailure {
  const { engines: wanted } = values;
  const kind = values.engine ?? (env['ANSWER_ENGINE']?.trim() || undefined);
  if (kind !== undefined)
    return wanted === undefined
      ? selectOne(values, found, env)
      : refuseUsage('--engine (or ANSWER_ENGINE) asks one engine, and --engines those of the configuration: give one.');
  if (found === undefined || isFailure(found) || found.config.engines === undefined)
    return wanted === undefined || isFailure(found)
      ? selectOne(values, found, env)
      : refuseUsage('--engines names engines of sightline.config.json, and there are none.');
  const rows = chooseRows(found.config.engines, wanted);
  if (isFailure(rows)) return rows;
  const given = [values.url, values.model, env['ANSWER_ENGINE_URL'], env['ANSWER_ENGINE_MODEL']];
  const isOfOne = given.some((word) => word !== undefined && word.trim() !== '');
  if (isOfOne && wanted !== undefined && rows.length > 1)
    return refuseUsage('--url and --model are of one engine, and --engines names several.');
  const engines = isOfOne ? rows.slice(0, 1) : rows;
  const chosen = { ...found, config: { ...found.config, engines } };
  if (engines.length < 2) return selectOne(values, chosen, env);
  const recording = engines.some((row) => row.kind === 'recorded') ? readAnswersFile(values) : undefined;
  if (isFailure(recording)) return recording;
  const made = createConfigEngines(chosen, { ...collectEngineTools(values), env, recording });
  return isFailure(made) ? made : { engines: made };
}

function selectOne(
  values: EngineWords,
  found: FoundConfig | undefined | CommandFailure,
  env: NodeJS.ProcessEnv,
): AskedEngines | CommandFailure {
  const settings = selectEngineSettings(values, found, env);
  if (isFailure(settings)) return settings;
  const engine = createTypedEngine(settings, values);
  return isFailure(engine) ? engine : { engines: [engine], settings };
}

/** The rows of these names, in their order; all without names. */
function chooseRows(
  rows: readonly ConfiguredEngine[],
  wanted: string | undefined,
): ConfiguredEngine[] | CommandFailure {
  if (wanted === undefined) return [...rows];
  const names = wanted.split(',').map((name) => name.trim());
  const known = rows.map(({ name, kind }) => name ?? kind);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return refuseUsage(`--engines takes names of ${known.join(', ')}, not ${formatSafeLine(unknown)}.`);
  if (new Set(names).size < names.length) return refuseUsage('--engines names an engine twice.');
  return names.flatMap((name) => rows[known.indexOf(name)] ?? []);
}
