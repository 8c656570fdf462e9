import type { CheckResult } from '../../core/scores.ts';
import { selectLlmsPages } from '../../../fixes/files/llms-txt-pages.ts';
import { formatLlmsTxt } from '../../../fixes/files/llms-txt.ts';
import {
  describeLinks,
  listMissingPages,
  putNameFirst,
  summariseBelow,
  withoutDeadLinks,
} from '../../../fixes/files/llms-txt-amend.ts';
import { formatPlainBlock } from '../../../lib/safe-text.ts';
import { findFetchedText } from '../../../fixes/core/file-recipe.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';

/** Edits the present text of llms.txt and drops invisible characters; makes the whole file where there is none. */
export const buildLlmsEdit =
  (edit: (lines: readonly string[], fixing: FixContext, judged: CheckResult) => readonly string[]) =>
  (fixing: FixContext, judged: CheckResult): string => {
    const present = findFetchedText(fixing, 'llms', 'text');
    if (present === undefined) return formatLlmsTxt(fixing.audited);
    return edit(formatPlainBlock(present).split('\n'), fixing, judged).join('\n');
  };

/** The name of the site first, and no second heading of its level. */
export const withNameFirst = (lines: readonly string[], { words, audited }: FixContext): readonly string[] =>
  putNameFirst(lines, words.name ?? audited.site.start.host);

/** One sentence about the site below the name. */
export const withSummaryBelow = (lines: readonly string[], fixing: FixContext): readonly string[] =>
  summariseBelow(withNameFirst(lines, fixing), fixing.words.about ?? '');

/** Notes for links that have none, from what the pages say. */
export const withNotes = (lines: readonly string[], { audited }: FixContext): readonly string[] =>
  describeLinks(lines, selectLlmsPages(audited));

/** List items whose link leads nowhere go. */
export const dropDeadLinks = (
  lines: readonly string[],
  _fixing: FixContext,
  { outcome }: CheckResult,
): readonly string[] =>
  withoutDeadLinks(
    lines,
    outcome.evidence.filter(({ status }) => status !== undefined && status >= 400).map(({ url }) => url),
  );

/** Pages of the navigation that the file does not list, in a section of their own. */
export const addPages = (lines: readonly string[], { audited }: FixContext): readonly string[] => {
  const pages = selectLlmsPages(audited);
  return describeLinks(listMissingPages(lines, pages), pages);
};

/** Lines that order agents about go. */
export const dropOrders = (
  lines: readonly string[],
  { find }: FixContext,
  { outcome }: CheckResult,
): readonly string[] => {
  const exchange = find('llms');
  const own = exchange?.answer.ok === true ? exchange.answer.url : '';
  const numbers = new Set(outcome.evidence.filter(({ url }) => url === own).map(({ line }) => line));
  return lines.filter((_, index) => !numbers.has(index + 1));
};
