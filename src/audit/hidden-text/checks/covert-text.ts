import { type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findCovertTexts } from '../facts/covert-unicode.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import { formatCount } from '../../core/wording.ts';

/** A page with fewer visible words has nothing to hide something in. */
const MIN_VISIBLE_WORDS = 60;
const SHOWN = 5;

/** Checks of text that is there and cannot be seen. */
export const covertTextChecks = [
  defineCheck({
    id: 'geo.safety.unicode-covert',
    title: 'No covert Unicode',
    weight: 1,
    grade: 'B',
    why: 'Tag characters, runs of zero-width characters and bidirectional overrides carry text that people do not see and models read. Joined emoji, joiners inside Persian or Indic words and soft hyphens are ordinary writing.',
    source:
      'Unicode Technical Report 36, Unicode Security Considerations, https://www.unicode.org/reports/tr36/; UAX 9 (bidirectional overrides), https://www.unicode.org/reports/tr9/',
    fix: 'Remove the code points shown; they often came in with text that was copied from elsewhere.',
    needs: ['start', 'page'],
    judge: judgeCovert,
  }),
] as const;

function judgeCovert({ start, page }: { start: ExchangeWithAnswer; page: PageFacts }): CheckOutcome {
  const found = findCovertTexts(page, start.answer.body);
  if (found.length > 0) {
    const evidence = found
      .slice(0, SHOWN)
      .map(({ where, line, excerpt }) =>
        buildEvidence(start.exchange, { selector: where, excerpt, ...(line === undefined ? {} : { line }) }),
      );
    return verdict.fail(`${formatCount(found.length, 'run')} of invisible characters that can carry text.`, evidence);
  }
  if (page.words < MIN_VISIBLE_WORDS)
    return verdict.notApplicable(`The page shows ${formatCount(page.words, 'word')}.`);
  return verdict.pass(
    'No tag characters, runs of zero-width characters or bidirectional overrides.',
    buildEvidence(start.exchange),
  );
}
