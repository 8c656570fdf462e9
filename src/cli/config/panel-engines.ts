import { findRowMisfits } from '../../models/engine-rows.ts';
import type { engineKeyNames } from '../../models/kinds-data.ts';
import { makeRowEngine, type PanelEngine } from '../../models/panel.ts';
import { localAnswers } from '../../models/registry-local.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import type { FoundConfig } from './read-config.ts';

const MAX_OUTPUT_TOKENS = 1500;

/** Variables with the keys of vendors. Each goes to its vendor's own address alone: see `createConfigEngines`. */
const KEYS: Readonly<Record<string, (typeof engineKeyNames)[number]>> = {
  openai: 'ANSWER_KEY_OPENAI',
  anthropic: 'ANSWER_KEY_ANTHROPIC',
  google: 'ANSWER_KEY_GOOGLE',
  perplexity: 'ANSWER_KEY_PERPLEXITY',
};

/** What engines that are no model are made of, and the environment, which has the keys. */
type ConfigTools = {
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  recording?: string | undefined;
  brands?: string | undefined;
  seed?: string | undefined;
};

/**
 * All engines of a configuration, in its order. A configuration may be of a repository that another person wrote: a key is
 * sent to a vendor's own address alone, and an engine whose address the file names gets none.
 */
export function createConfigEngines(
  { config, file }: FoundConfig,
  { env, ...tools }: ConfigTools,
): readonly PanelEngine[] | CommandFailure {
  const engines: PanelEngine[] = [];
  for (const [at, given] of (config.engines ?? []).entries()) {
    const place = `${file}: engines.${at}`;
    const secret = given.url === undefined ? KEYS[given.kind] : undefined;
    const row = {
      ...given,
      name: given.name ?? given.kind,
      key_secret: secret,
      usd_per_run: given.usd_per_run ?? 0,
      max_tokens: MAX_OUTPUT_TOKENS,
    };
    if (engines.some(({ name }) => name === row.name))
      return refuseUsage(formatSafeLine(`${place}: give each engine a name of its own.`, 300));
    const [misfit] = findRowMisfits(row);
    if (misfit !== undefined) return refuseUsage(formatSafeLine(`${place}, ${misfit}.`, 300));
    const made = makeRowEngine(row, place, localAnswers, {
      ...tools,
      ai: undefined,
      readSecret: (name) => env[name]?.trim() || undefined,
    });
    if (!made.ok) return refuseUsage(formatSafeLine(`${made.detail}.`, 300));
    engines.push(made.engine);
  }
  return engines;
}
