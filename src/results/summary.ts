import { scoreNames } from '../audit/core/check.ts';
import { getEffort } from '../audit/core/fix-order.ts';
import { countUtf8Bytes } from '../lib/utf8.ts';
import { formatPlainLine } from '../lib/safe-text.ts';
import {
  type BoughtResult,
  countAskedAnswers,
  type CountedCheck,
  getBrandReport,
  listCountedChecks,
  type ScoreOf,
} from './bought.ts';
import { formatHeadline } from './headline.ts';
import { formatReportUrl, formatSectionUrl, type ReportPlace } from './links.ts';
import { findGains, listFixes, listSuggestions } from './listed-fixes.ts';
import { countResultSections } from './sections.ts';
import type { ResultSummary, SummaryMembers } from './summary-shape.ts';

/** What a summary names of each list, so that it stays within 8 KB. */
const MAX_FIRST = 5;
const MAX_FILES = 12;
const MAX_WARNINGS = 6;
const MAX_WARNING_CHARS = 240;
const MAX_REASON_CHARS = 240;
const MAX_RIVALS = 5;
const MAX_NAME_CHARS = 80;

/**
 * The summary of a result.
 * @param place where the report can be read; undefined for a result that is stored nowhere
 */
export const buildSummary = (result: BoughtResult, place: ReportPlace | undefined): ResultSummary => ({
  view: 'summary',
  ...buildSummaryMembers(result, place),
});

/** The same members, which the standard view begins with. */
export function buildSummaryMembers(result: BoughtResult, place: ReportPlace | undefined): SummaryMembers {
  const { capability, url, sites, categories } = result;
  const said = {
    ...pickScores((sites?.url ?? result).scores),
    ...(sites === undefined ? {} : { competitor_scores: pickScores(sites.competitor.scores).scores ?? {} }),
    ...(categories === undefined ? {} : { categories: categories.map(pickCategory) }),
    ...countStatuses(listCountedChecks(result).filter(({ site }) => site !== 'competitor')),
    ...describeMeasured(result),
    do_first: listFirstFixes(result),
  };
  const { do_first, ...facts } = said;
  return {
    capability,
    ...(url === undefined ? {} : { url }),
    ...(place === undefined ? {} : { report_id: place.reportId, report_url: formatReportUrl(place) }),
    headline: formatHeadline({ ...said, files: result.files?.length ?? 0 }),
    ...facts,
    do_first,
    ...describeFiles(result),
    ...countRequests(result),
    warnings: listWarnings(result),
    evidence: quoteForeign(result),
    sections: countResultSections(result).map(({ name, count }) => ({
      name,
      ...(count === undefined ? {} : { count }),
      ...(place === undefined ? {} : { url: formatSectionUrl(place, name) }),
    })),
    ...pickPurchase(result),
  };
}

const PURCHASE = ['statement', 'publish_token', 'payment', 'receipt'] as const;

/** What is signed of the result, and what is its buyer's. */
const pickPurchase = (result: BoughtResult): Pick<SummaryMembers, (typeof PURCHASE)[number]> =>
  Object.fromEntries(PURCHASE.flatMap((name) => (result[name] === undefined ? [] : [[name, result[name]]])));

type Scores = BoughtResult['scores'];

function pickScores(given: Scores): Pick<SummaryMembers, 'scores' | 'not_applicable'> {
  if (given === undefined) return {};
  const named = scoreNames.flatMap((name): [ScoreOf, NonNullable<NonNullable<Scores>[ScoreOf]>][] => {
    const one = given[name];
    return one === undefined ? [] : [[name, one]];
  });
  const applying = named.filter(([, one]) => one.applies !== false);
  const left = named.filter(([, one]) => one.applies === false);
  return {
    scores: Object.fromEntries(
      applying.map(([name, { score, grade, coverage }]) => [name, { score, grade, coverage }]),
    ),
    ...(left.length === 0
      ? {}
      : {
          not_applicable: left.map(([score, { reason = '' }]) => ({
            score,
            reason: formatPlainLine(reason, MAX_REASON_CHARS),
          })),
        }),
  };
}

