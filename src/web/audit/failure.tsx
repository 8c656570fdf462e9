import { finishSentence } from '../../lib/text.ts';
import type { PageLanguage } from '../language/language.ts';
import { type DescribedFailure, failurePartsWords } from './failure-parts-words.ts';

export const ADDRESS_ID = 'audit-url';
export const FORM_ID = 'audit-form';

type FailureProps = { said: DescribedFailure; language: PageLanguage };

/** An audit that came to no result: what happened, why, and what to do, with buttons that work without scripts too. */
export const FailureMessage = ({ said, language }: FailureProps) => {
  const words = failurePartsWords[language];
  const { happened, means, next, detail, ways } = said;
  return (
    <>
      <h2>{happened}</h2>
      {means === '' ? null : <p>{finishSentence(means)}</p>}
      {next === '' ? null : (
        <p>
          <strong>{words.whatToDo}</strong> {next}
        </p>
      )}
      <p class="buttons">
        {ways.retry === true ? (
          <button type="submit" form={FORM_ID}>
            {words.retry}
          </button>
        ) : null}
        {ways.edit === true ? (
          <a class={ways.retry === true ? 'button quiet' : 'button'} href={`#${ADDRESS_ID}`}>
            {words.edit}
          </a>
        ) : null}
        {ways.docs === undefined ? null : (
          <a class="button quiet" href={ways.docs}>
            {words.docs}
          </a>
        )}
      </p>
      {detail === undefined ? null : (
        <details>
          <summary>{words.detail}</summary>
          <p class="small">{finishSentence(detail)}</p>
        </details>
      )}
    </>
  );
};
