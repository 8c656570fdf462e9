import type { PublishedState } from '../../capabilities/published/publishing.ts';
import { BadgeSnippets, formatHistoryPath } from '../badge/badge.tsx';

/** `id`: of the report. */
export type PublishPanelProps = PublishedState & { id: string };

/**
 * Publishing of a report, for anyone who has its publish token: a form that works by itself. `publish.js` fills the
 * token in where the purchase left it in this browser, and says how it ended without leaving the page.
 */
export const PublishPanel = ({ id, published, publishable, reason, host, baseUrl }: PublishPanelProps) => (
  <section id="publish" class="publish" aria-labelledby="publish-title">
    <h2 id="publish-title">{published ? 'This report is public' : 'Publish this report'}</h2>
    <div data-publish-standing>
      {published && host !== undefined ? (
        <p>
          Its scores are in the <a href={formatHistoryPath(host)}>history of {host}</a> and may be on its badge. The
          history links to the whole report, and search engines may find it.
        </p>
      ) : (
        <p>Only people who know the address of this report can read it. Badge and history do not show it.</p>
      )}
      {publishable ? <p>{published ? TAKING_BACK : PUBLISHING}</p> : <p>{reason}.</p>}
    </div>
    {publishable ? <PublishForm id={id} published={published} /> : null}
    <p role="status" data-publish-said></p>
    {host === undefined ? null : (
      <div data-publish-badge hidden={!published}>
        <BadgeSnippets host={host} baseUrl={baseUrl} />
      </div>
    )}
  </section>
);

/** What each button does, before it is pressed: neither is only about scores, and a copy that others have cannot be called back. */
const PUBLISHING =
  'Publishing makes the whole report public, fixes and files included: its address appears in the history of the site, and search engines may find it. Taking it back later removes it from badge and history only: anyone who has its address by then can still read it until it expires.';
const TAKING_BACK =
  'Taking it back removes this report from badge and history, and asks search engines to leave it out. Anyone who has its address can still read it until it expires.';

/** The panel for who writes no JSX. */
export const renderPublishPanel = (id: string, state: Omit<PublishPanelProps, 'id'>) => (
  <PublishPanel id={id} {...state} />
);

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
        <code>publish_token</code> from the answer to the purchase. No one else has it.
      </p>
      <button type="submit">{published ? 'Take it back from badge and history' : 'Publish the whole report'}</button>
    </form>
  </details>
);
