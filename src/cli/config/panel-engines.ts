import * as z from 'zod';
import { findRowMisfits } from '../../models/engine-rows.ts';
import type { engineKeyNames } from '../../models/kinds-data.ts';
import { makeRowEngine, type PanelEngine } from '../../models/panel.ts';
import { localAnswers } from '../../models/registry-local.ts';
import { type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import type { FoundConfig } from './read-config.ts';
import type { ConfiguredEngine } from './schema.ts';

const MAX_OUTPUT_TOKENS = 1500;
const WEB_ADDRESS = z.url({ protocol: /^https?$/ });

type Environment = Readonly<Record<string, string | undefined>>;
type Vendor = { keyName: (typeof engineKeyNames)[number]; key: string | undefined; url: string | undefined };

/**
 * What the environment has of vendors: the key, which goes to the vendor's own address alone or to the address beside it, such
 * as the gateway of a company. Both are of the person at this machine.
 */
const readVendors = (env: Environment): Readonly<Record<string, Vendor>> => ({
  openai: { keyName: 'ANSWER_KEY_OPENAI', key: env['ANSWER_KEY_OPENAI'], url: env['ANSWER_URL_OPENAI'] },
  anthropic: { keyName: 'ANSWER_KEY_ANTHROPIC', key: env['ANSWER_KEY_ANTHROPIC'], url: env['ANSWER_URL_ANTHROPIC'] },
  google: { keyName: 'ANSWER_KEY_GOOGLE', key: env['ANSWER_KEY_GOOGLE'], url: env['ANSWER_URL_GOOGLE'] },
  perplexity: {
    keyName: 'ANSWER_KEY_PERPLEXITY',
    key: env['ANSWER_KEY_PERPLEXITY'],
    url: env['ANSWER_URL_PERPLEXITY'],
  },
});

/** An address, and the key that may be sent there; `isTyped`: the address is no word of the configuration. */
type EngineAccess = {
  url: string | undefined;
  keyName?: Vendor['keyName'];
  key?: string | undefined;
  isTyped: boolean;
};

/** Where an engine of a configuration is asked, and with which key; a failure where the environment has no address for it. */
export function findEngineAccess(
  { kind, url: named }: Pick<ConfiguredEngine, 'kind' | 'url'>,
  env: Environment,
): EngineAccess | CommandFailure {
  const vendors = readVendors(env);
  const vendor = Object.hasOwn(vendors, kind) ? vendors[kind] : undefined;
  const url = vendor?.url?.trim() || undefined;
  if (vendor === undefined || (url === undefined && named !== undefined)) return { url: named, isTyped: false };
  if (url !== undefined && !WEB_ADDRESS.safeParse(url).success)
    return refuseUsage(`${vendor.keyName.replace('_KEY_', '_URL_')} is no http(s) address.`);
  return { url, keyName: vendor.keyName, key: vendor.key?.trim() || undefined, isTyped: true };
}

/** What engines that are no model are made of, and the environment, which has the keys. */
type ConfigTools = {
  env: Environment;
  fetch: typeof fetch;
  recording?: string | undefined;
  brands?: string | undefined;
  seed?: string | undefined;
};

/**
 * All engines of a configuration, in its order. A configuration may be of a repository that another person wrote: a key is
 * sent to a vendor's own address or to one of the environment, and an engine whose address the file names gets none.
 */
export function createConfigEngines(
  { config, file }: FoundConfig,
  { env, ...tools }: ConfigTools,
): readonly PanelEngine[] | CommandFailure {
  const engines: PanelEngine[] = [];
  for (const [at, given] of (config.engines ?? []).entries()) {
    const place = `${file}: engines.${at}`;
    const access = findEngineAccess(given, env);
    if (isFailure(access)) return access;
    const { url, keyName, key } = access;
    const row = {
      ...given,
      url,
      name: given.name ?? given.kind,
      key_secret: keyName,
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
      readSecret: () => key,
    });
    if (!made.ok) return refuseUsage(formatSafeLine(`${made.detail}.`, 300));
    engines.push(made.engine);
  }
  return engines;
}
