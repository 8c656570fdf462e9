import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import { type Copy, copyAddresses, type CopyPlace, type MarkdownCopies } from '../facts/markdown-copies.ts';
import { type MarkdownQuality, getMarkdownQuality } from '../facts/markdown-quality.ts';
import type { Site } from '../../core/site.ts';
import { buildHeaderEvidence, buildRequestEvidence } from '../../core/evidence.ts';

const LLMS_TXT = 'https://llmstxt.org/ (v2, August 2026)';
/** Links that evidence shows. */
const MAX_SHOWN = 10;
/** Share of the HTML's characters that a copy may have, and lines that may precede its first heading. */
const SMALL = 0.5;
const SMALLER = 0.8;
const MAX_TAG_SHARE = 0.05;
const MAX_LINES_ABOVE = 20;

/** Checks of the Markdown copy of the start page: how it is found, and what it is made of. */
export const markdownCopyChecks = [
  defineCheck({
    id: 'agent.md.suffix',
    title: 'URL + .md works',
    failureTitle: 'Serve a Markdown copy at the address plus .md',
    weight: 1,
    grade: 'B',
    why: 'An agent that knows the address of a page can guess that of its copy, without a request for the page. Both forms of llms.txt v2 are tried (page.md and page.html.md, index.md and index.html.md).',
    source: `${LLMS_TXT}: Markdown versions of pages`,
    fix: 'Serve the Markdown of every page at its address with .md appended, as text/markdown, and answer 404 where there is none.',
    needs: ['markdownCopies'],
    judge: judgeSuffix,
  }),
  defineCheck({
    id: 'agent.md.alternate-link',
    title: 'rel=alternate type=text/markdown',
    failureTitle: 'Link the Markdown copy from the page',
    weight: 1,
    grade: 'B',
    why: 'The link is how a page says that it has a Markdown copy; without it an agent has to guess the address.',
    source: `${LLMS_TXT}; https://html.spec.whatwg.org/multipage/links.html#rel-alternate`,
    fix: 'Add <link rel="alternate" type="text/markdown" href="..."> to every page that has a copy, with the address of the copy.',
    needs: ['markdownCopies'],
    judge: judgeLink,
  }),
  defineCheck({
    id: 'agent.md.canonical',
    title: 'Markdown copy names its canonical',
    failureTitle: 'Name the page in its Markdown copy',
    weight: 1,
    grade: 'B',
    why: 'An answer that cites the copy instead of the page sends people to raw Markdown. A copy that shares the address of its page needs no such line, so only copies with an address of their own are judged.',
    source: 'https://www.rfc-editor.org/rfc/rfc6596; a14y markdown.canonical-header',
    fix: 'Send Link: <address of the page>; rel="canonical" with the copy, or name it as "canonical:" in its front matter.',
    needs: ['markdownCopies'],
    judge: ({ markdownCopies }) => onCopy(markdownCopies, judgeCanonical),
  }),
  defineCheck({
    id: 'agent.md.size-win',
    title: 'Markdown is smaller',
    failureTitle: 'Make the Markdown copy smaller than the HTML',
    weight: 1,
    grade: 'B',
    why: 'Saving characters is what the copy is for: every one of them costs an agent part of its context.',
    source: 'a14y size-reduction (draft): half the characters of the HTML, at most four fifths',
    fix: 'Leave navigation, scripts, styles and repeated footers out of the Markdown.',
    needs: ['markdownCopies'],
    judge: ({ markdownCopies }) => onCopy(markdownCopies, judgeSize),
  }),
  defineCheck({
    id: 'agent.md.valid',
    title: 'Markdown is clean',
    failureTitle: 'Remove leftover HTML and open fences from the Markdown copy',
    weight: 1,
    grade: 'B',
    why: 'An open code fence turns the rest of a page into code, and half-converted HTML costs what the copy should save. One fault of the four (fence, tags, heading, menu above the heading) counts half.',
    source:
      'https://spec.commonmark.org/0.31.2/#fenced-code-blocks; Agent-Friendly Docs Spec 0.5.0, markdown-code-fence-validity',
    fix: 'Close every code fence, convert the tags that are left, and begin with the heading of the page instead of its menu.',
    needs: ['markdownCopies'],
    judge: ({ markdownCopies }) => onCopy(markdownCopies, judgeClean),
  }),
  defineCheck({
    id: 'agent.md.links-portable',
    title: 'Links in markdown are absolute or resolvable',
    failureTitle: 'Make links of the Markdown copy absolute',
    weight: 1,
    grade: 'B',
    why: 'A copy is read away from its page: a link relative to the folder leads elsewhere, or nowhere.',
    source: 'Agent-Friendly Docs Spec 0.5.0, markdown-link-portability; RFC 3986 section 5',
    fix: 'Write links as https://... or from the root (/path).',
    needs: ['markdownCopies'],
    judge: ({ markdownCopies }) => onCopy(markdownCopies, judgeLinks),
  }),
];

