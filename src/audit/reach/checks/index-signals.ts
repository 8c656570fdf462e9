import { type AnyCheck, type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { isLanguageTag, findTagMistake } from '../../language/language-families.ts';
import type { LinkTag, PageFacts } from '../../page/facts/page-facts.ts';
import { listPageDirectives } from '../../crawlers/facts/robots-directives.ts';
import { normaliseComparableUrl, listPageAddresses } from '../facts/same-page.ts';
import type { ExchangeWithAnswer } from '../facts/site-files.ts';

/** Checks of what a page says about its languages and about training, for indexes to read. */
export const indexSignalChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.index.noai-meta',
    title: 'noai and noimageai are reported, not scored',
    weight: 0,
    grade: 'D',
    why: 'No AI search vendor documents that it reads these words of the robots meta tag, so they neither help nor harm. We only say whether they stand there.',
    source:
      'DeviantArt, announcement of the noai and noimageai directives (November 2022); crawler pages of the AI search vendors, which do not name them',
    fix: 'State the policy where somebody reads it: robots.txt groups for the training crawlers and a Content-Signal line.',
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeNoAi(start, page),
  }),
  defineCheck({
    id: 'aeo.index.hreflang',
    title: 'hreflang links are valid where they are used',
    weight: 1,
    grade: 'B',
    why: 'A link with a wrong code or a relative address is dropped, and the page is then shown to readers of another language. Whether the other pages link back is not looked at: that would take a request for each.',
    source: 'Google Search Central, "Tell Google about localized versions of your page"; BCP 47 (RFC 5646)',
    fix: 'Give each language one link with a valid code and an absolute address, one of them for this page itself.',
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeHreflang(start, page),
  }),
];

function judgeNoAi({ exchange, answer }: ExchangeWithAnswer, page: PageFacts): CheckOutcome {
  const found = listPageDirectives(page, answer.headers).filter(({ name }) => name === 'noai' || name === 'noimageai');
  const [first] = found;
  if (!first) return verdict.notApplicable('Neither noai nor noimageai stands on the page.');
  const names = [...new Set(found.map(({ name }) => name))].join(' and ');
  const place = first.from === 'header' ? { header: 'x-robots-tag' } : { selector: `meta[name="${first.agent}"]` };
  return verdict.pass(
    `The page says ${names}, which no AI search vendor documents to read.`,
    buildEvidence(exchange, {
      ...place,
      excerpt: first.name,
      ...(first.line === undefined ? {} : { line: first.line }),
    }),
  );
}

/** Language links of one page that are judged. */
const MAX_LINKS = 300;

type Fault = 'code' | 'relative' | 'double';
const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  code: 'a code that names no language',
  relative: 'a relative address',
  double: 'two addresses for one code',
};

function judgeHreflang({ exchange }: ExchangeWithAnswer, page: PageFacts): CheckOutcome {
  const links = page.linkTags
    .filter(({ rels, hreflang }) => rels.includes('alternate') && hreflang !== '')
    .slice(0, MAX_LINKS);
  if (links.length === 0) return verdict.notApplicable('The page names no other language version.');
  const faults = links.flatMap((link) => {
    const fault = findHreflangFault(link, links);
    return fault ? [{ link, fault }] : [];
  });
  const names = new Set(listPageAddresses(page));
  const hasSelf = links.some(({ href }) => names.has(normaliseComparableUrl(href)));
  const evidence = (faults.length > 0 ? faults.map(({ link }) => link) : links.slice(0, 3)).map(
    ({ hreflang, rawHref, line }) =>
      buildEvidence(exchange, { selector: 'link[rel=alternate][hreflang]', line, excerpt: `${hreflang}: ${rawHref}` }),
  );
  const said = [
    ...new Set(faults.map(({ fault }) => FAULT_WORDS[fault])),
    ...(hasSelf ? [] : ['no link for the page itself']),
  ];
  const good = links.length - faults.length;
  if (said.length === 0) return verdict.pass(`All ${links.length} hreflang links are valid.`, evidence);
  const note = `${good} of ${links.length} hreflang links are valid: ${said.join('; ')}.`;
  if (good === 0) return verdict.fail(note, evidence);
  return verdict.partial(Math.round((1000 * good * (hasSelf ? 1 : 0.5)) / links.length) / 1000, note, evidence);
}

function findHreflangFault({ hreflang, rawHref, href }: LinkTag, links: readonly LinkTag[]): Fault | undefined {
  const code = hreflang.toLowerCase();
  if (code !== 'x-default' && (!isLanguageTag(hreflang) || findTagMistake(hreflang) !== undefined)) return 'code';
  if (!/^https?:\/\//i.test(rawHref.trim())) return 'relative';
  const other = links.find((link) => link.hreflang.toLowerCase() === code);
  return other !== undefined && normaliseComparableUrl(other.href) !== normaliseComparableUrl(href)
    ? 'double'
    : undefined;
}
