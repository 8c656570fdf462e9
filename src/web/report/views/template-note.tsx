import { DEFAULT_LANGUAGE, type PageLanguage, type Translated } from '../../language/language.ts';
import { formatWholeNumber } from '../../language/amounts.ts';

type Filled = { sentences: number; to_write: number };

/** How much of what was bought is for its owner to write. */
const templateWords: Translated<(toWrite: string, sentences: string) => string> = {
  en: (toWrite, sentences) => `Template: ${toWrite} of ${sentences} sentences are yours to write.`,
  de: (toWrite, sentences) => `Vorlage: ${toWrite} von ${sentences} Sätzen schreiben Sie selbst.`,
};

/** The same as text; '' where nothing is left to write, and for results of before. */
export function formatTemplateNote(filled: Filled | undefined, language: PageLanguage = DEFAULT_LANGUAGE): string {
  if (filled === undefined || filled.to_write === 0) return '';
  const [toWrite, sentences] = [filled.to_write, filled.sentences].map((count) => formatWholeNumber(count, language));
  return templateWords[language](toWrite ?? '', sentences ?? '');
}

export const TemplateNote = ({
  filled,
  language,
}: {
  filled?: Filled | undefined;
  language?: PageLanguage | undefined;
}) => {
  const note = formatTemplateNote(filled, language);
  return note === '' ? null : <p class="note">{note}</p>;
};
