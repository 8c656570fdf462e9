import { type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { selectCitationsToRead, type LinkVerdict, classifyCitationLink } from '../facts/citations.ts';
import { isPrimarySource } from '../facts/primary-sources.ts';
import { PRIMARY_SOURCES_DATE } from '../facts/primary-sources-data.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import type { TextEvidence } from '../facts/text-evidence.ts';
import type { Site } from '../../core/site.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { formatCount } from '../../core/wording.ts';

const SHOWN = 3;
const RESOLVING = { passAt: 1, partialAt: 0.5 };

type Facts = { start: ExchangeWithAnswer; textEvidence: TextEvidence };

/** Checks of what the page rests on. */
export const citationChecks = [
  defineCheck({
    id: 'geo.evidence.authoritative-domains',
    title: 'A primary source is among those cited',
    weight: 1,
    grade: 'C',
    why: 'Citing sources helped in the controlled experiment; that they are authorities is common sense, not measured (an authoritative tone made no significant difference). Encyclopaedias are no primary sources.',
    source: `Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024, https://arxiv.org/abs/2311.09735, Table 1: Authoritative 21.3, not significant; list of domains of ${PRIMARY_SOURCES_DATE}`,
    fix: 'Link the law, standard, study or statistic itself beside, or instead of, what others wrote about it.',
    needs: ['start', 'textEvidence'],
    judge: judgeAuthority,
  }),
  defineCheck({
    id: 'geo.evidence.links-resolve',
    title: 'Cited sources resolve',
    weight: 1,
    grade: 'B',
    why: 'A proof that nobody can open any more proves nothing. The first five links are tried, two of one site at most; a refusal of our request is not counted against them.',
    source: 'RFC 9110, sections 15.5.5 and 15.5.11 (404 and 410), https://www.rfc-editor.org/rfc/rfc9110',
    fix: 'Replace the dead links shown by the present address of the document, an archived copy or another source.',
    needs: ['start', 'textEvidence', 'citations'],
    judge: judgeLinks,
  }),
] as const;

const NO_CITATION = 'The main text cites no external source; see geo.evidence.cited-sources.';

function judgeAuthority({ start, textEvidence: { sources } }: Facts): CheckOutcome {
  if (sources.length === 0) return verdict.notApplicable(NO_CITATION);
  const primary = sources.filter(({ href }) => isPrimarySource(href));
  const domains = new Set(sources.map(({ domain }) => domain)).size;
  const note = `${formatCount(primary.length, 'link')} of ${sources.length} (on ${formatCount(domains, 'domain')}) lead to primary sources.`;
  const evidence = (primary.length > 0 ? primary : sources)
    .slice(0, SHOWN)
    .map(({ href, line }) => buildEvidence(start.exchange, { line, excerpt: href }));
  return primary.length > 0 ? verdict.pass(note, evidence) : verdict.fail(note, evidence);
}

function judgeLinks(
  { start, textEvidence, citations }: Facts & { citations: readonly Exchange[] },
  site: Site,
): CheckOutcome {
  if (textEvidence.sources.length === 0) return verdict.notApplicable(NO_CITATION);
  if (site.local) return verdict.notApplicable('Links of a site on a private host are not followed.');
  const wanted = selectCitationsToRead(textEvidence.sources).length;
  if (citations.length === 0)
    return verdict.unknown(
      'The cited links were not asked: the budget of requests was used up.',
      buildEvidence(start.exchange),
    );
  const judged = citations.map((exchange) => ({ exchange, link: classifyCitationLink(exchange) }));
  const of = (link: LinkVerdict): readonly Exchange[] =>
    judged.filter((one) => one.link === link).map(({ exchange }) => exchange);
  const [resolving, dead, unclear] = [of('resolves'), of('dead'), of('unknown')];
  const evidence = [...dead, ...unclear, ...resolving].map((exchange) =>
    buildEvidence(exchange, { selector: 'main a[href]' }),
  );
  const aside = unclear.length === 0 ? '' : ` ${unclear.length} gave us no answer to judge.`;
  const note = `${resolving.length} of ${formatCount(wanted, 'cited link')} resolve, ${dead.length} are dead.${aside}`;
  const checked = resolving.length + dead.length;
  return checked === 0
    ? verdict.unknown(note, evidence)
    : verdict.byShare(resolving.length / checked, RESOLVING, note, evidence);
}
