import { type AnyCheck, type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import { formatCount } from '../../core/wording.ts';

/** Checks of what images say to readers of text. */
export const pageMediaChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.media.alt',
    title: 'Images carry alternative text',
    weight: 1,
    grade: 'B',
    why: 'What an image shows exists for a reader of text only by its alt attribute. An empty one is right for decoration and counts; images marked as decorative by their role, or of one pixel, are left out.',
    source: 'WCAG 2.2, success criterion 1.1.1; HTML, section 4.8.4.4 (alt)',
    fix: 'Give each image in the evidence an alt text that says what it shows, or alt="" when it only decorates.',
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeAlt(start, page),
  }),
];

function judgeAlt({ exchange }: ExchangeWithAnswer, page: PageFacts): CheckOutcome {
  const images = page.images.filter(
    ({ decorative, hidden }) => !decorative && (hidden === undefined || hidden === 'aria-hidden'),
  );
  if (images.length === 0) return verdict.notApplicable('The page has no image of content.');
  const without = images.filter(({ alt }) => alt === null);
  const good = images.length - without.length;
  const note = `${good} of ${formatCount(images.length, 'image')} have an alt attribute.`;
  const evidence = without
    .slice(0, 10)
    .map(({ line, src }) => buildEvidence(exchange, { selector: 'img:not([alt])', line, excerpt: src }));
  return verdict.byShare(
    good / images.length,
    { passAt: 0.9, partialAt: 0.6 },
    note,
    evidence.length > 0 ? evidence : buildEvidence(exchange, { selector: 'img[alt]' }),
  );
}
