import type { Intent } from '../../models/answer/port.ts';

/** What we call each kind of question in results: it is also the `topic` of a weak spot, at most 60 characters. */
export const intentLabels: Readonly<Record<Intent, string>> = {
  discovery: 'Being found at all',
  recommendation: 'Fit for an audience',
  problem: 'Solving a problem',
  comparison: 'Comparison with others',
  price: 'Price and value',
  trust: 'Trust and alternatives',
};
