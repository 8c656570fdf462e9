import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { hasMarkdownNegotiation } from '../facts/markdown-copies.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { buildHeaderEvidence, buildRequestEvidence, extractBodyStart } from '../../core/evidence.ts';

export const markdownChecks = [
  defineCheck({
    id: 'agent.md.negotiation',
    title: 'Accept: text/markdown returns markdown',
    failureTitle: 'Answer Accept: text/markdown with Markdown',
    weight: 3,
    grade: 'B',
    why: 'Several coding agents ask for Markdown; a page in it costs them about half the tokens of its HTML.',
    source:
      'https://acceptmarkdown.com/; https://developers.cloudflare.com/fundamentals/reference/markdown-for-agents/; RFC 9110 section 12.5.1',
    fix: 'Answer requests that prefer text/markdown with a Markdown version (a switch at some providers), and all others with HTML.',
    needs: ['markdown'],
    judge: judgeNegotiation,
  }),
  defineCheck({
    id: 'agent.md.vary',
    title: 'Negotiated responses vary on Accept',
    failureTitle: 'Send Vary: Accept with negotiated answers',
    weight: 2,
    grade: 'A',
    why: 'Without it a shared cache hands the Markdown stored for an agent to a browser, or the other way round.',
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5',
    fix: 'Send Vary: Accept with both the HTML and the Markdown answer.',
    needs: ['markdown'],
    judge: judgeVary,
  }),
  defineCheck({
    id: 'agent.md.q-values',
    title: 'Negotiation respects q-values',
    failureTitle: 'Respect q-values when you negotiate Markdown',
    weight: 1,
    grade: 'A',
    why: 'A server that only looks for the word "markdown" in Accept sends Markdown to clients that asked for HTML first. One request shows it: "text/markdown;q=0.1, text/html" must get HTML.',
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2 and #section-12.5.1',
    fix: 'Choose the representation with a parser of Accept that compares the q-values, instead of searching the header for "markdown".',
    needs: ['markdown', 'markdownPreference'],
    judge: judgeWeights,
  }),
];

function judgeNegotiation({ markdown: variant }: FactsOf<'markdown'>): CheckOutcome {
  const { asked, html, askedIs, htmlIs } = variant;
  const evidence = [buildHeaderEvidence(asked, 'content-type'), buildHeaderEvidence(html, 'content-type')];
  if (hasMarkdownNegotiation(variant))
    return verdict.pass('Markdown for who asks for it, HTML for browsers.', evidence);
  if (htmlIs === 'other')
    return verdict.notApplicable('The start page is neither HTML nor Markdown, so there is nothing to negotiate.');
  if (askedIs === 'markdown')
    return verdict.partial(0.5, 'Browsers get Markdown too: the page does not negotiate.', evidence);
  if (askedIs === 'markdown_type_only') {
    return verdict.fail(
      'The answer calls itself Markdown and is not.',
      buildRequestEvidence(asked, { excerpt: extractBodyStart(asked) }),
    );
  }
  return verdict.fail(
    askedIs === 'refused'
      ? 'The request for Markdown is refused.'
      : 'The request for Markdown gets the same kind of answer as a browser.',
    evidence,
  );
}

function judgeVary({ markdown: variant }: FactsOf<'markdown'>): CheckOutcome {
  if (!hasMarkdownNegotiation(variant))
    return verdict.notApplicable('The start page does not negotiate Markdown; see agent.md.negotiation.');
  const both = [variant.asked, variant.html];
  const careless = both.filter((exchange) => !isCacheSafe(exchange));
  const evidence = both.map((exchange) => buildHeaderEvidence(exchange, 'vary'));
  if (careless.length === 0)
    return verdict.pass('Both answers vary on Accept, or no shared cache may store them.', evidence);
  const which = careless.includes(variant.asked) ? 'Markdown' : 'HTML';
  if (careless.length === 1) return verdict.partial(0.5, `The ${which} answer does not say Vary: Accept.`, evidence);
  return verdict.fail('Neither answer says Vary: Accept.', evidence);
}

function judgeWeights({
  markdown: variant,
  markdownPreference: preference,
}: FactsOf<'markdown' | 'markdownPreference'>): CheckOutcome {
  if (!hasMarkdownNegotiation(variant))
    return verdict.notApplicable('The start page does not negotiate Markdown; see agent.md.negotiation.');
  if (preference.state === 'not_asked') return verdict.unknown('The request was not made.');
  const { exchange } = preference;
  if (preference.state === 'unreadable') return verdict.unknown(`The answer could not be read (${preference.why}).`);
  const evidence = buildHeaderEvidence(exchange, 'content-type');
  if (preference.is === 'html') return verdict.pass('A client that prefers HTML to Markdown gets HTML.', evidence);
  if (preference.is === 'refused') return verdict.fail('A client that prefers HTML to Markdown is refused.', evidence);
  return verdict.fail('A client that prefers HTML to Markdown does not get HTML.', evidence);
}

const splitTokens = (value: string | undefined): string[] =>
  (value ?? '')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim());

function isCacheSafe({ answer }: Exchange): boolean {
  if (!answer.ok) return false;
  const vary = splitTokens(answer.headers['vary']);
  if (vary.includes('accept') || vary.includes('*')) return true;
  return splitTokens(answer.headers['cache-control']).some((token) => /^(?:private|no-store)(?:$|=)/u.test(token));
}
