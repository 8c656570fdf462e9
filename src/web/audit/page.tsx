import type { SitePreview } from '../../audit/core/preview.ts';
import { profiles } from '../../audit/core/site.ts';
import { escapeControls, escapeControlsIn } from '../../lib/safe-text.ts';
import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import { BuyPanel, type BuyPanelProps } from '../buying/panel.tsx';
import { PreviewResult } from './result.tsx';

export type AuditPage = {
  baseUrl: string;
  /** What the field holds: anything that someone put behind `?url=`. */
  url: string;
  profile?: string | undefined;
  buy: BuyPanelProps;
  /** A preview that was made for this page, for who has no scripts. */
  made?: SitePreview;
  problem?: { title: string; detail?: string | undefined };
};

const DESCRIPTION =
  'Type an address and see what AI search engines, agents and MCP clients find there: four scores and the first checks for free, with evidence.';

/** The live audit: a form that starts nothing by itself, the room for what happens, and the way to the full result. */
export const auditPage = ({ baseUrl, url, profile, buy, made, problem }: AuditPage): Html =>
  renderDocument({
    title: 'Audit a site',
    path: '/audit',
    description: DESCRIPTION,
    canonical: `${baseUrl}/audit`,
    // What a stranger's link put into the field is no one's search result.
    index: url === '' && made === undefined && problem === undefined,
    styles: [`${ASSETS}/audit.css`],
    scripts: [`${ASSETS}/audit.js`],
    children: (
      <>
        <p class="lead">
          See your site as AI systems do: four scores from 0 to 100, and the checks behind them. The preview is free and
          makes up to 60 requests at the site.
        </p>
        <Form url={url} profile={profile} />
        <div id="audit-problem" class="warning" role="alert" hidden={problem === undefined}>
          {problem === undefined ? '' : escapeControls([problem.title, problem.detail].filter(Boolean).join(': '))}
        </div>
        <Live />
        <div id="audit-result">{made === undefined ? null : <PreviewResult {...escapeControlsIn(made)} />}</div>
        <BuyPanel {...buy} />
      </>
    ),
  });

const Form = ({ url, profile = '' }: { url: string; profile?: string | undefined }) => (
  <form id="audit-form" class="card" method="post" action="/audit">
    <label for="audit-url">Address of the site</label>
    <input
      id="audit-url"
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
    <p id="audit-hint" class="small">
      Such as example.com. Nothing is asked of the site until you press the button.
    </p>
    <label for="audit-profile">Kind of site</label>
    <select id="audit-profile" name="profile">
      <option value="">Find out by evidence</option>
      {profiles.map((name) => (
        <option value={name} selected={name === profile}>
          {name}
        </option>
      ))}
    </select>
    <p class="buttons">
      <button id="audit-run" type="submit">
        Run the free preview
      </button>
      <button id="audit-stop" type="button" class="quiet" hidden>
        Stop
      </button>
    </p>
  </form>
);

/** What the island fills while a preview is made. */
const Live = () => (
  <section id="audit-live" hidden aria-labelledby="audit-live-title">
    <h2 id="audit-live-title">Progress</h2>
    <label for="audit-progress" id="audit-counts">
      Starting
    </label>
    <progress id="audit-progress" max="1000" value="0"></progress>
    <p id="audit-status" class="small" role="status"></p>
    <div class="scroll live-box" tabindex={0} role="region" aria-label="What was read and judged">
      <ol id="audit-steps" class="live-steps"></ol>
    </div>
  </section>
);
