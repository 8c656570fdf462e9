import type { WireHost } from '../../ownership/host-wire.ts';
import type { HostAccess } from '../../traffic/access/access-row.ts';
import type { CrawlerReport } from '../../traffic/edge/crawler-report.ts';
import { type AccountFrame, OneButton, renderAccountFrame, When } from '../account/frame.tsx';
import { Code } from '../design/parts.tsx';
import { type Html, renderHiddenFields } from '../design/shell.tsx';
import type { PageLanguage } from '../language/language.ts';
import { CrawlerTables } from './crawler-tables.tsx';
import { HOSTS_PAGE_PATH } from './hosts-page.tsx';
import { hostsWords } from './hosts-words.ts';

/** What a look saw; `too_soon`: there was none. */
export type HostLook =
  | { state: 'found' | 'absent' | 'unknown'; places: readonly { name: string; detail: string }[] }
  | { state: 'too_soon'; retryAfterS: number };

export type HostPage = {
  frame: AccountFrame;
  host: WireHost;
  tokenSinceMs: number | undefined;
  /** Undefined: the days of the query are none. */
  report: CrawlerReport | undefined;
  /** Undefined where nothing was counted. */
  access: HostAccess | undefined;
  look?: HostLook | undefined;
  /** A token that was just made. */
  token?: string | undefined;
};

/** One host: who came, what proves it, and the Worker that counts. */
export const renderHostPage = (page: HostPage): Html => {
  const { frame, host, token } = page;
  const { language, csrf } = frame;
  const words = hostsWords[language];
  return renderAccountFrame({
    ...frame,
    title: host.host,
    scripts: ['/web/copy.js'],
    children: (
      <>
        <p>
          {words.state}: <strong>{words.states[host.state]}</strong>
          {host.found_at === null ? null : (
            <>
              . {words.lastFound}: <When ms={Date.parse(host.found_at)} />
            </>
          )}
        </p>
        {token === undefined ? null : (
          <section class="note" role="status" id="token">
            <p>{words.tokenOnce}</p>
            <Code text={token} label={words.copy} />
          </section>
        )}
        {host.state === 'waiting' ? null : <Visitors {...page} />}
        <Proof {...page} />
        <Install {...page} />
        <section aria-labelledby="drop-title">
          <h2 id="drop-title">{words.dropTitle}</h2>
          <p>{words.dropText}</p>
          <OneButton action={`${HOSTS_PAGE_PATH}/drop`} fields={{ csrf, host: host.host }} label={words.drop} />
        </section>
      </>
    ),
  });
};

const Visitors = ({ report, access, host: { host }, frame: { language } }: HostPage) => {
  const words = hostsWords[language];
  return (
    <section aria-labelledby="crawlers-title">
      <h2 id="crawlers-title">{words.crawlersTitle}</h2>
      <form class="history-choice" method="get" action={HOSTS_PAGE_PATH}>
        {renderHiddenFields({ host })}
        <p>
          <label for="from">{words.from}</label>
          <input id="from" name="from" type="date" value={report?.from} />
        </p>
        <p>
          <label for="to">{words.to}</label>
          <input id="to" name="to" type="date" value={report?.to} />
        </p>
        <button class="quiet">{words.show}</button>
      </form>
      {report === undefined ? (
        <p class="warning" role="alert">
          {words.wrongRange}
        </p>
      ) : (
        <CrawlerTables report={report} access={access} language={language} />
      )}
    </section>
  );
};

const Proof = ({ frame: { language, csrf }, host, look }: HostPage) => {
  const words = hostsWords[language];
  const { dns, file } = host.proof;
  return (
    <section aria-labelledby="proof-title" id="proof">
      <h2 id="proof-title">{words.proofTitle}</h2>
      {look === undefined ? null : <Look look={look} language={language} />}
      <p>{words.proofLead}</p>
      <h3>{words.proofDns}</h3>
      <dl>
        <dt>{words.proofName}</dt>
        {dns.names.map((name, index) => (
          <dd>
            {index === 0 ? null : <span>{words.proofOr}</span>}
            <Code text={name} label={words.copy} />
          </dd>
        ))}
        <dt>{words.proofValue}</dt>
        <dd>
          <Code text={dns.value} label={words.copy} />
        </dd>
      </dl>
      <h3>{words.proofFile}</h3>
      <Code text={file.url} label={words.copy} />
      <Code text={file.text} label={words.copy} />
      <p class="small">{words.proofHolds}</p>
      <OneButton
        action={`${HOSTS_PAGE_PATH}/look`}
        fields={{ csrf, host: host.host }}
        label={words.look}
        look={host.state === 'proven' ? 'quiet' : 'main'}
      />
    </section>
  );
};

const Look = ({ look, language }: { look: HostLook; language: PageLanguage }) => {
  const words = hostsWords[language];
  if (look.state === 'too_soon')
    return (
      <p class="warning" role="status">
        {words.lookTooSoon(look.retryAfterS)}
      </p>
    );
  return (
    <div class={look.state === 'found' ? 'note' : 'warning'} role="status">
      <p>{words.lookSeen[look.state]}</p>
      {look.places.length === 0 ? null : (
        <ul class="plain" lang="en">
          {look.places.map(({ name, detail }) => (
            <li>
              <code>{name}</code>: {detail}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

const WRAP = `import { countVisitors } from './crawler-counts.js';
import worker from './worker.js'; // What your Worker is now.

export default countVisitors(worker);`;
const SECRET = 'npx wrangler secret put SIGHTLINE_COUNTS_TOKEN && npx wrangler deploy';
const TAIL = `export { tailCounter as default } from './crawler-counts.js';

// In the wrangler.toml of your site:
// tail_consumers = [{ service = "crawler-counts" }]`;

const Install = ({ frame: { language, csrf }, host, tokenSinceMs }: HostPage) => {
  const words = hostsWords[language];
  const query = new URLSearchParams({ host: host.host }).toString();
  return (
    <>
      <section aria-labelledby="token-title">
        <h2 id="token-title">{words.tokenTitle}</h2>
        <p>
          {words.tokenLead}{' '}
          {tokenSinceMs === undefined ? (
            words.tokenNone
          ) : (
            <>
              {words.tokenSince} <When ms={tokenSinceMs} />.
            </>
          )}
        </p>
        {host.state === 'proven' ? (
          <OneButton
            action={`${HOSTS_PAGE_PATH}/token`}
            fields={{ csrf, host: host.host }}
            label={tokenSinceMs === undefined ? words.tokenNew : words.tokenReplace}
          />
        ) : (
          <p class="small">{words.tokenNotProven}</p>
        )}
      </section>
      <section aria-labelledby="install-title">
        <h2 id="install-title">{words.installTitle}</h2>
        <ol>
          <li>
            {words.installSave}:{' '}
            <a href={`${HOSTS_PAGE_PATH}/crawler-counts.js?${query}`} download="crawler-counts.js">
              crawler-counts.js
            </a>
          </li>
          <li>
            {words.installWrap}:
            <Code text={WRAP} label={words.copy} language="javascript" />
          </li>
          <li>
            {words.installSecret}:
            <Code text={SECRET} label={words.copy} language="sh" />
          </li>
        </ol>
        <p>{words.installTail}:</p>
        <Code text={TAIL} label={words.copy} language="javascript" />
        <p>
          <a href="/docs/guides/crawler-counts">{words.guide}</a>
        </p>
      </section>
    </>
  );
};
