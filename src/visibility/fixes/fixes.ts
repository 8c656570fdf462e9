import type { OwnSite } from '../../fixes/files/own-site.ts';
import { listSlots } from '../../lib/slots.ts';
import { cleanCallerEvidence, cleanCallerName, cleanCallerTopic, isPublishableTopic } from './caller-text.ts';
import { type FaqEntry, formatFaqJsonLd, renderFaqElement } from './faq-json-ld.ts';
import { type FilledSentence, fillTopicTexts } from './filled-texts.ts';
import { type CallerFact, collectKnownWords, type KnownWords } from './known-words.ts';
import { fill, fillPassage, type Names, escapeNames, type TopicKind } from './template.ts';
import { formatPublicTopic, selectTopicKind } from './topic-kind.ts';

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
  /** What the site or the caller says, sentence by sentence. Absent where neither was asked. */
  sentences?: readonly FilledSentence[];
  evidence?: string;
  verify: string;
};

export type VisibilityFixInput = {
  brand: string;
  niche: string;
  weak_spots: readonly CallerWeakSpot[];
  facts?: readonly CallerFact[] | undefined;
};

/**
 * Writes the texts for each weak spot, at most `MAX_FIXED_WEAK_SPOTS`, in their order. No model is asked and nothing is made
 * up: what neither the site nor the caller says is a `[FACT NEEDED: ...]` slot, and every number comes from them or from
 * the caller's own names (rule X3). Never throws, whatever the texts are. Does not check that what they say is true.
 * @param own what the brand's site says, where one was read
 */
export function buildVisibilityFixes(
  { brand, niche, weak_spots: spots, facts }: VisibilityFixInput,
  own?: OwnSite,
): readonly VisibilityFix[] {
  const known = own === undefined && facts === undefined ? undefined : collectKnownWords(own, facts ?? [], brand);
  return spots.slice(0, MAX_FIXED_WEAK_SPOTS).map((spot) => buildVisibilityFix(brand, niche, spot, known));
}

function buildVisibilityFix(
  brand: string,
  niche: string,
  spot: CallerWeakSpot,
  known: KnownWords | undefined,
): VisibilityFix {
  const given = cleanCallerTopic(spot.topic);
  const kind = selectTopicKind(given);
  const topic = isPublishableTopic(given) ? given : kind.title;
  const names = escapeNames({
    brand: cleanCallerName(brand),
    niche: cleanCallerName(niche),
    topic: formatPublicTopic(topic),
  });
  const filled = known && fillTopicTexts({ kind, text: topic, names }, known);
  const { passage, faq, section } = filled ?? buildTemplateTexts(kind, names);
  const json = formatFaqJsonLd(faq);
  const evidence = formatEvidence(spot);
  const slots = listSlots([passage, ...faq.flatMap(({ question, answer }) => [question, answer]), section].join('\n'));
  return {
    topic,
    passage,
    faq_json_ld: json,
    faq_html: renderFaqElement(json),
    llms_txt_section: section,
    place: PLACE,
    facts_needed: [...new Set([...slots, ...(filled?.missing ?? [])])],
    draft: slots.length > 0,
    ...(known === undefined ? {} : { sentences: filled?.sentences ?? [] }),
    ...(evidence === '' ? {} : { evidence }),
    verify: verifyText(kind.intent),
  };
}

type TopicTexts = { passage: string; faq: readonly FaqEntry[]; section: string };

const buildTemplateTexts = (kind: TopicKind, { plain, markdown }: ReturnType<typeof escapeNames>): TopicTexts => ({
  passage: formatPassage(kind, markdown),
  faq: kind.questions.map(({ question, answer }) => ({ question: fill(question, plain), answer: fill(answer, plain) })),
  section: formatLlmsSection(kind, markdown),
});

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
