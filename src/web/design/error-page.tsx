import { finishSentence } from '../../lib/text.ts';
import type { FieldError } from '../../problems/problem.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { getProblemWords } from '../language/problem-words.ts';
import { errorWays, type WayName } from './error-ways-data.ts';
import { errorWords } from './error-words.ts';
import { type Html, renderDocument } from './shell.tsx';
import { StartFields } from './start-fields.tsx';

/** Addresses of the ways that are the same for every problem. */
const HREFS: Readonly<Record<Exclude<WayName, 'again' | 'report' | 'explain'>, string>> = {
  audit: '/audit',
  measure: '/visibility',
  prices: '/prices',
  home: '/',
  docs: '/docs/',
  account: '/account',
  signIn: '/signin',
  console: '/console/',
  contact: '/contact',
};

/** Problems whose sentence about an occurrence says what the table cannot: it is shown in every language, in English. */
const DETAILED: ReadonlySet<string> = new Set([
  'invalid_authorization_request',
  'invalid_body',
  'invalid_cap',
  'not_acceptable',
  'not_comparable',
  'not_publishable',
  'not_configured',
  'revocation_unfinished',
  'target_refused',
  'target_unreachable',
]);

export type ErrorPageProps = {
  code: string;
  title: string;
  /** Of the table: why it happens. */
  means?: string | undefined;
  /** What it means here, in English. It may quote no one but us. */
  detail?: string | undefined;
  next?: string | undefined;
  /** What was wrong in which field. */
  errors?: readonly FieldError[] | undefined;
  /** How long to wait, in seconds. */
  retryAfterS?: number | undefined;
  requestId: string;
  language?: PageLanguage | undefined;
  /** Path and query of the page where reading it again is harmless. */
  path?: string | undefined;
  /** An address that the reader most likely wants to audit; it fills the form of the page. */
  url?: string | undefined;
};

/** A refusal for people: what happened, why, what to do next, and where. */
export const renderErrorPage = (props: ErrorPageProps): Html => {
  const { code, errors = [], retryAfterS, requestId, language = DEFAULT_LANGUAGE, path, url } = props;
  const words = errorWords[language];
  const { title, why, detail, next } = selectSentences(props, language);
  const [best, ...others] = listWays(code, path);
  return renderDocument({
    title,
    language,
    ...(path === undefined ? {} : { path }),
    narrow: true,
    children: (
      <>
        <p role="alert">{finishSentence(why)}</p>
        {detail === undefined ? null : (
          <p>
            {words.detail} <span lang="en">{finishSentence(detail)}</span>
          </p>
        )}
        {errors.length === 0 ? null : <Fields errors={errors} label={words.fields} />}
        {next === undefined ? null : (
          <p>
            <strong>{words.next}</strong> {next}
          </p>
        )}
        {retryAfterS === undefined ? null : <p>{words.wait(retryAfterS)}</p>}
        {best?.name === 'audit' ? <AuditForm url={url} language={language} isBest /> : null}
        {best === undefined || best.name === 'audit' ? null : (
          <p class="buttons">
            <a class="button" href={best.href}>
              {words.ways[best.name]}
            </a>
          </p>
        )}
        {others.some(({ name }) => name === 'audit') ? <AuditForm url={url} language={language} /> : null}
        <nav aria-label={words.otherWays}>
          <ul class="ways">
            {others
              .filter(({ name }) => name !== 'audit')
              .map(({ name, href }) => (
                <li>
                  <a href={href}>{words.ways[name]}</a>
                </li>
              ))}
          </ul>
        </nav>
        <p class="small">
          {words.code} <a href={formatExplanation(code)}>{code}</a>, {words.request} <code>{requestId}</code>
        </p>
      </>
    ),
  });
};

type Sentences = { title: string; why: string; detail?: string | undefined; next?: string | undefined };

/** In English the sentence about an occurrence is in the place of the one of the table, which it makes precise. */
function selectSentences({ code, title, means, detail, next }: ErrorPageProps, language: PageLanguage): Sentences {
  const translated = getProblemWords(code, language);
  if (translated === undefined) return { title, why: detail ?? means ?? title, next };
  const isNeeded = DETAILED.has(code) && detail !== undefined && detail !== means;
  return {
    title: translated.title,
    why: translated.means,
    detail: isNeeded ? detail : undefined,
    next: translated.next,
  };
}

const formatExplanation = (code: string): string => `/problems/${code}`;

type Way = { name: WayName; href: string };

/** The ways on from a problem, the best first. Nothing is read again where reading it could do something. */
function listWays(code: string, path: string | undefined): readonly Way[] {
  const names: readonly WayName[] = Object.hasOwn(errorWays, code)
    ? errorWays[code as keyof typeof errorWays]
    : ['home'];
  return names.flatMap((name): readonly Way[] => {
    if (name === 'again') return path === undefined ? [] : [{ name, href: path }];
    if (name === 'report') return listReportWays(path);
    return [{ name, href: name === 'explain' ? formatExplanation(code) : HREFS[name] }];
  });
}

/** A page of a report, or one below it. */
const REPORT_PAGE = /^\/reports\/[0-9a-f]{32}(?=\/)/;

/** Back to the form of the report that the reader came from. */
function listReportWays(path = ''): readonly Way[] {
  const [page] = REPORT_PAGE.exec(path) ?? [];
  return page === undefined ? [] : [{ name: 'report', href: `${page}#since` }];
}

const Fields = ({ errors, label }: { errors: readonly FieldError[]; label: string }) => (
  <>
    <p>{label}</p>
    <ul lang="en">
      {errors.map(({ pointer, message }) => (
        <li>
          <code>{pointer}</code> {message}
        </li>
      ))}
    </ul>
  </>
);

type AuditFormProps = { url?: string | undefined; language: PageLanguage; isBest?: boolean };

/** It begins the audit, as the form of the start page does. A page has one button that is not quiet: that of its best way. */
const AuditForm = ({ url = '', language, isBest = false }: AuditFormProps) => (
  <form class="card" method="post" action="/audit">
    <StartFields />
    <label for="error-url">{errorWords[language].site}</label>
    <input
      id="error-url"
      name="url"
      type="text"
      inputmode="url"
      autocapitalize="off"
      spellcheck={false}
      maxlength={2048}
      required
      value={url}
    />
    <p class="buttons">
      <button type="submit" class={isBest ? undefined : 'quiet'}>
        {errorWords[language].auditSite}
      </button>
    </p>
  </form>
);
