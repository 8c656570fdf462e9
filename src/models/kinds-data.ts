import type { EngineKind } from './port.ts';

/**
 * What may be set for a kind. `search`: we ask for it (`asked`), it is the operator's word about an engine that we cannot
 * ask (`said`), or it is not possible. `usualUrl`: where it is asked without a `url`. `query`: whether its address may have
 * one, which goes with every request. `country`: whether the engine takes the country that it is asked from; one that
 * does not is refused with a country, because its results would name one that was never used.
 */
export type EngineTraits = {
  url: 'needed' | 'optional' | 'none';
  key: 'needed' | 'optional' | 'none';
  search: 'asked' | 'said' | 'never';
  country: boolean;
  usualUrl?: string;
  query?: true;
};

/**
 * The secret variables that a row of ANSWER_ENGINES may name, one of them. Rows may share one if they ask the same host. No
 * other secret is sent to an engine.
 */
export const engineKeyNames = [
  'ANSWER_KEY_OPENAI',
  'ANSWER_KEY_ANTHROPIC',
  'ANSWER_KEY_GOOGLE',
  'ANSWER_KEY_PERPLEXITY',
  'ANSWER_KEY_A',
  'ANSWER_KEY_B',
  'ANSWER_KEY_C',
  'ANSWER_KEY_D',
] as const;

export const engineTraits: Readonly<Record<EngineKind, EngineTraits>> = {
  'openai-compatible': { url: 'needed', key: 'optional', search: 'said', country: false, query: true },
  openai: {
    url: 'optional',
    key: 'needed',
    search: 'asked',
    country: true,
    usualUrl: 'https://api.openai.com/v1',
  },
  anthropic: {
    url: 'optional',
    key: 'needed',
    search: 'asked',
    country: true,
    usualUrl: 'https://api.anthropic.com/v1',
  },
  google: {
    url: 'optional',
    key: 'needed',
    search: 'asked',
    country: false,
    usualUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  perplexity: {
    url: 'optional',
    key: 'needed',
    search: 'asked',
    country: true,
    usualUrl: 'https://api.perplexity.ai',
  },
  'workers-ai': { url: 'none', key: 'none', search: 'never', country: false },
  recorded: { url: 'none', key: 'none', search: 'said', country: true },
  simulated: { url: 'none', key: 'none', search: 'said', country: true },
};
