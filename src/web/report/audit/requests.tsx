import type * as z from 'zod';
import type { checksResult } from '../../../capabilities/results.ts';
import { OutLink } from '../../design/parts.tsx';
import { Scroll } from '../parts/layout.tsx';

type Request = z.infer<typeof checksResult>['requests'][number];

/** What was asked of the site: nothing else was looked at. */
export const Requests = ({ requests }: { requests: readonly Request[] }) =>
  requests.length === 0 ? null : (
    <details class="requests">
      <summary>{requests.length} requests were made</summary>
      <Scroll label="Requests">
        <table>
          <caption>Every request of this audit, in the order in which it was made.</caption>
          <thead>
            <tr>
              <th scope="col">For</th>
              <th scope="col">Address</th>
              <th scope="col">Answer</th>
              <th scope="col" class="number">
                Bytes
              </th>
              <th scope="col" class="number">
                Milliseconds
              </th>
            </tr>
          </thead>
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
