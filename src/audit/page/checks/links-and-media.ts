import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { type Anchor, listInternalLinks, type PageFacts } from '../facts/page-facts.ts';
import { isGenericLinkText } from '../../text/facts/link-words.ts';

/** Checks of the links by which readers and agents move through the site, and of what images say to readers of text. */
export const pageLinkChecks = [
  defineCheck({
    id: 'aeo.links.anchor-text',
    title: 'Link text is descriptive',
    failureTitle: 'Write link texts that say where they lead',
    weight: 1,
    grade: 'B',
    why: 'An agent chooses a link by its text: "read more" and "here" name no target. Judged by a list in twelve languages; a link with an aria-label is taken as named.',
    source: 'Lighthouse, link-text audit; WCAG 2.2, success criterion 2.4.4',
    fix: 'Let the text of each link in the evidence name its target, or add an aria-label that does.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeTexts,
  }),
  defineCheck({
    id: 'aeo.links.nofollow-internal',
    title: 'No nofollow on internal links',
    failureTitle: 'Remove nofollow from internal links',
    weight: 1,
    grade: 'A',
    why: 'nofollow asks crawlers not to find a page of your own through this link. Links to login, account and cart are left out: there it is wanted.',
    source: 'Google Search Central, "Qualify your outbound links to Google"',
    fix: 'Remove rel="nofollow" from links inside the site; use robots.txt or noindex for what should stay out of indexes.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeNofollow,
  }),
  defineCheck({
    id: 'aeo.media.alt',
    title: 'Images carry alternative text',
    failureTitle: 'Add alternative text to images',
    weight: 1,
    grade: 'B',
    why: 'What an image shows exists for a reader of text only by its alt attribute. An empty one is right for decoration and counts; images marked as decorative by their role, or of one pixel, are left out.',
    source: 'WCAG 2.2, success criterion 1.1.1; HTML, section 4.8.4.4 (alt)',
    fix: 'Give each image in the evidence an alt text that says what it shows, or alt="" when it only decorates.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeAlt,
  }),
];

function judgeTexts({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const links = listInternalLinks(page);
  if (links.length === 0) return verdict.notApplicable('The page has no internal link.');
  const generic = listUnlabelledLinks(
    links.filter(({ text }) => isGenericLinkText(text)),
    page,
  );
  const note = `${generic.length} of ${links.length} internal links have a text that names no target.`;
  const evidence = generic
    .slice(0, 10)
    .map(({ line, text, href }) =>
      buildEvidence(exchange, { selector: 'a[href]', line, excerpt: `${text} -> ${href}` }),
    );
  return verdict.byShare(
    1 - generic.length / links.length,
    { passAt: 0.9, partialAt: 0.7 },
    note,
    evidence.length > 0 ? evidence : buildEvidence(exchange, { selector: 'a[href]' }),
  );
}

/** Links without an aria-label: each label on a line makes up for one link of that line. */
function listUnlabelledLinks(links: readonly Anchor[], page: PageFacts): readonly Anchor[] {
  const labels = new Map<number, number>();
  for (const { tag, attributes, line } of page.aria) {
    const label = attributes['aria-label'] ?? '';
    const named = (label !== '' && !isGenericLinkText(label)) || (attributes['aria-labelledby'] ?? '') !== '';
    if (tag === 'a' && named) labels.set(line, (labels.get(line) ?? 0) + 1);
  }
  return links.filter(({ line }) => {
    const left = labels.get(line) ?? 0;
    labels.set(line, left - 1);
    return left <= 0;
  });
}

const PRIVATE_PATH =
  /(?:^|[/_-])(?:log-?in|log-?out|sign-?in|sign-?up|sign-?out|register|account|my-account|cart|basket|checkout|wishlist|warenkorb|konto|anmelden|panier|connexion|carrito|cuenta)(?:$|[/_.-])/i;

const FAIR_SHARE = 0.1;

function judgeNofollow({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const links = listInternalLinks(page).filter(({ href }) => !PRIVATE_PATH.test(new URL(href).pathname));
  if (links.length === 0) return verdict.notApplicable('The page has no internal link to follow.');
  const closed = links.filter(({ rels }) => rels.includes('nofollow'));
  const note = `${closed.length} of ${links.length} internal links are nofollow.`;
  if (closed.length === 0) return verdict.pass(note, buildEvidence(exchange, { selector: 'a[href]' }));
  const evidence = closed
    .slice(0, 10)
    .map(({ line, rawHref }) => buildEvidence(exchange, { selector: 'a[rel~=nofollow]', line, excerpt: rawHref }));
  return closed.length / links.length <= FAIR_SHARE
    ? verdict.partial(0.5, note, evidence)
    : verdict.fail(note, evidence);
}

function judgeAlt({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
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
