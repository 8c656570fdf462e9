import type { TopicKind } from './template.ts';
import { topicKinds } from './topic-kinds-data.ts';

/** Characters of a topic in which words are looked for. */
const MAX_TOPIC_CHARS = 120;

/**
 * Words that tell what a topic is about; the first row that matches decides, so the narrower ones come first. Discovery
 * is last: "best", "top" and "options" are in topics of every kind.
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

/** Whether a text has words of a kind of topic. No text has those of the general kind. */
const isOfTopicKind = (text: string, kind: TopicKind): boolean =>
  KEYWORDS.some((row) => row.kind === kind && row.words.test(text.normalize('NFKC').toLowerCase()));

/** The kind of a topic: by our own labels or by the words of any caller's; the general kind when none of them fits. */
export function selectTopicKind(topic: string): TopicKind {
  const text = foldTopic(topic);
  return OWN_LABELS.get(text) ?? KEYWORDS.find(({ words }) => words.test(text))?.kind ?? topicKinds.general;
}

/** A topic as a page may show it: a label of our reports has the public title of its kind in its place. */
export const formatPublicTopic = (topic: string): string => OWN_LABELS.get(foldTopic(topic))?.title ?? topic;

const foldTopic = (topic: string): string => topic.slice(0, MAX_TOPIC_CHARS).normalize('NFKC').toLowerCase();

/** The labels that visibility_check gives its weak spots. They say how a brand ranks, which is nothing to publish. */
const OWN_LABELS: ReadonlyMap<string, TopicKind> = new Map<string, TopicKind>([
  ['being found at all', topicKinds.discovery],
  ['fit for an audience', topicKinds.audience],
  ['solving a problem', topicKinds.problem],
  ['comparison with others', topicKinds.comparison],
  ['price and value', topicKinds.price],
  ['trust and alternatives', topicKinds.trust],
]);

/** How well a text fits a topic; 0 for not at all. */
export type FitTest = (text: string) => number;

/** Characters of a text in which words are looked for. */
const MAX_FIT_CHARS = 1000;
/** Letters of a word that are compared, so that "price" is in "pricing" and "prices". */
const STEM_CHARS = 5;
/** Words that are shorter are in every text. */
const MIN_WORD_CHARS = 4;
/** What a word of the topic counts beside one of its kind. */
const WORD_WORTH = 2;

/** By the words that a text shares with the topic, and by words of the topic's kind. */
export function createFitTest(topic: string, kind: TopicKind): FitTest {
  const wanted = listStems(topic);
  return (text) => {
    const read = text.slice(0, MAX_FIT_CHARS);
    const has = listStems(read);
    const shared = [...wanted].filter((stem) => has.has(stem)).length;
    return WORD_WORTH * shared + Number(isOfTopicKind(read, kind));
  };
}

const listStems = (text: string): ReadonlySet<string> =>
  new Set(
    (
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    )
      .filter((word) => word.length >= MIN_WORD_CHARS && !COMMON.has(word))
      .map((word) => word.slice(0, STEM_CHARS)),
  );

/** Words of topics that say nothing about them. */
const COMMON: ReadonlySet<string> = new Set(
  'about after also being does from have into more most other others over than that their them then they this what when where which with your und oder eine einen einer nach über'.split(
    ' ',
  ),
);
