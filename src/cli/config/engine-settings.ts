import { type CommandFailure, isFailure } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { findEngineAccess } from './panel-engines.ts';
import type { FoundConfig } from './read-config.ts';
import type { ConfiguredEngine } from './schema.ts';

/** What says which engine answers. The key is from the environment: arguments can be read by every process. */
export type EngineSettings = {
  kind: string;
  url: string | undefined;
  model: string | undefined;
  key: string | undefined;
  /** The row of the configuration that it is of, which says more about it. */
  row?: ConfiguredEngine | undefined;
};

type EngineValues = { engine?: string | undefined; url?: string | undefined; model?: string | undefined };

/**
 * The engine that options or environment name, or the first one of the configuration. The key goes only to an address
 * that the same person gave: a configuration may be of a repository that another person wrote, and its address would get
 * the key of each reader who measures there.
 */
export function selectEngineSettings(
  values: EngineValues,
  found: FoundConfig | undefined | CommandFailure,
  env: NodeJS.ProcessEnv,
): EngineSettings | CommandFailure {
  const [kind, givenUrl, model] = [
    values.engine ?? trimVariable(env['ANSWER_ENGINE']),
    values.url ?? trimVariable(env['ANSWER_ENGINE_URL']),
    values.model ?? trimVariable(env['ANSWER_ENGINE_MODEL']),
  ];
  const key = trimVariable(env['ANSWER_ENGINE_KEY']);
  if (kind !== undefined || found === undefined) return { kind: kind ?? 'none', url: givenUrl, model, key };
  if (isFailure(found)) return found;
  const [engine] = found.config.engines ?? [];
  const access = engine === undefined || givenUrl !== undefined ? undefined : findEngineAccess(engine, env);
  if (isFailure(access)) return access;
  if (access?.url !== undefined && !access.isTyped && key !== undefined) return refuseKey(access.url, found.file);
  return {
    kind: engine?.kind ?? 'none',
    url: givenUrl ?? access?.url,
    model: model ?? engine?.model,
    key: key ?? access?.key,
    row: engine,
  };
}

/** An empty variable is one that is not set. */
const trimVariable = (value: string | undefined): string | undefined => value?.trim() || undefined;

const refuseKey = (url: string, file: string): CommandFailure => ({
  reason: 'key_withheld',
  message: `ANSWER_ENGINE_KEY was not sent: the address of the engine is that of ${formatSafeLine(file, 300)}, and you did not give it.`,
  next:
    `To send the key there, name the address yourself: --url ${formatSafeLine(url, 300)} (or ANSWER_ENGINE_URL). ` +
    'If the engine needs no key, unset ANSWER_ENGINE_KEY.',
  exit: EXIT.usage,
});
