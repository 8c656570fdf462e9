import { computeFilledShare, listMarkdownSentences } from '../fixes/files/filled-share.ts';
import type { OwnSite } from '../fixes/files/own-site.ts';
import { buildVisibilityFixes, type VisibilityFix, type VisibilityFixInput } from '../visibility/fixes/fixes.ts';
import type { WorkOutcome } from './capability.ts';
import { describeFilled } from './filled.ts';

/**
 * The result of a fix pack. A brand, a market and weak spots alone give drafts; who names a site or facts as well buys
 * texts that are filled with them, and gets no result where not one sentence could be.
 */
export function presentVisibilityFixes(input: VisibilityFixInput, own: OwnSite | undefined): WorkOutcome {
  const fixes = buildVisibilityFixes(input, own);
  const isFilled = fixes.some(({ sentences = [] }) => sentences.length > 0);
  if ((own !== undefined || input.facts !== undefined) && !isFilled)
    return { ok: false, reason: 'nothing_to_generate', detail: describeMissing(input, own) };
  const { brand, niche } = input;
  const filled = describeFilled(computeFilledShare(fixes.flatMap(listFixSentences)));
  return { ok: true, result: { brand, niche, ...filled, fixes }, warnings: [] };
}

type FaqPage = { mainEntity: readonly { acceptedAnswer: { text: string } }[] };

function listFixSentences({ passage, faq_json_ld: json, llms_txt_section: section }: VisibilityFix): readonly string[] {
  const { mainEntity: questions } = JSON.parse(json) as FaqPage; // Written by us a moment ago.
  return [passage, ...questions.map(({ acceptedAnswer }) => acceptedAnswer.text), section].flatMap(
    listMarkdownSentences,
  );
}

/** What neither the site nor the caller says, field by field. */
function describeMissing({ facts }: VisibilityFixInput, own: OwnSite | undefined): string {
  return [
    'No sentence of any text could be filled in.',
    own === undefined
      ? 'url: not given.'
      : `url: of ${own.pages.length} pages that were read, none has a description, a paragraph of whole sentences, a question with its answer, or facts in structured data that fit the topics.`,
    facts === undefined
      ? 'facts: not given.'
      : `facts: none of ${facts.length} can be used; each needs a name and a value that states something and asks nothing of a model.`,
  ].join(' ');
}
