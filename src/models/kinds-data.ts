import type { EngineKind } from './port.ts';

/**
 * What may be set for a kind. `search`: we ask for it (`asked`), it is the operator's word about an engine that we cannot
 * ask (`said`), or it is not possible. `country`: whether the engine takes the country that it is asked from; one that
 * does not is refused with a country, because its results would name one that was never used.
 */
export type EngineTraits = {
  url: 'needed' | 'optional' | 'none';
  key: 'needed' | 'optional' | 'none';
  search: 'asked' | 'said' | 'never';
  country: boolean;
};

export const engineTraits: Readonly<Record<EngineKind, EngineTraits>> = {
  'openai-compatible': { url: 'needed', key: 'optional', search: 'said', country: false },
  'workers-ai': { url: 'none', key: 'none', search: 'never', country: false },
  recorded: { url: 'none', key: 'none', search: 'said', country: true },
  simulated: { url: 'none', key: 'none', search: 'said', country: true },
};
