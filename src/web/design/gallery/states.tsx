import type { PageLanguage } from '../../language/language.ts';
import { EmptyState } from '../empty-state.tsx';
import { Code, Gauge, Status, TableHead } from '../parts.tsx';
import { galleryTexts } from './texts-data.ts';

type InLanguage = { language: PageLanguage };

/** Empty, loading, refused, and with the texts that real sites bring. */
export const StateSamples = ({ language }: InLanguage) => (
  <>
    <section aria-labelledby="empty">
      <h2 id="empty">Empty</h2>
      <EmptyState title="No reports yet" action={{ href: '#empty', text: 'Audit a site' }}>
        A report is here as soon as you bought one. It can be read for 30 days.
      </EmptyState>
      <EmptyState title="No messages are waiting" />
    </section>
    <section aria-labelledby="loading">
      <h2 id="loading">Loading and progress</h2>
      <p class="prose">
        Nothing moves where the system asks for reduced motion: <code>prefers-reduced-motion</code> ends transitions and
        animations of every part.
      </p>
      <label for="sample-known">Read 12 of 60 pages</label>
      <progress id="sample-known" class="gallery-progress" max={60} value={12}></progress>
      <label for="sample-unknown">Waiting for the wallet</label>
      <progress id="sample-unknown" class="gallery-progress"></progress>
      <p role="status" aria-busy="true">
        The site is read. This takes up to a minute.
      </p>
    </section>
    <section aria-labelledby="refused">
      <h2 id="refused">Refused</h2>
      <div class="card">
        <h3>The site could not be read</h3>
        <p>The site did not answer in time.</p>
        <p>
          <strong>What to do:</strong> check that the server is up, then run the audit again.
        </p>
        <p class="buttons">
          <a class="button" href="#refused">
            Try again
          </a>
        </p>
      </div>
      <p>
        A whole page of an error: <a href="/a-page-that-is-not-there">a page that is not there</a>,{' '}
        <a href="/history/nothing.example">a history without reports</a>.
      </p>
    </section>
    <ChartSample />
    <section aria-labelledby="texts">
      <h2 id="texts">Texts of real sites</h2>
      {galleryTexts.map(({ name, text, ...more }) => (
        <TextSample
          name={name}
          text={text}
          direction={'direction' in more ? more.direction : undefined}
          language={language}
        />
      ))}
    </section>
  </>
);

/** Days and scores of a made-up site. */
const POINTS = [
  ['2026-09-01', 41, 60],
  ['2026-10-01', 58, 61],
  ['2026-11-01', 86, 74],
] as const;

/** The island of the history draws it, from the table below. */
const ChartSample = () => (
  <section aria-labelledby="charts">
    <h2 id="charts">Charts</h2>
    <div class="history-chart" data-history-chart aria-hidden="true"></div>
    <table class="history" data-scores>
      <caption>What the chart shows</caption>
      <TableHead columns={['Report', { number: 'First' }, { number: 'Second' }]} />
      <tbody>
        {POINTS.toReversed().map(([day, first, second]) => (
          <tr data-rubric="1">
            <th scope="row">
              <time datetime={day}>{day}</time>
            </th>
            <td class="number">{first}</td>
            <td class="number">{second}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

type TextSampleProps = InLanguage & { name: string; text: string; direction: 'rtl' | undefined };

const TextSample = ({ name, text, direction, language }: TextSampleProps) => (
  <div class="card" dir={direction}>
    <h3>{name}</h3>
    <h4>{text}</h4>
    <p>
      <bdi>{text}</bdi> <Status status="fail" language={language} />
    </p>
    <p class="buttons">
      <button type="button" class="quiet">
        {text}
      </button>
    </p>
    <table>
      <TableHead columns={['Text', { number: 'Count' }]} />
      <tbody>
        <tr>
          <td class="url">{text}</td>
          <td class="number">42</td>
        </tr>
      </tbody>
    </table>
    <ul class="gauges narrow-box">
      <li>
        <Gauge title={text} score={50} grade="D" language={language} />
      </li>
    </ul>
    <Code text={text} />
    <EmptyState title={text} level={3}>
      {text}
    </EmptyState>
  </div>
);
