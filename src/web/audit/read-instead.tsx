import { parseReadInstead } from '../../audit/core/snapshot.ts';
import type { PageLanguage } from '../language/language.ts';
import { readInsteadWords } from './page-words.ts';

/** Beside the address that was read: that the one asked for gave no answer. Nothing where it is the same. */
export const ReadInstead = ({ warnings, language }: { warnings: readonly string[]; language: PageLanguage }) => {
  const found = warnings.map(parseReadInstead).find((one) => one !== undefined);
  return found === undefined ? null : <span class="small">{readInsteadWords[language](found.asked)}</span>;
};
