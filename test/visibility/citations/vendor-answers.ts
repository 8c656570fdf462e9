import type { CitedAnswer } from '../../../src/visibility/citations/cited-answers.ts';

/** Answers as the adapters give them, in the style of each vendor: how it names a source, and what the source is given for. */

const openaiText = [
  'For small teams, Example Desk is the simplest start. ([example.com](https://example.com/help-desk?utm_source=openai))',
  'Sample Support costs more but has phone lines. ([samplesupport.com](https://www.samplesupport.com/pricing?utm_source=openai))',
].join('\n\n');
const linkOf = (text: string, label: string): readonly [number, number] => {
  const from = text.indexOf(`([${label}]`);
  return [from, text.indexOf('))', from) + 2];
};

/** Annotations `url_citation` with the stretch of the link. */
export const openaiAnswer: CitedAnswer = {
  index: 0,
  text: openaiText,
  sources: [
    {
      url: 'https://example.com/help-desk?utm_source=openai',
      title: 'Help desk for small teams',
      spans: [linkOf(openaiText, 'example.com')],
    },
    {
      url: 'https://www.samplesupport.com/pricing?utm_source=openai',
      title: 'Pricing | Sample Support',
      spans: [linkOf(openaiText, 'samplesupport.com')],
    },
  ],
};

const anthropicText = 'Example Desk is often named first. Reviewers like its inbox. Prices change.';

/** Citations of text blocks: the block is the stretch, and one page is cited for several. */
export const anthropicAnswer: CitedAnswer = {
  index: 1,
  text: anthropicText,
  sources: [
    { url: 'https://www.reddit.com/r/helpdesk/comments/1/', title: 'What do you use?', spans: [[0, 35]] },
    { url: 'https://example.com/help-desk', title: 'Help desk for small teams', spans: [[35, 61]] },
    { url: 'https://www.reddit.com/r/helpdesk/comments/1/#c2', title: 'What do you use?', spans: [[35, 61]] },
  ],
};

export const googleRedirect = (id: string): string =>
  `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${id}`;
const googleText = 'Sample Support leads in most tests. Example Desk follows.';

/** Grounding chunks: redirects whose title is the host, with the segments of `groundingSupports`. */
export const googleAnswer: CitedAnswer = {
  index: 2,
  text: googleText,
  sources: [
    { url: googleRedirect('AUZIYQ1'), title: 'techradar.com', spans: [[0, 35]] },
    { url: googleRedirect('AUZIYQ2'), title: 'example.com', spans: [[36, googleText.length]] },
  ],
};

/** Search results that markers count. */
export const perplexityAnswer: CitedAnswer = {
  index: 3,
  text: 'Example Desk is easy to learn.[1][3] Sample Support has more channels.[2]',
  sources: [
    { url: 'http://example.com/help-desk#start', title: 'Help desk for small teams' },
    { url: 'https://en.wikipedia.org/wiki/Sample_Support', title: 'Sample Support' },
    { url: 'https://example.com/inbox' },
  ],
};

export const vendorAnswers: readonly CitedAnswer[] = [openaiAnswer, anthropicAnswer, googleAnswer, perplexityAnswer];
