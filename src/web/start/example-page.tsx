import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import { formatLongDay } from '../language/amounts.ts';
import { translateResult } from '../language/check-titles.ts';
import type { PageLanguage } from '../language/language.ts';
import { AuditView } from '../report/views/audit.tsx';
import { EXAMPLE_PATH, EXAMPLE_RECORDING_PATH, EXAMPLE_SITE, type ExampleReport } from './example.ts';
import { exampleWords } from './example-words.ts';

type ExamplePage = { example: ExampleReport; baseUrl: string; language: PageLanguage };

/** The example as a whole report, by the view that shows what is bought. Search engines are to find no report of a made-up site. */
export const renderExamplePage = ({ example, baseUrl, language }: ExamplePage): Html => {
  const words = exampleWords[language];
  return renderDocument({
    title: `${words.title}: ${EXAMPLE_SITE}`,
    path: EXAMPLE_PATH,
    language,
    canonical: `${baseUrl}${EXAMPLE_PATH}`,
    ownHeading: true,
    styles: [`${ASSETS}/report.css`],
    scripts: [`${ASSETS}/report.js`],
    children: (
      <article class="report">
        <header class="about">
          <h1>
            {words.title}: <span class="subject">{EXAMPLE_SITE}</span>
          </h1>
          <p class="lead">
            {words.about}{' '}
            <time datetime={new Date(example.recordedAtMs).toISOString()}>
              {formatLongDay(example.recordedAtMs, language)}
            </time>
            .
          </p>
          <p>
            {words.snapshot} <code>sightline replay example.json</code>.
          </p>
          <p class="buttons">
            <a class="button" href="/audit">
              {words.own}
            </a>
            <a class="button quiet" href={EXAMPLE_RECORDING_PATH} download="example.json">
              {words.download}
            </a>
          </p>
        </header>
        <AuditView result={translateResult(example.result, language)} language={language} />
      </article>
    ),
  });
};
