/** What an operator does so that brands can be measured; part of the 503 answer. */
export const howToConfigure: readonly string[] = [
  'Set ANSWER_ENGINE to openai-compatible (any API that speaks OpenAI chat completions) or to workers-ai.',
  'Set ANSWER_ENGINE_MODEL to the model to ask, as that engine spells it.',
  'For openai-compatible set ANSWER_ENGINE_URL to its base URL, such as https://api.example.com/v1, and ANSWER_ENGINE_KEY if it wants a key.',
  'For workers-ai deploy the production section of wrangler.toml, which declares the binding AI.',
];
