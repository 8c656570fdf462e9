import { formatPercent } from '../../lib/numbers.ts';
import { SIGNIFICANCE } from '../../visibility/metrics/statistics.ts';
import type { ComparedQuery, ComparedFigure, SourceComparison } from '../../visibility/imports/compare.ts';
import type { FirstPartyImport } from '../../visibility/imports/first-party.ts';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import type { FirstPartyReport } from './first-party-report.ts';
import { type FirstPartyWords, firstPartyWords } from './first-party-words.ts';
import { noteWords } from './note-words.ts';
import { sourceWords } from './source-words.ts';

/** A cell: text of the file or of a model, or a number in our words. `lang`: the text around it stays in English. */
export type SectionCell = { foreign: string; lang?: 'en' | undefined } | string;
export type SectionTable = {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly SectionCell[])[];
  of: number;
};
/** One part of a report: sentences, then tables. Text, Markdown and pages all show these. */
export type FirstPartySection = {
  title: SectionCell;
  texts: readonly SectionCell[];
  lists: readonly { label: string; text: string }[];
  tables: readonly SectionTable[];
};

type At = { language: PageLanguage; maxRows: number };

/** A report in sections, in the order in which it is read. */
export function listFirstPartySections(report: FirstPartyReport, at: At): readonly FirstPartySection[] {
  const imported = report.imports.map((one) => describeImport(one, at));
  const { measurement, comparison } = report;
  if (measurement === null || comparison === null) return imported;
  const words = firstPartyWords[at.language];
  const { brand, answers, engines, mention_rate: rate } = measurement;
  const head: FirstPartySection = {
    title: { foreign: words.beside(brand) },
    texts: [
      { foreign: words.measured(answers, engines.join(', ')) },
      ...(rate === null
        ? []
        : [words.mentioned(formatPercent(rate.value), formatPercent(rate.low), formatPercent(rate.high))]),
    ],
    lists: listSight(words, sourceWords[at.language].panel),
    tables: [],
  };
  return [...imported, head, ...comparison.map((one, place) => describeComparison(one, report.imports[place], at))];
}

const listSight = (words: FirstPartyWords, { sees, blind }: { sees: string; blind: string }) => [
  { label: words.sees, text: sees },
  { label: words.blind, text: blind },
];

function describeImport(one: FirstPartyImport, { language, maxRows }: At): FirstPartySection {
  const words = firstPartyWords[language];
  const { from, to, total, total_of: totalOf, version, known } = one;
  const at = { words, counted: words.counts[one.counts], maxRows };
  return {
    title: one.title,
    texts: [
      from === null || to === null ? words.noPeriod : words.period(from, to),
      ...(total === null || totalOf === null
        ? []
        : [words.total(String(total), one.counts, noteWords[language].tables[totalOf])]),
      `${words.version(version)} ${known === 'docs' ? words.neverSeen : words.asOthers}`,
      ...listNotRead(one, language),
      ...listImportNotes(one, language),
    ],
    lists: listSight(words, sourceWords[language][one.source]),
    tables: [
      ...buildCountTable(one.pages, { caption: words.pages, name: words.page, read: ({ page }) => page }, at),
      ...buildCountTable(one.queries, { caption: words.queries, name: words.query, read: ({ query }) => query }, at),
    ],
  };
}

function listNotRead(
  { not_read: texts, not_read_columns: columns }: FirstPartyImport,
  language: PageLanguage,
): readonly SectionCell[] {
  const list = columns?.map(noteWords[language].unreadColumn) ?? texts;
  return list.length === 0 ? [] : [{ foreign: firstPartyWords[language].notRead(list.join('; ')) }];
}

/** Earlier imports have their notes in English alone. */
const listImportNotes = (
  { notes, note_reasons: reasons }: FirstPartyImport,
  language: PageLanguage,
): readonly SectionCell[] =>
  reasons?.map((note) => ({ foreign: noteWords[language].note(note) })) ??
  notes.map((note) => ({ foreign: note, lang: markEnglish(language) }));

