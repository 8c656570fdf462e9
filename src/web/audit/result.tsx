import type { ScoreName } from '../../audit/core/check.ts';
import type { CheckEvidence } from '../../audit/core/evidence.ts';
import type { SitePreview, Preview, PreviewCheck } from '../../audit/core/preview.ts';
import type { AuditScore } from '../../audit/core/scores.ts';
import { formatPercent } from '../../lib/numbers.ts';
import { AccuracyNote } from '../design/accuracy-note.tsx';
import { Code, OutLink, SourceLink, Time, Status, CHECK_STATUS_WORDS, TableHead } from '../design/parts.tsx';
import { SCORE_ORDER, formatScoreWords, getScoreTitle } from './score-words.ts';
import { AuditSummary, summarisePreview } from './summary.tsx';

type Open = PreviewCheck & { open: true };
type Locked = PreviewCheck & { open: false };

/** A check shown in full. The data attributes are what the filter reads; all of them are words of ours. */
const OpenCheck = ({ check }: { check: Open }) => (
  <li data-check data-status={check.status} data-scores={check.scores.join(' ')}>
    <details class="audit-check">
      <summary>
        <Status status={check.status} /> <span class="title">{check.title}</span>{' '}
        <span class="small weight">weight {check.weight}</span>
      </summary>
      <div class="audit-check-body">
        <p>{check.note}</p>
        <AccuracyNote check={check} />
        {check.evidence.length === 0 ? null : <EvidenceList evidence={check.evidence} />}
        <p>
          <strong>Why it matters:</strong> {check.why}
        </p>
        <p class="small">
          Counts in {formatScoreWords(check.scores)}. Evidence for the rule: grade {check.evidence_grade},{' '}
          <Sources text={check.source} />
        </p>
        {isOpenEnded(check.status) ? <Labelled title="How to fix it" text={check.fix} label="Copy the fix" /> : null}
        <Labelled title="See it yourself" text={check.reproduce} label="Copy the command" />
      </div>
    </details>
  </li>
);

/** The table names one source, or several with a semicolon between; words may follow an address. */
const Sources = ({ text }: { text: string }) => (
  <>
    {text.split('; ').map((source, index) => {
      const [address = '', ...words] = source.split(', ');
      return (
        <>
          {index === 0 ? '' : '; '}
          {address.includes(' ') ? address : <SourceLink href={address} />}
          {words.map((each) => `, ${each}`)}
        </>
      );
    })}
  </>
);

const isOpenEnded = (status: Open['status']): boolean =>
  status === 'fail' || status === 'partial' || status === 'unknown';

const Labelled = ({ title, text, label }: { title: string; text: string; label: string }) => (
  <>
    <p class="code-title">{title}</p>
    <Code text={text} label={label} />
  </>
);

const EvidenceList = ({ evidence }: { evidence: readonly CheckEvidence[] }) => (
  <>
    <p>
      <strong>What was seen:</strong>
    </p>
    <ul class="evidence">
      {evidence.map((one) => (
        <li>
          <OutLink href={one.url} />
          {describeEvidencePlace(one) === '' ? null : <span class="small"> ({describeEvidencePlace(one)})</span>}
          {one.excerpt === undefined ? null : (
            <blockquote>
              <code>{one.excerpt}</code>
            </blockquote>
          )}
        </li>
      ))}
    </ul>
  </>
);

/** Where in an answer something was seen. */
const describeEvidencePlace = ({ status, header, selector, line }: CheckEvidence): string =>
  [
    status === undefined ? '' : `status ${status}`,
    header === undefined ? '' : `header ${header}`,
    selector === undefined ? '' : `at ${selector}`,
    line === undefined ? '' : `line ${line}`,
  ]
    .filter((part) => part !== '')
    .join(', ');

/** A check of which the preview shows only that it was made. */
const LockedCheck = ({ check }: { check: Locked }) => (
  <li data-check data-status="locked" data-scores={check.scores.join(' ')}>
    <span class="title">{check.title}</span> <span class="small weight">weight {check.weight}</span>
  </li>
);

