import {
  type ChatFactory,
  type EmbedderFactory,
  type Engines,
  productionChats,
  productionEmbedders,
} from './registry.ts';
import { createSimulatedChat } from './simulated-chat.ts';
import { createSimulatedEmbedder } from './simulated-embedder.ts';

/** The chat engines of the local stack and tests: those of a deployment, on this machine too, and one that is no model. */
export const localChats: Engines<ChatFactory> = {
  isLocal: true,
  factories: {
    ...productionChats.factories,
    simulated: ({ model }) => ({ ok: true, engine: createSimulatedChat(model) }),
  },
};

/** The same for embedding engines. */
export const localEmbedders: Engines<EmbedderFactory> = {
  isLocal: true,
  factories: {
    ...productionEmbedders.factories,
    simulated: ({ model }) => ({ ok: true, engine: createSimulatedEmbedder(model) }),
  },
};