/** Counts by name; shares only where the source gives any. */
function buildCountTable<T extends { count: number; share: number | null }>(
  rows: readonly T[] | null,
  { caption, name, read }: { caption: string; name: string; read: (row: T) => string },
  { words, counted, maxRows }: { words: FirstPartyWords; counted: string; maxRows: number },
): readonly SectionTable[] {
  const hasShare = rows?.some(({ share }) => share !== null) === true;
  const columns = [name, counted, ...(hasShare ? [words.share] : [])];
  return buildTable(rows, { caption, columns, maxRows }, (row) => [
    { foreign: read(row) },
    String(row.count),
    ...(hasShare ? [formatShare(row.share)] : []),
  ]);
}

const formatShare = (share: number | null): string => (share === null ? '–' : formatPercent(share));

function buildTable<T>(
  rows: readonly T[] | null,
  {
    caption,
    columns,
    maxRows,
    of = rows?.length ?? 0,
  }: { caption: string; columns: readonly string[]; maxRows: number; of?: number },
  format: (row: T) => readonly SectionCell[],
): readonly SectionTable[] {
  if (rows === null || rows.length === 0) return [];
  return [{ caption, columns, rows: rows.slice(0, maxRows).map(format), of }];
}

function describeComparison(
  { pages, queries, disagreement, hidden }: SourceComparison,
  one: FirstPartyImport | undefined,
  { language, maxRows }: At,
): FirstPartySection {
  const words = firstPartyWords[language];
  const counted = one === undefined ? '' : words.counts[one.counts];
  return {
    title: one?.title ?? '',
    texts: [
      describeFigure(disagreement.order, words.noOrder, words, ({ value, p, n }) =>
        [
          words.order(value.toFixed(2), p.toFixed(3), n),
          p < SIGNIFICANCE ? words.orderIsReal : words.orderByChance,
          words.orderCaution,
        ].join(' '),
      ),
      describeFigure(disagreement.overlap, words.noOverlap, words, ({ value, low, high, n }) =>
        words.overlap(formatPercent(value), formatPercent(low), formatPercent(high), n),
      ),
      describeFigure(disagreement.own_share, words.noShare, words, ({ source, panel, difference }) =>
        [
          words.ownShare(
            formatPercent(source),
            formatPercent(panel.value),
            formatPercent(panel.low),
            formatPercent(panel.high),
          ),
          words.difference(formatPoints(difference)),
        ].join(' '),
      ),
      ...(hidden === 0 ? [] : [words.hidden(hidden)]),
      ...(queries === null
        ? []
        : [queries.near === null ? words.promptsUnknown : words.near(queries.near, queries.of)]),
    ],
    lists: [],
    tables: [
      ...buildTable(
        pages?.both ?? null,
        { caption: words.bothPages, columns: [words.page, counted, words.answers], maxRows, of: pages?.of.both ?? 0 },
        (row) => [{ foreign: row.page }, String(row.count), String(row.answers)],
      ),
      ...buildTable(
        pages?.only_source ?? null,
        { caption: words.onlySource, columns: [words.page, counted], maxRows, of: pages?.of.only_source ?? 0 },
        (row) => [{ foreign: row.page }, String(row.count)],
      ),
      ...buildTable(
        pages?.only_panel ?? null,
        { caption: words.onlyPanel, columns: [words.page, words.answers], maxRows, of: pages?.of.only_panel ?? 0 },
        (row) => [{ foreign: row.page }, String(row.answers)],
      ),
      ...buildTable(
        queries === null || queries.near === null ? null : queries.rows,
        {
          caption: words.queries,
          columns: [words.query, counted, words.nearPrompt, words.inCommon],
          maxRows,
          of: queries?.of ?? 0,
        },
        (row) => [{ foreign: row.query }, String(row.count), ...describeNear(row.near, words)],
      ),
    ],
  };
}

const formatPoints = (difference: number): string => {
  const points = Math.round(difference * 100);
  return points > 0 ? `+${points}` : String(points);
};

function describeNear(near: ComparedQuery['near'], words: FirstPartyWords): readonly SectionCell[] {
  if (near === null) return [words.none, '–'];
  return [{ foreign: near.prompt }, near.match === 'same' ? words.same : words.similar(formatPercent(near.overlap))];
}

function describeFigure<T>(
  figure: ComparedFigure<T>,
  absent: string,
  words: FirstPartyWords,
  say: (figure: T) => string,
): string {
  if (figure.kind === 'figure') return say(figure);
  if (figure.kind === 'not_given') return absent;
  return `${absent.split(':', 1)[0] ?? ''}: ${words.tooFew(figure.n, figure.needs)}`;
}
