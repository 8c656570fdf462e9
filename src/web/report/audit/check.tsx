import type { ScoreName } from '../../../audit/core/check.ts';
import { checks as rubric } from '../../../audit/core/catalogue.ts';
import { formatCheckPath } from '../../../report/docs-links.ts';
import { splitSourceLinks } from '../../../report/source-links.ts';
import { AccuracyNote } from '../../design/accuracy-note.tsx';
import { Code, SourceLink, Status } from '../../design/parts.tsx';
import { EvidenceList } from '../parts/layout.tsx';
import { type Check, SCORES } from '../parts/words.ts';
import { formatDecimal } from './words.ts';
import { getCheckAnchor } from '../../audit/check-anchors.ts';

/** What our own table says of each check: no text of a site, and no fix that a pack would sell. */
const ours = new Map(rubric.map((check) => [check.id, check]));

export type CheckProps = {
  check: Check;
  /** The scores it counts in. */
  scores: readonly ScoreName[];
  /** Where the fix of a fix pack is in the same page. */
  fixHref?: string | undefined;
};

/** One check: what it came to in a line, everything else behind it. The anchor is inside, so that following it opens it. */
export const CheckItem = ({ check, scores, fixHref }: CheckProps) => (
  <details class="check" data-check data-status={check.status} data-scores={scores.join(' ')}>
    <summary>
      <Status status={check.status} />
      <span class="title">{check.title}</span>
      <span class="weighs">
        {scores.map((name) => SCORES[name]).join(', ')}
        {scores.length === 0 ? '' : ' · '}
        {check.weight === 0 ? 'not scored' : `weight ${formatDecimal(check.weight)}`}
      </span>
    </summary>
    <div class="inside" id={getCheckAnchor(check.id)}>
      <p>{check.note}</p>
      <AccuracyNote check={check} />
      <dl>
        <dt>Why it matters</dt>
        <dd>{check.why}</dd>
        {check.evidence.length === 0 ? null : (
          <>
            <dt>What was seen</dt>
            <dd>
              <EvidenceList evidence={check.evidence} />
            </dd>
          </>
        )}
        <dt>See it yourself</dt>
        <dd>
          <Code text={check.reproduce} label="Copy command" />
        </dd>
        <Remedy check={check} fixHref={fixHref} />
        <dt>Source</dt>
        <dd>
          <Source check={check} />
        </dd>
      </dl>
      <p class="small">
        <CheckId id={check.id} />, value {formatDecimal(check.value)}, evidence of grade {check.evidence_grade}
      </p>
    </div>
  </details>
);

const Remedy = ({ check, fixHref }: Pick<CheckProps, 'check' | 'fixHref'>) => {
  if (check.status !== 'fail' && check.status !== 'partial') return null;
  const text = ours.get(check.id)?.fix;
  if (text === undefined && fixHref === undefined) return null;
  return (
    <>
      <dt>What to do</dt>
      <dd class="remedy">
        {text === undefined ? null : <Code text={text} label="Copy what to do" />}
        {fixHref === undefined ? null : <a href={fixHref}>The complete fix, ready to paste</a>}
      </dd>
    </>
  );
};

/** Addresses in a source that our table names become links; in any other they stay text. */
const Source = ({ check: { id, source } }: Pick<CheckProps, 'check'>) => {
  if (ours.get(id)?.source !== source) return <>{source}</>;
  return (
    <>{splitSourceLinks(source).map((part) => ('href' in part ? <SourceLink href={part.href} /> : <>{part.text}</>))}</>
  );
};

/** The id, which leads to the page about the check where there is one. */
const CheckId = ({ id }: Pick<Check, 'id'>) => {
  const path = formatCheckPath(id);
  return path === undefined ? (
    <code>{id}</code>
  ) : (
    <a href={path}>
      <code>{id}</code>
    </a>
  );
};
