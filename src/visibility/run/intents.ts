/** The kinds of question people ask an assistant about a niche; every one has the same number of prompts. */
export const intents = ['discovery', 'recommendation', 'problem', 'comparison', 'price', 'trust'] as const;
export type Intent = (typeof intents)[number];

/** With the questions of a buyer, which are of no kind of ours. */
export const promptIntents = [...intents, 'own'] as const;
export type PromptIntent = (typeof promptIntents)[number];

/** What we call each kind of question in results: it is also the `topic` of a weak spot, at most 60 characters. */
export const intentLabels: Readonly<Record<PromptIntent, string>> = {
  discovery: 'Being found at all',
  recommendation: 'Fit for an audience',
  problem: 'Solving a problem',
  comparison: 'Comparison with others',
  price: 'Price and value',
  trust: 'Trust and alternatives',
  own: 'Your own questions',
};
