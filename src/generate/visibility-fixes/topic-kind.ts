import type { TopicKind } from './template.ts';
import { topicKinds } from './topic-kinds-data.ts';

/** Characters of a topic in which words are looked for. */
const MAX_TOPIC_CHARS = 120;

/**
 * Words that tell what a topic is about; the first row that matches decides, so the narrower ones come first. Discovery
 * is last: "best", "top" and "options" stand in topics of every kind.
 */
const KEYWORDS: readonly { kind: TopicKind; words: RegExp }[] = [
  {
    kind: topicKinds.price,
    words:
      /(?<![\w-])(?:price[ds]?|pricing|costs?|cheap(?:er|est)?|value|budgets?|affordable|free(?!-)|fees?|trials?|discounts?|subscriptions?)\b/u,
  },
  {
    kind: topicKinds.trust,
    words:
      /(?<![\w-])(?:trust(?:ed|worthy)?|reliab(?:le|ility)|safe(?:st|ty)?|secur(?:e|ity)|privacy|reputation|reviews?|scams?|compliance|certifi(?:ed|cates?|cations?))\b/u,
  },
  {
    kind: topicKinds.switching,
    words: /(?<![\w-])(?:alternatives?|switch(?:es|ing)?|migrat(?:e|es|ing|ion|ions)|replac(?:e|es|ing|ements?))\b/u,
  },
  {
    kind: topicKinds.comparison,
    words: /(?<![\w-])(?:compar(?:e|es|ed|ing|isons?)|versus|vs|differ(?:s|ent|ences?)?|pros|cons|features?)\b/u,
  },
  {
    kind: topicKinds.problem,
    words: /(?<![\w-])(?:problems?|jobs?|pains?|solv(?:e|es|ing)|solutions?|issues?|challenges?|use cases?)\b/u,
  },
  {
    kind: topicKinds.audience,
    words:
      /(?<![\w-])(?:audiences?|who|whom|recommend(?:ed|ations?)?|beginners?|professionals?|teams?|business(?:es)?|famil(?:y|ies)|students?|enterprises?|startups?|freelancers?)\b/u,
  },
  {
    kind: topicKinds.discovery,
    words:
      /(?<![\w-])(?:discover(?:y|ed)?|found|find(?:ing|able)?|top|best|options?|visib(?:le|ility)|known|awareness)\b/u,
  },
];

/** The kind of a topic: by our own labels or by the words of any caller's; the general kind when none of them fits. */
export function topicKind(topic: string): TopicKind {
  const text = topic.slice(0, MAX_TOPIC_CHARS).normalize('NFKC').toLowerCase();
  return KEYWORDS.find(({ words }) => words.test(text))?.kind ?? topicKinds.general;
}
