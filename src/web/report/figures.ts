import * as z from 'zod';
import { scoreNames } from '../../audit/core/check.ts';
import { formatPercent } from '../../lib/numbers.ts';
import type { PageLanguage } from '../language/language.ts';
import { reportWords } from './page-words.ts';
import { SCORES } from './parts/words.ts';

/** A main figure of a report, as its summary names it. */
export type MainFigure = { name: string; value: string };

const score = z.object({ score: z.number(), coverage: z.number(), applies: z.literal(false).optional() });
const scores = z.partialRecord(z.enum(scoreNames), score);
const rate = z.object({ value: z.number() });
const status = z.object({ status: z.string() });
const list = z.array(z.unknown());

/** What of each result is a figure that says most of it; a result has one of these shapes. */
const audited = z.object({ scores });
const compared = z.object({ sites: z.object({ url: audited, competitor: audited }) });
const checked = z.object({ checks: z.array(status) });
const measured = z.object({ mention_rate: rate, recommendation_rate: rate });
const versus = z.object({
  brands: z.object({ brand: z.object({ mention_rate: rate }), competitor: z.object({ mention_rate: rate }) }),
});
const pooled = z.object({ pooled: measured });
const withTopics = z.object({ niche: z.string(), fixes: list });
const withFiles = z.object({ files: list });

type Scores = z.infer<typeof scores>;

/** The scores that say something, or the main figure of a report without scores; empty where there is none. */
export function listMainFigures(json: unknown, language: PageLanguage): readonly MainFigure[] {
  const names = reportWords[language].figures;
  const site = audited.safeParse(json);
  if (site.success) return listScoreFigures(site.data.scores);
  const both = compared.safeParse(json);
  if (both.success) return listScorePairs(both.data.sites.url.scores, both.data.sites.competitor.scores);
  const some = checked.safeParse(json);
  if (some.success) {
    const count = (...wanted: string[]): string =>
      String(some.data.checks.filter((one) => wanted.includes(one.status)).length);
    return [
      { name: names.passed, value: count('pass') },
      { name: names.failed, value: count('fail', 'partial') },
    ];
  }
  const brand = measured.safeParse(json).data ?? pooled.safeParse(json).data?.pooled;
  if (brand !== undefined)
    return [
      { name: names.named, value: formatPercent(brand.mention_rate.value) },
      { name: names.recommended, value: formatPercent(brand.recommendation_rate.value) },
    ];
  const pair = versus.safeParse(json);
  if (pair.success) {
    const { brand: one, competitor: other } = pair.data.brands;
    const value = `${formatPercent(one.mention_rate.value)} : ${formatPercent(other.mention_rate.value)}`;
    return [{ name: names.named, value }];
  }
  return listCounts(json, names);
}

function listCounts(json: unknown, names: Readonly<Record<'topics' | 'files', string>>): readonly MainFigure[] {
  const topics = withTopics.safeParse(json);
  if (topics.success) return [{ name: names.topics, value: String(topics.data.fixes.length) }];
  const files = withFiles.safeParse(json);
  return files.success ? [{ name: names.files, value: String(files.data.files.length) }] : [];
}

const NO_FIGURE = '–';

const isShown = (one: Scores['aeo']): one is NonNullable<Scores['aeo']> =>
  one !== undefined && one.applies !== false && one.coverage > 0;

/** Scores that do not apply are left out, unless there is no other. */
function listScoreFigures(found: Scores): readonly MainFigure[] {
  const asked = scoreNames.filter((name) => found[name] !== undefined);
  const shown = asked.filter((name) => isShown(found[name]));
  return (shown.length === 0 ? asked : shown).map((name) => {
    const one = found[name];
    return { name: SCORES[name], value: isShown(one) ? String(one.score) : NO_FIGURE };
  });
}

const listScorePairs = (own: Scores, other: Scores): readonly MainFigure[] =>
  scoreNames.flatMap((name) => {
    const [one, second] = [own[name], other[name]];
    return isShown(one) && isShown(second) ? [{ name: SCORES[name], value: `${one.score} : ${second.score}` }] : [];
  });
