import type { PublishedState } from '../../capabilities/published/publishing.ts';
import { BadgeSnippets, formatHistoryPath } from '../badge/badge.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { publishWords } from './publish-words.ts';

/** `id`: of the report. */
export type PublishPanelProps = PublishedState & { id: string; language?: PageLanguage | undefined };

/**
 * Publishing of a report, for anyone who has its publish token: a form that works by itself. `publish.js` fills the
 * token in where the purchase left it in this browser, and says how it ended without leaving the page.
 */
export const PublishPanel = (props: PublishPanelProps) => {
  const { id, published, reason, host, baseUrl, language = DEFAULT_LANGUAGE } = props;
  const words = publishWords[language];
  const [before, history, behind] = words.isIn;
  return (
    <section id="publish" class="publish" aria-labelledby="publish-title">
      <h2 id="publish-title">{published ? words.isPublic : words.publish}</h2>
      <div data-publish-standing>
        {published && host !== undefined ? (
          <p>
            {before} <a href={formatHistoryPath(host)}>{history(host)}</a> {behind}
          </p>
        ) : (
          <p>{words.isPrivate}</p>
        )}
        <p>{reason === undefined ? words[published ? 'takingBack' : 'publishing'] : words.reasons[reason]}</p>
      </div>
      {reason === undefined ? <PublishForm id={id} published={published} language={language} /> : null}
      <p role="status" tabindex={-1} data-publish-said data-words={JSON.stringify(words.said)}></p>
      {host === undefined ? null : (
        <div data-publish-badge hidden={!published}>
          <BadgeSnippets host={host} baseUrl={baseUrl} formatCopy={words.copy} />
        </div>
      )}
    </section>
  );
};

/** The panel for who writes no JSX. */
export const renderPublishPanel = (id: string, state: Omit<PublishPanelProps, 'id'>) => (
  <PublishPanel id={id} {...state} />
);

const PublishForm = ({ id, published, language }: { id: string; published: boolean; language: PageLanguage }) => (
  <details data-publish-box>
    <summary>{published ? publishWords[language].takeBack : publishWords[language].bought}</summary>
    <form method="post" action={`/reports/${id}/${published ? 'unpublish' : 'publish'}`} data-publish={id}>
      <label for="publish-token">{publishWords[language].token}</label>
      <input
        id="publish-token"
        name="publish_token"
        required
        maxlength={64}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="publish-token-help"
      />
      <p id="publish-token-help" class="small">
        <code>publish_token</code> {publishWords[language].tokenHelp}
      </p>
      <button type="submit">
        {published ? publishWords[language].takeBackNow : publishWords[language].publishNow}
      </button>
    </form>
  </details>
);
