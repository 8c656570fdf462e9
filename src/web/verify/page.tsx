import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import type { PageLanguage } from '../language/language.ts';
import { type VerifyWords, verifyWords } from './verify-words.ts';

export const VERIFY_PATH = '/verify';
const GUIDE_PATH = '/docs/guides/verify-a-report';

const FileField = ({
  name,
  label,
  help,
  optional,
}: {
  name: string;
  label: string;
  help?: string;
  optional?: true;
}) => (
  <p>
    <label for={`verify-${name}`}>{label}</label>
    <input
      type="file"
      id={`verify-${name}`}
      name={name}
      accept=".json,application/json"
      required={optional !== true}
      {...(help === undefined ? {} : { 'aria-describedby': `verify-${name}-help` })}
    />
    {help === undefined ? null : <small id={`verify-${name}-help`}>{help}</small>}
  </p>
);

/** What the script says, beside the form: the page sends nothing, and asks nothing. */
const pickFindings = ({
  passed,
  passedPartly,
  failed,
  trust,
  doubt,
  key,
  subjects,
  noBrowser,
  parts,
  unchecked,
  unverifiable,
}: VerifyWords): string =>
  JSON.stringify({
    passed,
    passedPartly,
    failed,
    trust,
    doubt,
    key,
    subjects,
    noBrowser,
    parts,
    unchecked,
    unverifiable,
  });

/** The page that checks a report in the browser of its reader. */
export function renderVerifyPage({ baseUrl, language }: { baseUrl: string; language: PageLanguage }): Html {
  const words = verifyWords[language];
  return renderDocument({
    title: words.title,
    path: VERIFY_PATH,
    language,
    description: words.description,
    canonical: `${baseUrl}${VERIFY_PATH}`,
    index: true,
    narrow: true,
    scripts: [`${ASSETS}/verify.js`],
    children: (
      <>
        <p class="lead">{words.lead}</p>
        <noscript>
          <p class="note">{words.noScript}</p>
        </noscript>
        <form data-verify={pickFindings(words)}>
          <FileField name="report" label={words.report} />
          <FileField name="jwks" label={words.keySet} help={words.keySetHelp} />
          <p>
            <label for="verify-issuer">{words.issuer}</label>
            <input type="url" id="verify-issuer" name="issuer" required value={new URL(baseUrl).origin} />
          </p>
          <FileField name="snapshot" label={words.snapshot} optional />
          <p class="buttons">
            <button type="submit">{words.check}</button>
          </p>
        </form>
        <section data-verify-found tabindex={-1} aria-live="polite" />
        <p>
          <a href={GUIDE_PATH}>{words.more}</a>
        </p>
      </>
    ),
  });
}
