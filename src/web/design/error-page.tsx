import { finishSentence } from '../../lib/text.ts';
import { type Html, renderDocument } from './shell.tsx';

/** Where to go from an error: a page of ours. */
type ErrorWay = { href: string; text: string };

const AUDIT: ErrorWay = { href: '/audit', text: 'Audit a site' };
const HOME: ErrorWay = { href: '/', text: 'Go to the start page' };
const DOCS: ErrorWay = { href: '/docs/', text: 'Read the documentation' };
const ACCOUNT: ErrorWay = { href: '/account', text: 'Open your account' };
const MEASURE: ErrorWay = { href: '/visibility', text: 'Measure a brand' };
const SIGN_IN: ErrorWay = { href: '/signin', text: 'Sign in' };

/** The ways on from a problem that has better ones than the start page, the best first. */
const WAYS: Readonly<Record<string, readonly ErrorWay[]>> = {
  not_found: [HOME, AUDIT, MEASURE, DOCS],
  report_not_found: [AUDIT, MEASURE, HOME],
  report_expired: [AUDIT, MEASURE, HOME],
  run_not_found: [MEASURE, HOME, DOCS],
  history_not_found: [AUDIT, HOME],
  unknown_capability: [{ href: '/#prices', text: 'See what can be bought' }, DOCS],
  not_publishable: [AUDIT, HOME],
  foreign_origin: [AUDIT, HOME],
  sign_in_needed: [SIGN_IN, HOME],
  sign_in_refused: [SIGN_IN, HOME],
  sign_in_too_old: [SIGN_IN, ACCOUNT],
  invalid_address: [SIGN_IN, HOME],
  too_many_attempts: [SIGN_IN, HOME],
  chain_unavailable: [SIGN_IN, HOME],
  form_expired: [ACCOUNT, HOME],
  grant_not_found: [ACCOUNT, HOME],
  invalid_cap: [ACCOUNT, HOME],
};

export type ErrorPageProps = {
  code: string;
  title: string;
  /** What it means here. It may quote no one but us. */
  detail: string;
  next?: string | undefined;
  requestId: string;
  /** An address that the reader most likely wants to audit; it fills the form of the page. */
  url?: string | undefined;
};

/** A refusal for people: what happened, what it means, what to do next, and where. */
export const renderErrorPage = ({ code, title, detail, next, requestId, url }: ErrorPageProps): Html => {
  const ways = WAYS[code] ?? [HOME];
  return renderDocument({
    title,
    narrow: true,
    children: (
      <>
        <p role="alert">{finishSentence(detail)}</p>
        {next === undefined ? null : (
          <p>
            <strong>What to do:</strong> {next}
          </p>
        )}
        {ways.includes(AUDIT) ? <AuditForm url={url} /> : null}
        <ul class="links">
          {ways
            .filter((way) => way !== AUDIT)
            .map(({ href, text }) => (
              <li>
                <a href={href}>{text}</a>
              </li>
            ))}
        </ul>
        <p class="small">
          Code <a href={`/problems/${code}`}>{code}</a>, request {requestId}
        </p>
      </>
    ),
  });
};

/** It leads to the page of the audit, which starts nothing by itself. */
const AuditForm = ({ url = '' }: { url?: string | undefined }) => (
  <form class="card" method="get" action="/audit">
    <label for="error-url">Address of a site</label>
    <input
      id="error-url"
      name="url"
      type="text"
      inputmode="url"
      autocapitalize="off"
      spellcheck={false}
      maxlength={2048}
      value={url}
    />
    <p class="buttons">
      <button type="submit">Audit this site</button>
    </p>
  </form>
);
