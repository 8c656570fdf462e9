import * as z from 'zod';
import { type VisibilityFix, buildVisibilityFixes, type CallerWeakSpot } from '../../../src/visibility/fixes/fixes.ts';

/** A topic of each kind: the six labels of visibility_check, and two of callers, the last one of no kind of ours. */
export const TOPICS = [
  'Being found at all',
  'Fit for an audience',
  'Solving a problem',
  'Comparison with others',
  'Price and value',
  'Trust and alternatives',
  'Alternatives and switching',
  'Delivery to islands',
] as const;

/** The texts for a single weak spot. */
export function fixOf({
  brand = 'Acme',
  niche = 'CRM for dentists',
  ...spot
}: CallerWeakSpot & { brand?: string; niche?: string }): VisibilityFix {
  const [fix] = buildVisibilityFixes({ brand, niche, weak_spots: [spot] });
  if (!fix) throw new Error('no fix for a weak spot');
  return fix;
}

const faqPage = z.strictObject({
  '@context': z.literal('https://schema.org'),
  '@type': z.literal('FAQPage'),
  mainEntity: z.array(
    z.strictObject({
      '@type': z.literal('Question'),
      name: z.string(),
      acceptedAnswer: z.strictObject({ '@type': z.literal('Answer'), text: z.string() }),
    }),
  ),
});

/** Questions and answers of the structured data, parsed back. */
export const faqOf = (fix: VisibilityFix): readonly (readonly [string, string])[] =>
  faqPage.parse(JSON.parse(fix.faq_json_ld)).mainEntity.map(({ name, acceptedAnswer }) => [name, acceptedAnswer.text]);

/** Every text of a fix, the structured data as the strings they hold. `faq_html` holds them once more. */
export const textsOf = (fix: VisibilityFix): readonly string[] => [
  fix.topic,
  fix.passage,
  fix.llms_txt_section,
  fix.verify,
  ...faqOf(fix).flat(),
  ...Object.values(fix.place),
  ...fix.facts_needed,
];
