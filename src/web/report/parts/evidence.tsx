import { OutLink } from '../../design/parts.tsx';
import type { ReportEvidence } from './words.ts';

/** What was seen where: everything in it may come from the audited site. */
export const EvidenceList = ({ evidence }: { evidence: readonly ReportEvidence[] }) =>
  evidence.length === 0 ? (
    <p class="small">No evidence was kept.</p>
  ) : (
    <ul class="seen-list">
      {evidence.map((one) => (
        <li>
          <EvidenceLine {...one} />
        </li>
      ))}
    </ul>
  );

const EvidenceLine = ({ url, status, header, selector, line, excerpt }: ReportEvidence) => (
  <>
    <OutLink href={url} />
    {status === undefined ? null : <span> answered {status}</span>}
    {header === undefined ? null : (
      <>
        , header <code>{header}</code>
      </>
    )}
    {selector === undefined ? null : (
      <>
        , at <code>{selector}</code>
      </>
    )}
    {line === undefined ? null : <>, line {line}</>}
    {excerpt === undefined || excerpt === '' ? null : (
      <>
        : <code class="excerpt">{excerpt}</code>
      </>
    )}
  </>
);
