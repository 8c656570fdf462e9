import { formatJsonForHtml } from '../../lib/safe-text.ts';

export type FaqEntry = { question: string; answer: string };

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
