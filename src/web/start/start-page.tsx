import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { formatCapabilityPath } from '../capability/address.ts';
import { StartFields } from '../design/start-fields.tsx';
import { summariseReport } from '../audit/summary-data.ts';
import { AuditSummary, type AuditSummaryData } from '../audit/summary.tsx';
import type { Html } from '../design/shell.tsx';
import { formatLongDay } from '../language/amounts.ts';
import { translateResult } from '../language/check-titles.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { InlineLine } from './blocks.tsx';
import { EXAMPLE_PATH, EXAMPLE_SITE, type ExampleReport } from './example.ts';
import { type PageOf, renderSitePage } from './page.tsx';
import { buildStartFacts } from './start-facts.ts';
import { startWords } from './start-words.ts';

type StartPageOf = PageOf & {
  /** Absent where the recording was not built. */
  example?: ExampleReport | undefined;
};

/** The start page for people: it works without scripts, and says the same as its Markdown. */
export const startPage = (of: StartPageOf): Html => renderSitePage(of, <Hero {...of} />);

/** What one sees first: what this is, the field that starts an audit, and a report as it will be. */
const Hero = ({ page, baseUrl, example, language = DEFAULT_LANGUAGE }: StartPageOf) => (
  <header class={example === undefined ? 'hero' : 'hero beside'}>
    <div class="pitch">
      <h1>{page.title}</h1>
      <p class="lead">
        <InlineLine parts={page.lead} />
      </p>
      <TryIt language={language} />
      <ul class="promises">
        {startWords[language].promises(buildStartFacts(baseUrl, language)).map((text) => (
          <li>
            <InlineLine parts={text} />
          </li>
        ))}
      </ul>
    </div>
    {example === undefined ? null : <Example example={example} language={language} />}
  </header>
);

/** Its answer is the live audit, which begins with it: a request of our own page (rule F6). */
const TryIt = ({ language }: { language: PageLanguage }) => {
  const { label, field, button, hint, brandInstead } = startWords[language].form;
  return (
    <form class="try" method="post" action="/audit" aria-label={label}>
      <StartFields />
      <label for="url">{field}</label>
      <div class="field">
        <input
          id="url"
          name="url"
          type="text"
          inputmode="url"
          autocomplete="url"
          autocapitalize="off"
          spellcheck={false}
          maxlength={2048}
          required
          placeholder="example.com"
          aria-describedby="url-hint"
        />
        <button>{button}</button>
      </div>
      <p class="small" id="url-hint">
        {hint}
      </p>
      <p class="small">
        {brandInstead.text}{' '}
        <a href={formatCapabilityPath('visibility_check' satisfies CapabilityName)}>{brandInstead.link}</a>
      </p>
    </form>
  );
};

/** A report as a buyer gets it, of a site that anyone may look up in the source code. */
const Example = ({ example, language }: { example: ExampleReport; language: PageLanguage }) => {
  const { heading, about, whole } = startWords[language].example;
  return (
    <aside class="card example" aria-labelledby="example">
      <h2 id="example">{heading}</h2>
      <p class="small">
        {about(EXAMPLE_SITE)} <Day ms={example.recordedAtMs} language={language} />.
      </p>
      <AuditSummary
        {...dropIntervals(summariseReport(translateResult(example.result, language), language))}
        language={language}
        level={3}
      />
      <p class="next">
        <a class="button quiet" href={EXAMPLE_PATH}>
          {whole}
        </a>
      </p>
    </aside>
  );
};

/** Beside the field there is room for what a score means, and not for how sure it is: that is in the whole report. */
const dropIntervals = (summary: AuditSummaryData): AuditSummaryData => ({
  ...summary,
  scores: Object.fromEntries(
    Object.entries(summary.scores).map(([name, { interval: _left, ...score }]) => [name, score]),
  ),
});

const Day = ({ ms, language }: { ms: number; language: PageLanguage }) => (
  <time datetime={new Date(ms).toISOString()}>{formatLongDay(ms, language)}</time>
);
