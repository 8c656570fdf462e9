import { ACCURACY_PATH, formatAccuracy, type MaybeDoubted } from '../../report/reportable.ts';

/** What a check says of itself that was often wrong on labelled pages, with the row of the page that shows how often. */
export const AccuracyNote = ({ check }: { check: MaybeDoubted & { id: string } }) => {
  const text = formatAccuracy(check);
  if (text === '') return null;
  return (
    <p class="small">
      {text} <a href={`${ACCURACY_PATH}#${check.id}`}>How this was measured</a>
    </p>
  );
};
