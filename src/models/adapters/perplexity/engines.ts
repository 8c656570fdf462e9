import { loadOnce } from '../../../lib/concurrency.ts';
import { createVendorEngine, type VendorApi } from '../../core/vendor-engine.ts';
import type { AnswerEngine } from '../../port.ts';

const kind = 'perplexity';
const loadModels = /* @__PURE__ */ loadOnce(() => import('./answer-model.ts'));

/** A model of Perplexity, which searches the web for each prompt. */
export const createPerplexityEngine = (api: VendorApi): AnswerEngine =>
  createVendorEngine(kind, api, async (given) => (await loadModels()).loadSonarModel(given));
