import { finishSentence } from '../../lib/text.ts';
import type { PageLanguage } from '../language/language.ts';
import { type DescribedFailure, failurePartsWords, type OwnFailure } from './failure-parts-words.ts';

export const ADDRESS_ID = 'audit-url';
export const FORM_ID = 'audit-form';

type FailureProps = { said: DescribedFailure; language: PageLanguage };

/** An audit that came to no result: what happened, why, and what to do, with buttons that work without scripts too. */
export const FailureMessage = ({ said, language }: FailureProps) => {
  const words = failurePartsWords[language];
  const { happened, means, next, detail, ways } = said;
  return (
    <>
      <h2 data-said="happened">{happened}</h2>
      {means === '' ? null : <p data-said="means">{finishSentence(means)}</p>}
      {next === '' ? null : (
        <p>
          <strong>{words.whatToDo}</strong> <span data-said="next">{next}</span>
        </p>
      )}
      <p class="buttons">
        {ways.retry === true ? (
          <button type="submit" form={FORM_ID} data-way="retry">
            {words.retry}
          </button>
        ) : null}
        {ways.edit === true ? (
          <a class={ways.retry === true ? 'button quiet' : 'button'} href={`#${ADDRESS_ID}`} data-way="edit">
            {words.edit}
          </a>
        ) : null}
        {ways.docs === undefined ? null : (
          <a class="button quiet" href={ways.docs} data-way="docs">
            {words.docs}
          </a>
        )}
      </p>
      {detail === undefined ? null : (
        <details>
          <summary>{words.detail}</summary>
          <p class="small" data-said="detail">
            {finishSentence(detail)}
          </p>
        </details>
      )}
    </>
  );
};

const SAMPLE: DescribedFailure = {
  happened: '…',
  means: '…',
  next: '…',
  detail: '…',
  ways: { retry: true, edit: true, docs: '/docs/' },
};

/** Ways on from a failure that the page found out by itself. */
const OWN_WAYS: Readonly<Record<OwnFailure, DescribedFailure['ways']>> = {
  connection_lost: { retry: true },
  service_unreachable: { retry: true },
  stopped_here: { retry: true, edit: true },
};

/** For the script of the page: each failure that it finds out by itself, and one to fill with what the service says. */
export const FailureTemplates = ({ language }: { language: PageLanguage }) => (
  <>
    <template data-failure="described">
      <FailureMessage said={SAMPLE} language={language} />
    </template>
    {Object.entries(failurePartsWords[language].own).map(([name, row]) => (
      <template data-failure={name}>
        <FailureMessage said={{ ...row, ways: OWN_WAYS[name as OwnFailure] }} language={language} />
      </template>
    ))}
  </>
);
