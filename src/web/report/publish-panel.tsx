import { BadgeSnippets, historyPath } from '../badge/snippets.tsx';

export type PublishPanelProps = {
  /** The report id. */
  id: string;
  published: boolean;
  publishable: boolean;
  /** Why it cannot be published, or that it can. */
  reason: string;
  /** The site's key, where the report can be published. */
  host?: string;
  /** Origin of this deployment. */
  baseUrl: string;
};

/**
 * Publishing of a report, for whoever has its publish token: a form that works by itself. `publish.js` fills the token in
 * where the purchase left it in this browser, and says how it ended without leaving the page.
 */
export const PublishPanel = ({ id, published, publishable, reason, host, baseUrl }: PublishPanelProps) => (
  <section id="publish" class="publish" aria-labelledby="publish-title">
    <h2 id="publish-title">{published ? 'This report is public' : 'Publish this report'}</h2>
    {published && host !== undefined ? (
      <p>
        Its scores stand in the <a href={historyPath(host)}>history of {host}</a> and may be on its badge.
      </p>
    ) : (
      <p>This report is private: only who knows its address can read it. Badge and history do not show it.</p>
    )}
    {publishable ? <PublishForm id={id} published={published} /> : <p>{reason}.</p>}
    <p role="status" data-publish-said></p>
    {host === undefined ? null : (
      <div data-publish-badge hidden={!published}>
        <BadgeSnippets host={host} baseUrl={baseUrl} />
      </div>
    )}
  </section>
);

/** The panel for who writes no JSX. */
export const publishPanelOf = (id: string, state: Omit<PublishPanelProps, 'id'>) => <PublishPanel id={id} {...state} />;

const PublishForm = ({ id, published }: { id: string; published: boolean }) => (
  <details data-publish-box>
    <summary>{published ? 'Take it back' : 'I bought this report'}</summary>
    <form method="post" action={`/reports/${id}/${published ? 'unpublish' : 'publish'}`} data-publish={id}>
      <label for="publish-token">Publish token</label>
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
        <code>publish_token</code> of the answer to the purchase. Nobody else has it.
      </p>
      <button type="submit">{published ? 'Make it private again' : 'Publish its scores'}</button>
    </form>
  </details>
);