/** Puts the question for a copy in front of a judge. */
function onCopy(copies: MarkdownCopies, judge: (copy: Copy, copies: MarkdownCopies) => CheckOutcome): CheckOutcome {
  const { copy } = copies;
  if (copy === 'none') return verdict.notApplicable('The start page has no Markdown copy.');
  if (copy === 'unknown') return verdict.unknown('Whether the start page has a Markdown copy could not be seen.');
  return judge(copy, copies);
}

function judgeSuffix({ markdownCopies: copies }: FactsOf<'markdownCopies'>, site: Site): CheckOutcome {
  const { link, alternate, suffixes, negotiated } = copies;
  if (negotiated === true && !link)
    return verdict.notApplicable('The page itself answers in Markdown, so no second address is needed.');
  const addresses: readonly string[] = copyAddresses(site.start);
  const named = link && alternate && addresses.includes(link.href) ? [alternate] : [];
  const places = [...named, ...suffixes];
  const at = (is: CopyPlace['is']): CopyPlace | undefined => places.find((place) => place.is === is);
  const evidence = places.map(({ exchange }) => buildHeaderEvidence(exchange, 'content-type'));
  const good = at('markdown');
  if (good)
    return verdict.pass(
      'The address of the page with .md holds its Markdown.',
      buildHeaderEvidence(good.exchange, 'content-type'),
    );
  const other = at('other_type');
  if (other)
    return verdict.partial(
      0.5,
      'The copy is there and is not served as text/markdown.',
      buildHeaderEvidence(other.exchange, 'content-type'),
    );
  if (places.length === 0 || at('unknown') || negotiated === 'unknown')
    return verdict.unknown('An address of the copy could not be read.', evidence);
  if (at('html')) return verdict.fail('The address with .md answers 200 with an HTML page.', evidence);
  return verdict.fail(`Markdown is at none of the addresses with .md that were asked (${places.length}).`, evidence);
}

function judgeLink({ markdownCopies: { start, link, alternate, copy } }: FactsOf<'markdownCopies'>): CheckOutcome {
  if (!link) {
    if (copy === 'none')
      return verdict.notApplicable('The start page has no Markdown copy, so there is nothing to link.');
    if (copy === 'unknown') return verdict.unknown('Whether the start page has a Markdown copy could not be seen.');
    return verdict.partial(0.5, 'There is a Markdown copy, and the page does not link it.', [
      buildRequestEvidence(copy.exchange),
      buildRequestEvidence(start.exchange),
    ]);
  }
  const at = link.from === 'header' ? { header: 'link' } : { selector: 'link[rel~=alternate]', line: link.line ?? 1 };
  const evidence = [
    buildRequestEvidence(start.exchange, { ...at, excerpt: link.href }),
    ...(alternate ? [buildHeaderEvidence(alternate.exchange, 'content-type')] : []),
  ];
  if (!alternate) return verdict.unknown('The linked copy is on a host of another owner, which is not read.', evidence);
  if (alternate.is === 'markdown') return verdict.pass('The page links its Markdown copy.', evidence);
  if (alternate.is === 'other_type')
    return verdict.partial(0.5, 'The linked copy is not served as text/markdown.', evidence);
  if (alternate.is === 'unknown') return verdict.unknown('The linked copy could not be read.', evidence);
  return verdict.fail('The page links a Markdown copy, and its address does not hold one.', evidence);
}

