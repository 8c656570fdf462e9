import { finishSentence } from '../../lib/text.ts';
import type { FieldError } from '../../problems/problem.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { getProblemWords } from '../language/problem-words.ts';
import { errorWays, type WayName } from './error-ways-data.ts';
import { errorWords } from './error-words.ts';
import { type Html, renderDocument } from './shell.tsx';
import { StartFields } from './start-fields.tsx';

/** Addresses of the ways that are the same for every problem. */
const HREFS: Readonly<Record<Exclude<WayName, 'again' | 'explain' | 'report'>, string>> = {
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
  'nothing_to_generate',
]);

/** Problems whose sentence about an occurrence is for programs. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  'internal_error',
  'invalid_body',
  'invalid_json',
  'pdf_unavailable',
  'unsupported_media_type',
]);

export type ErrorPageProps = {
  code: string;
  title: string;
  /** Of the table: why it happens. */
  means?: string | undefined;
  /** What it means here, in English. It may quote no one but us. */
  detail?: string | undefined;
  /** The same in the language of the page, where a table has it. */
  said?: string | undefined;
  next?: string | undefined;
  /** What was wrong in which field. */
  errors?: readonly FieldError[] | undefined;
  /** How long to wait, in seconds. */
  retryAfterS?: number | undefined;
  requestId: string;
  language?: PageLanguage | undefined;
  /** Path and query of the page where reading it again is harmless. */
  path?: string | undefined;
  /** Path of the report that the request was about. */
  report?: string | undefined;
  /** An address that the reader most likely wants to audit; it fills the form of the page. */
  url?: string | undefined;
};

/** A refusal for people: what happened, why, what to do next, and where. */
export const renderErrorPage = (props: ErrorPageProps): Html => {
  const { code, errors = [], retryAfterS, requestId, language = DEFAULT_LANGUAGE, path, report, url } = props;
  const words = errorWords[language];
  const { title, why, detail, next } = selectSentences(props, language);
  const [best, ...others] = listWays(code, { again: path, report });
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
function selectSentences({ said, ...problem }: ErrorPageProps, language: PageLanguage): Sentences {
  const { code, title, means, detail, next } = problem;
  const words = getProblemWords(code, language) ?? { title, means: means ?? title, next };
  if (said !== undefined) return { ...words, why: said };
  if (language === 'en') return { ...words, why: (FOR_PROGRAMS.has(code) ? undefined : detail) ?? words.means };
  const isNeeded = DETAILED.has(code) && detail !== undefined && detail !== means;
  return { ...words, why: words.means, detail: isNeeded ? detail : undefined };
}

const formatExplanation = (code: string): string => `/problems/${code}`;

type Way = { name: WayName; href: string };

/** The ways on from a problem, the best first. Nothing is read again where reading it could do something. */
function listWays(code: string, own: Readonly<Record<'again' | 'report', string | undefined>>): readonly Way[] {
  const names: readonly WayName[] = Object.hasOwn(errorWays, code)
    ? errorWays[code as keyof typeof errorWays]
    : ['home'];
  return names.flatMap((name): readonly Way[] => {
    if (name === 'again' || name === 'report') {
      const href = own[name];
      if (href === undefined) return [];
      // Back to the form that named what cannot be compared.
      return [{ name, href: code === 'not_comparable' ? `${href}#since` : href }];
    }
    return [{ name, href: name === 'explain' ? formatExplanation(code) : HREFS[name] }];
  });
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
