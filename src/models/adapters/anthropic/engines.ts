import { loadOnce } from '../../../lib/concurrency.ts';
import { createVendorEngine, type VendorApi } from '../../core/vendor-engine.ts';
import type { AnswerEngine } from '../../port.ts';

const kind = 'anthropic';
const loadModels = /* @__PURE__ */ loadOnce(() => import('./answer-model.ts'));

/** A model of Anthropic by the Messages API, which searches the web where it finds that it should. */
export const createAnthropicEngine = (api: VendorApi): AnswerEngine =>
  createVendorEngine(kind, api, async (given) => (await loadModels()).loadMessagesModel(given));
