import type { PageLanguage } from '../../language/language.ts';
import { Bar, type CheckStatus, Code, Gauge, type Grade, Status, TableHead } from '../parts.tsx';

type InLanguage = { language: PageLanguage };

/** Scores at the bounds of the grades. */
const SCORES: readonly (readonly [number, Grade])[] = [
  [0, 'F'],
  [1, 'F'],
  [39, 'F'],
  [40, 'D'],
  [60, 'C'],
  [75, 'B'],
  [90, 'A'],
  [100, 'A'],
];
const STATUSES: readonly CheckStatus[] = ['pass', 'partial', 'fail', 'not_applicable', 'unknown'];
const TONES = ['good', 'warn', 'bad', 'idle'] as const;

/** Buttons, fields, tables, figures and boxes, each in each of its states. */
export const PartSamples = ({ language }: InLanguage) => (
  <>
    <ButtonSamples />
    <FieldSamples />
    <TableSamples />
    <FigureSamples language={language} />
    <BoxSamples />
  </>
);

const ButtonSamples = () => (
  <section aria-labelledby="buttons">
    <h2 id="buttons">Buttons</h2>
    <p class="buttons">
      <button type="button">Primary</button>
      <button type="button" class="quiet">
        Quiet
      </button>
      <button type="button" class="small">
        Small
      </button>
      <button type="button" class="quiet small">
        Small and quiet
      </button>
      <a class="button" href="#buttons">
        Link as a button
      </a>
      <button type="button" disabled>
        Disabled
      </button>
      <button type="button" class="quiet" disabled>
        Quiet, disabled
      </button>
    </p>
    <p>
      <a href="#buttons">A link in a sentence</a> has its line, and the outline of the focus is three pixels wide.
    </p>
  </section>
);

const FieldSamples = () => (
  <section aria-labelledby="fields">
    <h2 id="fields">Forms</h2>
    <form class="card narrow-box" method="get" action="#fields">
      <label for="sample-text">Address of a site</label>
      <input id="sample-text" type="text" value="example.com" />
      <label for="sample-bad">Address that is refused</label>
      <input id="sample-bad" type="text" value="not an address" aria-invalid="true" aria-describedby="sample-why" />
      <p class="fault" id="sample-why">
        This is not a web address. Write it as in a browser, such as https://example.com/.
      </p>
      <label for="sample-off">Disabled</label>
      <input id="sample-off" type="text" value="cannot be changed" disabled />
      <label for="sample-area">Longer text</label>
      <textarea id="sample-area" rows={3}>
        One line per address
      </textarea>
      <p>
        <label for="sample-kind">Kind of site</label>
        <select id="sample-kind">
          <option>Detected</option>
          <option>Documentation</option>
        </select>
      </p>
      <fieldset>
        <legend>Choices</legend>
        <label class="choice">
          <input type="checkbox" checked /> Checked
        </label>
        <label class="choice">
          <input type="checkbox" /> Not checked
        </label>
        <label class="choice">
          <input type="radio" name="sample-radio" checked /> One of two
        </label>
        <label class="choice">
          <input type="radio" name="sample-radio" /> The other
        </label>
      </fieldset>
      <p class="buttons">
        <button type="submit">Send</button>
      </p>
    </form>
  </section>
);

const ROWS = [
  ['aeo', 86, '0.06 USDC'],
  ['geo', 7, '1.25 USDC'],
  ['agent', 100, '12.00 USDC'],
] as const;

const TableSamples = () => (
  <section aria-labelledby="tables">
    <h2 id="tables">Tables</h2>
    <div class="scroll" tabindex={0} role="region" aria-label="Sample table">
      <table class="stacking">
        <caption>On a telephone each row becomes a block</caption>
        <TableHead columns={['Score', { number: 'Points' }, { number: 'Price' }]} />
        <tbody>
          {ROWS.map(([name, points, price]) => (
            <tr>
              <th scope="row">{name}</th>
              <td class="number" data-column="Points">
                {points}
              </td>
              <td class="number" data-column="Price">
                {price}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);

const FigureSamples = ({ language }: InLanguage) => (
  <section aria-labelledby="figures">
    <h2 id="figures">Gauges, bars and statuses</h2>
    <ul class="gauges">
      {SCORES.map(([score, grade]) => (
        <li>
          <Gauge title={`Score ${score}`} score={score} grade={grade} language={language} />
        </li>
      ))}
    </ul>
    <h3>Bars</h3>
    <ul class="samples narrow-box">
      {[0, 0.01, 0.5, 1].map((value) => (
        <li>
          {Math.round(value * 100)} % <Bar value={value} />
        </li>
      ))}
      <li>
        47 % (30 % to 64 %) <Bar value={0.47} low={0.3} high={0.64} />
      </li>
      <li>
        The second of two <Bar value={0.25} low={0} high={1} series={2} />
      </li>
    </ul>
    <h3>Statuses</h3>
    <p class="buttons">
      {STATUSES.map((status) => (
        <Status status={status} language={language} />
      ))}
    </p>
    <p class="buttons">
      {TONES.map((tone) => (
        <span class={`status ${tone}`}>{tone}</span>
      ))}
    </p>
  </section>
);

const BoxSamples = () => (
  <section aria-labelledby="boxes">
    <h2 id="boxes">Boxes and code</h2>
    <p class="note">A note says what is good to know.</p>
    <p class="warning">A warning says what is lost otherwise.</p>
    <ul class="grid">
      <li class="card">
        <h3>A card</h3>
        <p>One of several things to choose from.</p>
      </li>
      <li class="card">
        <h3>Another card</h3>
        <p class="small">With a note.</p>
      </li>
    </ul>
    <details>
      <summary>Details that are one click deeper</summary>
      <p>What only some readers need.</p>
    </details>
    <Code
      text={'curl -X POST https://example.com/api/agent/check_health \\\n  -d \'{"url":"https://example.com/"}\''}
    />
    <Code text="User-agent: GPTBot" label="Copy robots.txt" language="text" />
  </section>
);