const pickCategory = ({ category, winner, difference }: NonNullable<BoughtResult['categories']>[number]) => ({
  category,
  winner,
  difference,
});

function countStatuses(checks: readonly CountedCheck[]): Pick<SummaryMembers, 'counts'> {
  if (checks.length === 0) return {};
  const counts = { pass: 0, partial: 0, fail: 0, not_applicable: 0, unknown: 0 };
  for (const { status } of checks) counts[status] += 1;
  return { counts };
}

function describeMeasured(result: BoughtResult): Pick<SummaryMembers, 'measurement'> {
  const { brands, prompts, verdict, p_value, engine, engines, degraded = false } = result;
  const mine = getBrandReport(result);
  const { mention_rate } = mine;
  if (mention_rate === undefined || prompts === undefined) return {};
  const other = brands?.competitor.mention_rate;
  return {
    measurement: {
      mention_rate,
      ...(other === undefined ? {} : { competitor_mention_rate: other }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(p_value === undefined ? {} : { p_value }),
      rivals: mine.rivals?.length ?? 0,
      valid: prompts.valid ?? (engines ?? []).reduce((sum, { valid }) => sum + valid, 0),
      total: countAskedAnswers(result),
      simulated: engine?.simulated ?? engines?.some((one) => one.simulated) ?? false,
      degraded,
    },
  };
}

function listFirstFixes(result: BoughtResult): SummaryMembers['do_first'] {
  const named = new Set(listSuggestions(result).map(({ check_id }) => check_id));
  const hasTopics = result.capability === 'visibility_fix_pack';
  return listFixes(result)
    .filter(({ id }) => hasTopics || named.has(id))
    .slice(0, MAX_FIRST)
    .map(({ id, title, status, state }) => {
      const gains = findGains(result, id);
      return {
        id,
        title,
        ...(gains === undefined || Object.keys(gains).length === 0 ? {} : { gains }),
        ...(hasTopics ? {} : { effort: getEffort(id) }),
        ...(status === undefined ? {} : { status }),
        ...(state === undefined ? {} : { state }),
      };
    });
}

function describeFiles({ files }: BoughtResult): Pick<SummaryMembers, 'files'> {
  if (files === undefined) return {};
  return {
    files: files.slice(0, MAX_FILES).map(({ path, media_type, content, draft = false }) => ({
      path,
      media_type,
      bytes: countUtf8Bytes(content),
      draft,
    })),
  };
}

function countRequests({ sites, requests: own }: BoughtResult): Pick<SummaryMembers, 'coverage'> {
  const requests = sites === undefined ? own : [...(sites.url.requests ?? []), ...(sites.competitor.requests ?? [])];
  if (requests === undefined) return {};
  const failed = requests.filter(({ status }) => status === null).length;
  return { coverage: { requests: requests.length, answered: requests.length - failed, failed } };
}

function listWarnings({ warnings }: BoughtResult): string[] {
  const shown = warnings.slice(0, MAX_WARNINGS).map((text) => formatPlainLine(text, MAX_WARNING_CHARS));
  const left = warnings.length - shown.length;
  return left === 0 ? shown : [...shown, `${left} more: read the report with view=full`];
}

/** Names that engines gave and topics that a caller gave: none of it is ours. */
function quoteForeign(result: BoughtResult): SummaryMembers['evidence'] {
  const { rivals, weak_spots: spots } = getBrandReport(result);
  const { brand, competitor_brand } = result;
  return {
    untrusted: true,
    ...(brand === undefined ? {} : { brand }),
    ...(competitor_brand === undefined ? {} : { competitor_brand }),
    ...(rivals === undefined || rivals.length === 0
      ? {}
      : {
          rivals: rivals
            .slice(0, MAX_RIVALS)
            .map(({ name, mentioned }) => ({ name: formatPlainLine(name, MAX_NAME_CHARS), mentioned })),
        }),
    ...(spots === undefined
      ? {}
      : {
          weak_spots: spots.map(({ topic, who_wins }) => ({
            topic: formatPlainLine(topic, MAX_NAME_CHARS),
            ...(who_wins === undefined ? {} : { who_wins: formatPlainLine(who_wins, MAX_NAME_CHARS) }),
          })),
        }),
  };
}
