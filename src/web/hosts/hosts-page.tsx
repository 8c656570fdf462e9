import type { WireHost } from '../../ownership/host-wire.ts';
import { type AccountFrame, renderAccountFrame, When } from '../account/frame.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { TableHead } from '../design/parts.tsx';
import { type Html, renderHiddenFields } from '../design/shell.tsx';
import type { PageLanguage } from '../language/language.ts';
import { type HostFault, hostsWords } from './hosts-words.ts';

export const HOSTS_PAGE_PATH = '/account/hosts';

/** The page of one host. */
export const formatHostPath = (host: string): string =>
  `${HOSTS_PAGE_PATH}?${new URLSearchParams({ host }).toString()}`;

export type HostsPage = { frame: AccountFrame; hosts: readonly WireHost[]; fault?: HostFault | undefined };

/** The hosts of an account, and the form for another. */
export const renderHostsPage = ({ frame, hosts, fault }: HostsPage): Html => {
  const { language, csrf } = frame;
  const words = hostsWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        <p>
          {words.lead} <a href="/docs/guides/crawler-counts">{words.guide}</a>
        </p>
        {hosts.length === 0 ? (
          <EmptyState title={words.emptyTitle} level={2}>
            {words.emptyText}
          </EmptyState>
        ) : (
          <HostTable hosts={hosts} language={language} />
        )}
        <h2>{words.claimTitle}</h2>
        {fault === undefined ? null : (
          <p class="warning" role="alert" id="error">
            {words.faults[fault]}
          </p>
        )}
        <form method="post" action={HOSTS_PAGE_PATH}>
          {renderHiddenFields({ csrf })}
          <label for="host">{words.claimLabel}</label>
          <input
            id="host"
            name="host"
            required
            maxlength={260}
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="host-hint"
          />
          <p class="small" id="host-hint">
            {words.claimHint}
          </p>
          <button>{words.claim}</button>
        </form>
      </>
    ),
  });
};

type HostRows = { hosts: readonly WireHost[]; language: PageLanguage };

const HostTable = ({ hosts, language }: HostRows) => {
  const words = hostsWords[language];
  return (
    <table class="stacking">
      <TableHead columns={[words.host, words.state, words.lastFound]} />
      <tbody>
        {hosts.map(({ host, state, found_at: foundAt }) => (
          <tr>
            <th scope="row">
              <a class="url" href={formatHostPath(host)}>
                {host}
              </a>
            </th>
            <td data-column={words.state}>{words.states[state]}</td>
            <td data-column={words.lastFound}>{foundAt === null ? words.never : <When ms={Date.parse(foundAt)} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** How many hosts there are, for the overview, or the way to the first. */
export const HostCount = ({ hosts, language }: HostRows) => {
  const words = hostsWords[language];
  if (hosts.length > 0) return <p>{words.count(hosts.length)}</p>;
  return (
    <p>
      {words.emptyTitle}. <a href={HOSTS_PAGE_PATH}>{words.emptyAction}</a>
    </p>
  );
};
