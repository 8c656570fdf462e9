import { loadOnce } from '../../lib/concurrency.ts';
import type { AnswerEngine, EngineKind } from '../port.ts';
import type { ApiEndpoint } from './api-endpoint.ts';
import type { SdkAnswerModel } from './sdk-answer.ts';
import { createSdkAnswerEngine } from './sdk-engines.ts';

/** Largest answer of an engine that searches, in bytes: what it read of pages comes along, encrypted or not. */
export const MAX_SEARCH_BODY_BYTES = 4 * 1024 * 1024;
/** Searches that a model may make for one prompt, where its interface takes a limit: each of them costs money. */
export const MAX_SEARCHES = 3;

/** The interface of a vendor, with what the settings say: its key is always there, and `country` where it takes one. */
export type VendorApi = ApiEndpoint & {
  key: string;
  fetch: typeof fetch;
  maxOutputTokens: number;
  webSearch: boolean;
  country: string | undefined;
};

/** Where to search from, as the tools of OpenAI and Anthropic take it; nothing where no country is set. */
export const buildUserLocation = (
  country: string | undefined,
): { userLocation?: { type: 'approximate'; country: string } } =>
  country === undefined ? {} : { userLocation: { type: 'approximate', country } };

/** An engine over a vendor's own provider, whose model is made by the first prompt and lives as long as the engine. */
export const createVendorEngine = (
  kind: EngineKind,
  api: VendorApi,
  load: (api: VendorApi) => Promise<SdkAnswerModel>,
): AnswerEngine =>
  createSdkAnswerEngine(
    { kind, model: api.model },
    loadOnce(() => load(api)),
  );
