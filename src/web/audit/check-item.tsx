import type { Evidence } from '../../audit/core/evidence.ts';
import type { PreviewCheck } from '../../audit/core/preview.ts';
import { Code, OutLink, SourceLink } from '../design/parts.tsx';
import { Status } from '../design/status.tsx';
import { scoreWords } from './score-words.ts';

type Open = PreviewCheck & { open: true };
type Locked = PreviewCheck & { open: false };

/** A check that is told in full. The data attributes are what the filter reads; all of them are words of ours. */
export const OpenCheck = ({ check }: { check: Open }) => (
  <li data-check data-status={check.status} data-scores={check.scores.join(' ')}>
    <details class="audit-check">
      <summary>
        <Status status={check.status} /> <span class="title">{check.title}</span>{' '}
        <span class="small weight">weight {check.weight}</span>
      </summary>
      <div class="audit-check-body">
        <p>{check.note}</p>
        {check.evidence.length === 0 ? null : <EvidenceList evidence={check.evidence} />}
        <p>
          <strong>Why it matters:</strong> {check.why}
        </p>
        <p class="small">
          Counts in {scoreWords(check.scores)}. Evidence for the rule: grade {check.evidence_grade},{' '}
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

const EvidenceList = ({ evidence }: { evidence: readonly Evidence[] }) => (
  <>
    <p>
      <strong>What was seen:</strong>
    </p>
    <ul class="evidence">
      {evidence.map((one) => (
        <li>
          <OutLink href={one.url} />
          {placeOf(one) === '' ? null : <span class="small"> ({placeOf(one)})</span>}
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
const placeOf = ({ status, header, selector, line }: Evidence): string =>
  [
    status === undefined ? '' : `status ${status}`,
    header === undefined ? '' : `header ${header}`,
    selector === undefined ? '' : `at ${selector}`,
    line === undefined ? '' : `line ${line}`,
  ]
    .filter((part) => part !== '')
    .join(', ');

/** A check of which the preview tells no more than that it was made. */
export const LockedCheck = ({ check }: { check: Locked }) => (
  <li data-check data-status="locked" data-scores={check.scores.join(' ')}>
    <span class="title">{check.title}</span> <span class="small weight">weight {check.weight}</span>
  </li>
);
