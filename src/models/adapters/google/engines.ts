import { loadOnce } from '../../../lib/concurrency.ts';
import { createVendorEngine, type VendorApi } from '../../core/vendor-engine.ts';
import type { AnswerEngine } from '../../port.ts';

const kind = 'google';
const loadModels = /* @__PURE__ */ loadOnce(() => import('./answer-model.ts'));

/** A model of Google by the Gemini API, grounded by its search where the model finds that it should. */
export const createGoogleEngine = (api: VendorApi): AnswerEngine =>
  createVendorEngine(kind, api, async (given) => (await loadModels()).loadGeminiModel(given));
