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
      /(?<![\w-])(?:trust(?:ed|worthy)?|reliab(?:le|ility)|safe(?:st|ty)?|secur(?:e|ity)|privacy|reputation|reviews?|scams?|compliance|certifi(?:ed|cates?|cations?)|support|services?)\b/u,
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
  const text = folded(topic);
  return OWN_LABELS.get(text) ?? KEYWORDS.find(({ words }) => words.test(text))?.kind ?? topicKinds.general;
}

/** A topic as a page may show it: a label of our reports has the public title of its kind in its place. */
export const publicTopic = (topic: string): string => OWN_LABELS.get(folded(topic))?.title ?? topic;

const folded = (topic: string): string => topic.slice(0, MAX_TOPIC_CHARS).normalize('NFKC').toLowerCase();

/** The labels that visibility_check gives its weak spots. They say where a brand stands, which is nothing to publish. */
const OWN_LABELS: ReadonlyMap<string, TopicKind> = new Map<string, TopicKind>([
  ['being found at all', topicKinds.discovery],
  ['fit for an audience', topicKinds.audience],
  ['solving a problem', topicKinds.problem],
  ['comparison with others', topicKinds.comparison],
  ['price and value', topicKinds.price],
  ['trust and alternatives', topicKinds.trust],
]);
