import { formatJsonForHtml } from '../../lib/safe-text.ts';
import { listSlots } from '../../lib/slots.ts';
import { cleanCallerEvidence, cleanCallerName, cleanCallerTopic, isPublishableTopic } from './caller-text.ts';
import { fill, fillPassage, type Names, escapeNames, type TopicKind } from './template.ts';
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

type FaqEntry = { question: string; answer: string };

/**
 * A schema.org FAQPage as JSON text. It may be in a script element of HTML or XHTML: `<`, `>` and `&` are escaped, and
 * so are line separators and characters no one sees.
 * @see https://schema.org/FAQPage
 */
export function formatFaqJsonLd(entries: readonly FaqEntry[]): string {
  const page = {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: entries.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
  // Outside its strings JSON has neither sign, so the text still parses back to the same value.
  return formatJsonForHtml(page)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('&', String.raw`\u0026`);
}

/** The same as an element of a page. */
export const renderFaqElement = (json: string): string => `<script type="application/ld+json">\n${json}\n</script>`;

/** Weak spots of one call; the body of the capability refuses more. */
export const MAX_FIXED_WEAK_SPOTS = 3;

/** Where a brand loses, from a visibility_check response or from any caller. All of it is hostile text. */
export type CallerWeakSpot = { topic: string; who_wins?: string | undefined; evidence?: string | undefined };

/** Where each text goes, in our words. */
export type VisibilityFixPlace = { passage: string; faq_json_ld: string; llms_txt_section: string };

/**
 * Texts against one weak spot. `passage` and `llms_txt_section` are Markdown, `faq_json_ld` is JSON text and `faq_html`
 * the same in a script element. `topic` is the caller's, or the title of its kind when that speaks to a model; the
 * texts name a label of our reports by that title too. `facts_needed` lists what their slots ask for, each once. Words
 * of a rival or of a model's answer are in `evidence` alone.
 */
export type VisibilityFix = {
  topic: string;
  passage: string;
  faq_json_ld: string;
  faq_html: string;
  llms_txt_section: string;
  place: VisibilityFixPlace;
  facts_needed: readonly string[];
  /** The texts have slots: they are published once these are filled in. Absent in fixes stored before. */
  draft?: boolean;
  evidence?: string;
  verify: string;
};

export type VisibilityFixInput = { brand: string; niche: string; weak_spots: readonly CallerWeakSpot[] };

/**
 * Writes the texts for each weak spot, at most `MAX_FIXED_WEAK_SPOTS`, in their order. No model is asked and nothing is made
 * up: what we do not know is a `[FACT NEEDED: ...]` slot, and every number comes from the caller's own names (rule X3).
 * Never throws, whatever the texts are. Does not check that the slots are filled, or that brand and niche belong together.
 */
export const buildVisibilityFixes = ({
  brand,
  niche,
  weak_spots: spots,
}: VisibilityFixInput): readonly VisibilityFix[] =>
  spots.slice(0, MAX_FIXED_WEAK_SPOTS).map((spot) => buildVisibilityFix(brand, niche, spot));

function buildVisibilityFix(brand: string, niche: string, spot: CallerWeakSpot): VisibilityFix {
  const given = cleanCallerTopic(spot.topic);
  const kind = selectTopicKind(given);
  const topic = isPublishableTopic(given) ? given : kind.title;
  const { plain, markdown } = escapeNames({
    brand: cleanCallerName(brand),
    niche: cleanCallerName(niche),
    topic: formatPublicTopic(topic),
  });
  const passage = formatPassage(kind, markdown);
  const faq = kind.questions.map(({ question, answer }) => ({
    question: fill(question, plain),
    answer: fill(answer, plain),
  }));
  const section = formatLlmsSection(kind, markdown);
  const json = formatFaqJsonLd(faq);
  const evidence = formatEvidence(spot);
  const needed = listSlots([passage, ...faq.flatMap(({ question, answer }) => [question, answer]), section].join('\n'));
  return {
    topic,
    passage,
    faq_json_ld: json,
    faq_html: renderFaqElement(json),
    llms_txt_section: section,
    place: PLACE,
    facts_needed: needed,
    draft: needed.length > 0,
    ...(evidence === '' ? {} : { evidence }),
    verify: verifyText(kind.intent),
  };
}

const formatPassage = (kind: TopicKind, names: Names): string =>
  fillPassage([`## ${kind.heading}`, ...kind.passage].join('\n\n'), names);

/**
 * A section of llms.txt. Its links to pages that may not exist yet have a slot for an address: such a line is no link,
 * to CommonMark and to our own check alike, until the slot is filled, so a file that still has slots leads nowhere wrong.
 * The start page is the only address that every site has, and makes the section whole from the start.
 */
function formatLlmsSection({ pages }: TopicKind, names: Names): string {
  const lines = pages.map(({ label, address, note }) => `- [${label}]({address: ${address}}): ${note}`);
  const start =
    '- [Start page](/): {brand} ({niche}) is {description: what it offers and to whom, in a short sentence}.';
  return ['## {brand}: {topic}', '', start, ...lines].map((line) => fill(line, names)).join('\n');
}

/** Who wins and what was seen there, on a line; the winner is not named twice. */
function formatEvidence({ who_wins: winner = '', evidence = '' }: CallerWeakSpot): string {
  const [who, seen] = [cleanCallerEvidence(winner), cleanCallerEvidence(evidence)];
  if (who === '' || seen === '' || seen.includes(who)) return seen || who;
  return cleanCallerEvidence(`${who}: ${seen}`);
}

const PLACE: VisibilityFixPlace = {
  passage:
    'On the page of your site that answers this question, near the start of the main text, as HTML that needs no JavaScript. Fill every slot from your own records, and leave out a sentence whose fact you cannot prove.',
  faq_json_ld:
    'In a script element of type application/ld+json of the same page (faq_html is that element). Show the same questions and answers as visible text of the page: markup that readers cannot see breaks the rules of search engines.',
  llms_txt_section:
    'In /llms.txt of your site, after the sections it has. Put the address of a page in place of each address slot: the line is a link from then on. Leave out lines whose page you do not have, and the start page when the file lists it already. check_llms_txt judges the whole file.',
};

function verifyText(intent: string): string {
  const row = intent === '' ? 'the row of intents that is nearest to this topic' : `the row "${intent}" of intents`;
  return (
    'Publish the texts with every slot filled, and wait until answer engines have read the pages again: the log of your server shows their visits, and a model without web search learns of them only in its next version. ' +
    'Then buy visibility_check again with the same brand and niche, and compare mention_rate of the whole measurement over several runs, before and after. ' +
    `The answers behind ${row} are too few to show an effect.`
  );
}
