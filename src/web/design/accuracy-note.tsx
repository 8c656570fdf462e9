import { ACCURACY_PATH, type MaybeDoubted } from '../../report/reportable.ts';
import type { PageLanguage } from '../language/language.ts';
import { accuracyWords } from './accuracy-words.ts';

type Props = { check: MaybeDoubted & { id: string }; language: PageLanguage };

/** What a check says of itself that was often wrong on labelled pages, with the row of the page that shows how often. */
export const AccuracyNote = ({ check, language }: Props) => {
  const words = accuracyWords[language];
  const text = words.doubted(check);
  if (text === '') return null;
  return (
    <p class="small">
      {text} <a href={`${ACCURACY_PATH}#${check.id}`}>{words.how}</a>
    </p>
  );
};
