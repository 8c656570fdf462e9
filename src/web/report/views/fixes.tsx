import type { PromisedGains } from '../../../fixes/core/promised-gains.ts';
import type { Host } from '../../../fixes/files/fix.ts';
import { formatFixCondition, formatPromise } from '../../../fixes/files/fix-words.ts';
import { Code, Status } from '../../design/parts.tsx';
import { getFixAnchor } from '../audit/words.ts';
import { EvidenceList, ReportSection } from '../parts/layout.tsx';
import { ACTIONS, formatQuantity, EFFORTS, type ReportFix, formatGains, SCORES, SERVERS } from '../parts/words.ts';

/** Fixes that are open: what is worth most. */
const OPEN_FIXES = 3;

/** The settings of all fixes together: two of the fixes above may name one address. */
export const ServerFilesView = ({ files = [] }: { files: readonly { path: string; content: string }[] | undefined }) =>
  files.length === 0 ? null : (
    <ReportSection title="Server configuration" id="server-files">
      <p class="prose">
        All settings of the fixes above as one configuration: for nginx or for Apache, where the first lines of each
        say.
      </p>
      {files.map(({ path, content }) => (
        <details class="inner">
          <summary>
            <code>{path}</code>
          </summary>
          <Code text={content} label="Copy the configuration" />
        </details>
      ))}
    </ReportSection>
  );

/** What to do, in the order in which it is worth most: each fix can be pasted, and says how to see that it works. */
export const FixesView = ({
  fixes,
  promised,
}: {
  fixes: readonly ReportFix[];
  promised: PromisedGains | undefined;
}) => (
  <ReportSection title="Fixes" id="fixes">
    {fixes.length === 0 ? (
      <p>Nothing to fix: no check failed.</p>
    ) : (
      <>
        <p class="lead">{formatFixesOverview(fixes)}</p>
        {promised === undefined ? null : <p>{formatPromise(promised)}</p>}
        <div class="fix-cards">
          {fixes.map((fix, index) => (
            <OneFix fix={fix} index={index} />
          ))}
        </div>
      </>
    )}
  </ReportSection>
);

function formatFixesOverview(fixes: readonly ReportFix[]): string {
  const of = (effort: ReportFix['effort']): number => fixes.filter((fix) => fix.effort === effort).length;
  const efforts = (['minutes', 'hours', 'days'] as const).filter((effort) => of(effort) > 0);
  const work = efforts.map((effort) => `${of(effort)} ${of(effort) === 1 ? 'takes' : 'take'} ${effort}`);
  return `${formatQuantity(fixes.length, 'fix', 'fixes')}, the most valuable first: ${work.join(', ')}.`;
}

/** The anchor is inside, so that a browser opens the fix for anyone who follows a link to it. */
const OneFix = ({ fix, index }: { fix: ReportFix; index: number }) => (
  <details class="fix-card" open={index < OPEN_FIXES}>
    <summary>
      <h3 class="row-title">
        {index + 1}. {fix.title}
      </h3>
      <span class="row-marks">
        <Worth {...fix} />
        <span class="mark">{EFFORTS[fix.effort]}</span>
        <Status status={fix.status} />
      </span>
    </summary>
    <div class="fix-body" id={getFixAnchor(fix.id)}>
      <p>
        {ACTIONS[fix.action]} <code>{fix.file}</code>
      </p>
      <p class="prose">{fix.instructions}</p>
      <Content {...fix} />
      <Configurations configure={fix.configure} />
      <Facts facts={fix.facts_needed} />
      <h4>See that it works</h4>
      <Code text={fix.verify.command} label="Copy the command" />
      <p>{fix.verify.expect}</p>
      <h4>What was seen</h4>
      <EvidenceList evidence={fix.evidence} />
      <p class="small">
        Check <code>{fix.id}</code>, weight {fix.weight}, counts in {fix.scores.map((name) => SCORES[name]).join(', ')}.
      </p>
    </div>
  </details>
);

/** What a fix gains in each score: nothing by itself where it only lifts a cap that another one still holds down. */
const Worth = (fix: ReportFix) => {
  const text = formatGains(fix.gains);
  const condition = formatFixCondition(fix);
  if (text === '') return <span class="mark">No points by itself</span>;
  return <span class="gain">{condition === '' ? text : `${text} ${condition}`}</span>;
};

const Content = ({ content, media_type: type, diff }: ReportFix) => (
  <>
    {content === undefined ? null : (
      <>
        <h4>
          Content
          {type === undefined ? null : (
            <>
              {' '}
              <span class="small">({type})</span>
            </>
          )}
        </h4>
        <Code text={content} label="Copy the content" />
      </>
    )}
    {diff === undefined ? null : (
      <details class="inner">
        <summary>As a patch</summary>
        <Code text={diff} label="Copy the patch" />
      </details>
    )}
  </>
);

const Configurations = ({ configure }: Pick<ReportFix, 'configure'>) => {
  const rows = Object.entries(configure ?? {}) as [Host, string][];
  return (
    <>
      {rows.map(([server, text]) => (
        <details class="inner">
          <summary>For {SERVERS[server]}</summary>
          <Code text={text} label={`Copy for ${SERVERS[server]}`} />
        </details>
      ))}
    </>
  );
};

/** Slots that only the owner can fill: nothing is made up for them. */
export const Facts = ({ facts }: { facts: readonly string[] }) =>
  facts.length === 0 ? null : (
    <div class="note">
      <p>
        <strong>Fill in first.</strong> Only you know these facts. Each is marked as <code>[FACT NEEDED: …]</code>:
      </p>
      <ul>
        {facts.map((fact) => (
          <li>{fact}</li>
        ))}
      </ul>
    </div>
  );
