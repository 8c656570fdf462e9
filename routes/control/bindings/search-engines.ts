import type { ChatEngine } from '../../../src/models/port.ts';
import type { ChatChoice } from '../../../src/management/interfaces/aisearch/orders/chat.ts';
import { type Engines, selectEngine } from '../../../src/models/registry.ts';
import type { ControlEnv } from './env.ts';
import type { ControlSettings } from '../../../src/settings/control-settings.ts';

type ChatEngines = Engines<ChatEngine>;

const chosen = new WeakMap<ControlSettings, { chats: ChatEngines; choice: ChatChoice }>();

/** The engine that answers chats, as `ANSWER_ENGINE` names it, or what is missing for one, made once per isolate. */
export function getChatEngine(env: ControlEnv, settings: ControlSettings, chats: ChatEngines): ChatChoice {
  const known = chosen.get(settings);
  if (known?.chats === chats) return known.choice;
  const choice = selectEngine(
    settings.ANSWER_ENGINE,
    {
      prefix: 'ANSWER_ENGINE',
      url: settings.ANSWER_ENGINE_URL,
      model: settings.ANSWER_ENGINE_MODEL,
      key: settings.ANSWER_ENGINE_KEY,
      maxOutputTokens: settings.ANSWER_ENGINE_MAX_TOKENS,
    },
    chats,
    { fetch: (input, init) => fetch(input, init), ai: env.AI },
  );
  chosen.set(settings, { chats, choice });
  return choice;
}
