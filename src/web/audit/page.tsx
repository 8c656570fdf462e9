import type { SitePreview } from '../../audit/core/preview.ts';
import { profiles } from '../../audit/core/site.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { BuyPanel, type BuyPanelProps } from '../buying/panel.tsx';
import { translateResult } from '../language/check-titles.ts';
import { addPlainFixes } from '../language/plain-fixes.ts';
import { OpenGraph } from '../design/open-graph.tsx';
import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { type AuditFailure, describeAuditFailure } from './failure-words.ts';
import { ADDRESS_ID, FailureMessage, FailureTemplates, FORM_ID } from './failure.tsx';
import { pageWords } from './page-words.ts';
import type { AuditState } from './page-state.ts';
import { progressWords } from './progress-words.ts';
import { PreviewDetails, PreviewSummary } from './result.tsx';

export type AuditPage = {
  baseUrl: string;
  language?: PageLanguage;
  /** What the field holds: anything that someone put behind `?url=`. */
  url: string;
  profile?: string | undefined;
  buy: BuyPanelProps;
  /** The script of the page begins at once: only ever in the answer to a form of our own page (rule F6). */
  isStarting?: boolean;
  /** A preview that was made for this page, for those who have no scripts. */
  made?: SitePreview;
  problem?: AuditFailure;
};

/** The live audit. Each part is there in every state, hidden or not, so that the script only fills and shows them. */
export const auditPage = (page: AuditPage): Html => {
  const { baseUrl, language = DEFAULT_LANGUAGE, url, made, problem, isStarting = false } = page;
  const words = pageWords[language];
  const state = findState(page);
  const isBare = url === '' && state === 'form';
  return renderDocument({
    title: words.title,
    language,
    path: url === '' ? '/audit' : `/audit?url=${encodeURIComponent(url)}`,
    description: words.description,
    canonical: `${baseUrl}/audit`,
    // What a stranger's link put into the field is no one's search result.
    index: isBare,
    head: <OpenGraph title={words.title} description={words.description} url={`${baseUrl}/audit`} />,
    styles: [`${ASSETS}/audit.css`],
    scripts: [`${ASSETS}/audit.js`],
    children: (
      <div id="audit-page" data-state={state} data-start={isStarting ? 'now' : undefined}>
        <p class="lead" data-in="form failed" hidden={isHidden('form failed', state)}>
          {words.lead}
        </p>
        <div
          id="audit-failure"
          class="failure"
          role="alert"
          data-in="failed"
          tabindex={-1}
          hidden={isHidden('failed', state)}
        >
          {problem === undefined ? null : (
            <FailureMessage said={escapeControlsIn(describeAuditFailure(problem, language))} language={language} />
          )}
        </div>
        <FailureTemplates language={language} />
        <Form {...page} language={language} state={state} />
        <Subject url={url} language={language} state={state} />
        <Live language={language} state={state} />
        {isStarting ? (
          <p id="audit-late" class="late">
            <a href={`/audit?url=${encodeURIComponent(url)}`}>{words.late}</a>
          </p>
        ) : null}
        <p id="audit-status" class="visually-hidden" role="status"></p>
        <div class="audit-outcome" data-in="result" hidden={isHidden('result', state)}>
          <div id="audit-result">
            {made === undefined ? null : (
              <PreviewSummary
                {...addPlainFixes(translateResult(escapeControlsIn(made), language), language)}
                language={language}
              />
            )}
          </div>
          <div id="audit-buy">
            <BuyPanel {...page.buy} />
          </div>
        </div>
        <div id="audit-details" data-in="result" hidden={isHidden('result', state)}>
          {made === undefined ? null : (
            <PreviewDetails {...translateResult(escapeControlsIn(made), language)} language={language} />
          )}
        </div>
      </div>
    ),
  });
};

function findState({ made, problem, isStarting = false }: AuditPage): AuditState {
  if (problem !== undefined) return 'failed';
  if (made !== undefined) return 'result';
  return isStarting ? 'running' : 'form';
}

/** Whether a part is hidden. @param states those in which it is shown, as its attribute `data-in` has them */
const isHidden = (states: string, state: AuditState): boolean => !states.split(' ').includes(state);

type PartProps = { language: PageLanguage; state: AuditState };

const Form = ({ url, profile = '', language, state }: Pick<AuditPage, 'url' | 'profile'> & PartProps) => {
  const words = pageWords[language];
  return (
    <form
      id={FORM_ID}
      class="card"
      method="post"
      action="/audit"
      data-in="form failed"
      hidden={isHidden('form failed', state)}
    >
      <label for={ADDRESS_ID}>{words.address}</label>
      <div class="field">
        <input
          id={ADDRESS_ID}
          name="url"
          type="text"
          inputmode="url"
          autocomplete="url"
          autocapitalize="off"
          spellcheck={false}
          maxlength={2048}
          required
          aria-describedby="audit-hint"
          value={url}
        />
        <button id="audit-run" type="submit">
          {words.run}
        </button>
      </div>
      <p id="audit-hint" class="small">
        {words.hint}
      </p>
      <details open={isProfile(profile)}>
        <summary>{words.options}</summary>
        <label for="audit-profile">{words.kind}</label>
        <select id="audit-profile" name="profile">
          <option value="">{words.anyKind}</option>
          {profiles.map((name) => (
            <option value={name} selected={name === profile}>
              {words.kinds[name]}
            </option>
          ))}
        </select>
      </details>
    </form>
  );
};

const isProfile = (name: string): boolean => profiles.some((one) => one === name);

/** In the place of the form while an audit runs, and beside its result. */
const Subject = ({ url, language, state }: Pick<AuditPage, 'url'> & PartProps) => {
  const words = pageWords[language];
  return (
    <div id="audit-subject" class="card" data-in="running result" hidden={isHidden('running result', state)}>
      <p>
        {words.auditing} <strong class="url">{url}</strong>
      </p>
      <p class="buttons">
        <button id="audit-stop" type="button" class="quiet small" data-in="running" hidden={isHidden('running', state)}>
          {words.stop}
        </button>
        <a
          id="audit-another"
          class="button quiet small"
          href="/audit"
          data-in="result"
          hidden={isHidden('result', state)}
        >
          {words.another}
        </a>
      </p>
    </div>
  );
};

/** What the script fills while a preview is made: one line with its bar, and the log behind it. */
const Live = ({ language, state }: PartProps) => {
  const words = pageWords[language];
  return (
    <section id="audit-live" aria-label={words.progress} data-in="running" hidden={isHidden('running', state)}>
      <label for="audit-progress" id="audit-counts">
        {progressWords[language].starting}
      </label>
      <progress id="audit-progress" max="1000" value="0"></progress>
      <details>
        <summary>{words.log}</summary>
        <div class="scroll live-box" tabindex={0} role="region" aria-label={words.logLabel}>
          <ol id="audit-steps" class="live-steps"></ol>
        </div>
      </details>
    </section>
  );
};