function judgeCanonical({ exchange, answer, own }: Copy, { start }: MarkdownCopies): CheckOutcome {
  const quality = getMarkdownQuality(answer);
  const header = parseLinkHeader(answer.headers['link'] ?? '').find(({ rels }) => rels.includes('canonical'));
  const named = header ?? quality.named;
  if (!named) {
    return own
      ? verdict.fail('The copy does not name the page that it is a copy of.', buildHeaderEvidence(exchange, 'link'))
      : verdict.notApplicable('The copy has no address of its own: who cites it cites the page.');
  }
  const at = header ? { header: 'link' } : { selector: 'front matter', line: quality.named?.line ?? 1 };
  const evidence = buildRequestEvidence(exchange, { ...at, excerpt: named.href });
  const page = isHtmlAnswer(start.answer) ? getPageFacts(start.answer).canonicals.map(({ href }) => href) : [];
  const meant = [start.answer.url, start.exchange.url, ...page].map(withoutFragment);
  const url = URL.parse(named.href, answer.url);
  return url && meant.includes(withoutFragment(url.href))
    ? verdict.pass('The copy names the page that it is a copy of.', evidence)
    : verdict.fail('The copy names another address than that of its page.', evidence);
}

const withoutFragment = (url: string): string => url.split('#')[0] ?? url;

function judgeSize({ exchange, answer }: Copy, { start }: MarkdownCopies): CheckOutcome {
  if (!isHtmlAnswer(start.answer)) return verdict.notApplicable('The start page is no HTML to compare the copy with.');
  if (answer.truncated || start.answer.truncated) return verdict.unknown('One of the two is larger than we read.');
  const share = answer.body.length / Math.max(1, start.answer.body.length);
  const note = `${answer.body.length} characters of Markdown for ${start.answer.body.length} of HTML (${formatShare(share)}).`;
  const evidence = [buildRequestEvidence(exchange), buildRequestEvidence(start.exchange)];
  if (share <= SMALL) return verdict.pass(note, evidence);
  return share <= SMALLER ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function judgeClean({ exchange, answer }: Copy): CheckOutcome {
  const faults = listQualityFaults(getMarkdownQuality(answer), answer.truncated);
  const evidence = faults.map(({ text, line }) =>
    buildRequestEvidence(exchange, { ...(line === undefined ? {} : { line }), excerpt: text }),
  );
  if (faults.length === 0)
    return verdict.pass(
      'Fences close, hardly any tags are left, and a heading comes first.',
      buildRequestEvidence(exchange),
    );
  const note = `${formatCount(faults.length, 'fault')}: ${faults.map(({ text }) => text).join('; ')}.`;
  return faults.length === 1 ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function listQualityFaults(quality: MarkdownQuality, truncated: boolean): readonly { text: string; line?: number }[] {
  const { openFence, tagShare, heading } = quality;
  return [
    // A text that we cut may close its fence further down.
    ...(openFence !== undefined && !truncated ? [{ text: 'a code fence never closes', line: openFence }] : []),
    ...(tagShare >= MAX_TAG_SHARE ? [{ text: `${formatShare(tagShare)} of the text are HTML tags` }] : []),
    ...(heading ? [] : [{ text: 'there is no heading' }]),
    ...(heading && heading.above >= MAX_LINES_ABOVE
      ? [{ text: `${heading.above} lines are above the first heading`, line: heading.line }]
      : []),
  ];
}

const isPortable = (href: string): boolean => /^(?:[a-z][a-z\d+.-]{0,30}:|\/)/iu.test(href);

function judgeLinks({ exchange, answer }: Copy): CheckOutcome {
  const links = getMarkdownQuality(answer).links.filter(({ href }) => href !== '' && !href.startsWith('#'));
  if (links.length === 0) return verdict.notApplicable('The Markdown copy has no links.');
  const bound = links.filter(({ href }) => !isPortable(href));
  const share = 1 - bound.length / links.length;
  const evidence = bound
    .slice(0, MAX_SHOWN)
    .map(({ href, line }) => buildRequestEvidence(exchange, { line, excerpt: href }));
  const note = `${links.length - bound.length} of ${formatCount(links.length, 'link')} lead to the same place from everywhere.`;
  return verdict.byShare(
    share,
    { passAt: 0.95, partialAt: 0.5 },
    note,
    bound.length === 0 ? buildRequestEvidence(exchange) : evidence,
  );
}
