import * as z from 'zod';
import { scoreNames } from '../../../audit/core/check.ts';
import type { checksResult } from '../../../capabilities/results.ts';
import { ReportSection, Scroll } from '../parts/layout.tsx';
import { formatGains } from '../parts/words.ts';
import { getCheckAnchor } from '../../audit/check-anchors.ts';
import { OutLink, TableHead } from '../../design/parts.tsx';

type Summary = z.infer<typeof checksResult>['summary'];

/** The published shape of a summary is open; this is what an audit writes into it. */
const suggested = z.object({
  text: z.string().optional(),
  fixes: z
    .array(
      z.object({
        check_id: z.string(),
        title: z.string(),
        fix: z.string(),
        gains: z.partialRecord(z.enum(scoreNames), z.number()),
        points: z.number(),
      }),
    )
    .optional(),
});

/** What to do first, each with what it gains and a way to its check. */
export const FirstFixes = ({ summary }: { summary: Summary }) => {
  const read = suggested.safeParse(summary);
  if (!read.success) return null;
  const { text, fixes = [] } = read.data;
  return (
    <ReportSection title="Fix first">
      {fixes.length === 0 ? (
        <p>{text ?? 'Nothing that was checked needs a fix.'}</p>
      ) : (
        <ol class="first">
          {fixes.map(({ check_id: id, title, fix, gains }) => (
            <li>
              <p>
                <Title id={id} title={title} /> <Gains text={formatGains(gains)} />
              </p>
              <p>{fix}</p>
            </li>
          ))}
        </ol>
      )}
    </ReportSection>
  );
};

const Title = ({ id, title }: { id: string; title: string }) => {
  const anchor = getCheckAnchor(id);
  return anchor === undefined ? <strong>{title}</strong> : <a href={`#${anchor}`}>{title}</a>;
};

const Gains = ({ text }: { text: string }) => (text === '' ? null : <strong class="gains">{text}</strong>);

type Request = z.infer<typeof checksResult>['requests'][number];

/** What was asked of the site: nothing else was looked at. */
export const Requests = ({ requests }: { requests: readonly Request[] }) =>
  requests.length === 0 ? null : (
    <details class="requests">
      <summary>{requests.length} requests were made</summary>
      <Scroll label="Requests">
        <table>
          <caption>Every request of this audit, in the order in which it was made.</caption>
          <TableHead columns={['For', 'Address', 'Answer', { number: 'Bytes' }, { number: 'Milliseconds' }]} />
          <tbody>
            {requests.map(({ role, url, status, failure, bytes, ms }) => (
              <tr>
                <td>{role}</td>
                <td>
                  <OutLink href={url} />
                </td>
                <td>{status ?? <span>no answer: {failure ?? 'unknown'}</span>}</td>
                <td class="number">{bytes}</td>
                <td class="number">{Math.round(ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
