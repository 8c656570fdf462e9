import type { ChatChoice } from '../../../src/management/interfaces/aisearch/orders/chat.ts';
import { readApiSettings, type ChatFactory, selectEngine, type Engines } from '../../../src/models/chat/registry.ts';
import type { ControlEnv, ControlSettings } from './env.ts';

const chosen = new WeakMap<ControlSettings, { chats: Engines<ChatFactory>; choice: ChatChoice }>();

/**
 * The engine that answers chats, as `ANSWER_ENGINE` names it, made once per isolate. Which names there are is up to the
 * entry: no variable can choose an engine that its bundle does not hold.
 */
export function getChatEngine(env: ControlEnv, settings: ControlSettings, chats: Engines<ChatFactory>): ChatChoice {
  const known = chosen.get(settings);
  if (known?.chats === chats) return known.choice;
  const { ANSWER_ENGINE: name, ANSWER_ENGINE_URL: url, ANSWER_ENGINE_MODEL: model, ANSWER_ENGINE_KEY: key } = settings;
  const asked = {
    name,
    variable: 'ANSWER_ENGINE',
    settings: { ...readApiSettings(url, model, key), maxOutputTokens: settings.ANSWER_ENGINE_MAX_TOKENS },
  };
  const choice = selectEngine(asked, chats, { fetch: (input, init) => fetch(input, init), ai: env.AI });
  chosen.set(settings, { chats, choice });
  return choice;
}