/** A preview for people: by the server for those without scripts, by the island for all others. */
export const PreviewResult = ({ preview, reused, made_at }: SitePreview) => (
  <>
    <h2>Your preview</h2>
    <p>
      <OutLink href={preview.url} />, read <Time ms={Date.parse(made_at)} /> with {preview.requests.length} requests.
      {reused ? ' Someone asked for the same within the last ten minutes, so this is their result.' : ''} Site type “
      {preview.profile.name}”: {preview.profile.rests_on.join(', ')}.
    </p>
    <AuditSummary {...summarisePreview(preview)} language="en" />
    <Standing {...preview} />
    {preview.warnings.length === 0 ? null : (
      <ul class="note plain">
        {preview.warnings.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
    )}
    <Numbers scores={preview.scores} />
    <h2>Checks</h2>
    <Filter />
    {SCORE_ORDER.map((name) => (
      <Group name={name} checks={preview.checks.filter(({ scores }) => scores[0] === name)} />
    ))}
    <Requests {...preview} />
  </>
);

const Standing = ({ checks }: Preview) => {
  const locked = checks.filter(({ open }) => !open).length;
  return (
    <p>
      This preview shows {checks.length - locked} checks in full; the full result adds what the other {locked} came to,
      with evidence and fix.
    </p>
  );
};

/** How each number came to be. */
const Numbers = ({ scores }: Pick<Preview, 'scores'>) => (
  <details>
    <summary>How these numbers came to be</summary>
    <p>
      A score is 100 × the weight that was earned ÷ the weight of the checks that could be assessed, rounded half up. A
      check that passes earns its weight, one that passes partly earns a share of it. What does not apply, or could not
      be checked, counts in neither. A gate caps a score, whatever else passes; gates of checks that the preview does
      not show are not named here.
    </p>
    <div class="scroll" tabindex={0} role="region" aria-label="Numbers behind the scores">
      <table>
        <caption>Outcomes by score</caption>
        <TableHead
          columns={[
            'Score',
            { number: 'Points' },
            ...STATUSES.map((status) => ({ number: CHECK_STATUS_WORDS[status] })),
            { number: 'Assessed' },
            'Caps',
          ]}
        />
        <tbody>
          {SCORE_ORDER.map((name) => (
            <ScoreRow name={name} score={scores[name]} />
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

const STATUSES = ['pass', 'partial', 'fail', 'not_applicable', 'unknown'] as const;

const ScoreRow = ({ name, score }: { name: ScoreName; score: AuditScore }) => (
  <tr>
    <th scope="row">{getScoreTitle(name)}</th>
    <td class="number">{score.coverage === 0 ? '–' : score.score}</td>
    {STATUSES.map((status) => (
      <td class="number">{score.counts[status]}</td>
    ))}
    <td class="number">{formatPercent(score.coverage)}</td>
    <td>
      {score.gates.length === 0
        ? 'none by the checks shown here'
        : score.gates.map(({ id, cap }) => `${id}: ${cap}`).join(', ')}
    </td>
  </tr>
);

/** Shown where scripts run: `check-filter.ts` finds it by its id. */
const Filter = () => (
  <form id="check-filter" class="filter" hidden aria-label="Filter the checks">
    <div>
      <label for="filter-text">Text</label>
      <input id="filter-text" name="text" type="search" maxlength={100} autocomplete="off" />
    </div>
    <div>
      <label for="filter-status">Outcome</label>
      <select id="filter-status" name="status">
        <option value="">All</option>
        {STATUSES.map((status) => (
          <option value={status}>{CHECK_STATUS_WORDS[status]}</option>
        ))}
        <option value="locked">In the full result</option>
      </select>
    </div>
    <div>
      <label for="filter-score">Score</label>
      <select id="filter-score" name="score">
        <option value="">All</option>
        {SCORE_ORDER.map((name) => (
          <option value={name}>{getScoreTitle(name)}</option>
        ))}
      </select>
    </div>
    <p role="status" class="small" data-shown></p>
  </form>
);

/** The checks whose first score it is: those that count in several are listed once. */
const Group = ({ name, checks }: { name: ScoreName; checks: readonly PreviewCheck[] }) => (
  <section data-group aria-labelledby={`checks-${name}`}>
    <h3 id={`checks-${name}`}>{getScoreTitle(name)}</h3>
    <ul class="checks">{checks.map((check) => (check.open ? <OpenCheck check={check} /> : null))}</ul>
    <details class="locked" data-locked>
      <summary>{checks.filter(({ open }) => !open).length} more checks in the full result</summary>
      <p class="small">
        They were made, and count in the scores above. The full result shows for each what was seen and where, and how
        to fix it.
      </p>
      <ul class="checks">{checks.map((check) => (check.open ? null : <LockedCheck check={check} />))}</ul>
    </details>
  </section>
);

const Requests = ({ requests }: Pick<Preview, 'requests'>) => (
  <details>
    <summary>{requests.length} requests</summary>
    <div class="scroll" tabindex={0} role="region" aria-label="Requests of this preview">
      <table>
        <caption>What was read</caption>
        <TableHead columns={['For', 'Address', 'Answer', { number: 'Bytes' }, { number: 'ms' }]} />
        <tbody>
          {requests.map(({ role, url, status, failure, bytes, ms }) => (
            <tr>
              <th scope="row">{role}</th>
              <td>
                <span class="url">{url}</span>
              </td>
              <td>{status ?? failure ?? 'no answer'}</td>
              <td class="number">{bytes}</td>
              <td class="number">{ms}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
