/**
 * The product by which people know the agents of an owner in the roster, in the order in which most people meet them;
 * `test/audit/crawlers/checks/assistants.test.ts` names owners without one.
 */
export const ASSISTANT_NAMES: Readonly<Record<string, string>> = {
  OpenAI: 'ChatGPT',
  Anthropic: 'Claude',
  Perplexity: 'Perplexity',
  Google: 'Google AI',
  Microsoft: 'Copilot (Microsoft)',
  Apple: 'Siri (Apple)',
  Amazon: 'Alexa (Amazon)',
  Meta: 'Meta AI',
  'Mistral AI': 'Le Chat (Mistral)',
  DuckDuckGo: 'DuckDuckGo AI',
};
