import { formatPlainLine } from '../../lib/safe-text.ts';
import { EmptyState } from '../design/empty-state.tsx';
import type { Html } from '../design/shell.tsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { getScopeText } from '../scope-words.ts';
import { accessWords } from './access-words.ts';
import { type AccountFrame, NotReadable, OneButton, renderAccountFrame, When } from './frame.tsx';

/** An app with access. Its name and its identifier are its own claims: hostile text. */
export type AppAccess = {
  grantId: string;
  clientName: string;
  clientId: string;
  /** With the words of the service for each, in English. */
  scopes: readonly { scope: string; text: string }[];
  redirectHost?: string | undefined;
  capMicroUsdc?: number | undefined;
  grantedAtS: number;
  /** Undefined: not known now. */
  spentMicroUsdc?: number | undefined;
  /** When it last paid a call with credits, Unix milliseconds. */
  lastPaidAtMs?: number | undefined;
};

export type AccessPage = {
  frame: AccountFrame;
  apps: readonly AppAccess[];
  /** Apps that are listed at most, where there may be more. */
  limit: number | undefined;
};

const MAX_NAME_CHARS = 80;
const MAX_ID_CHARS = 200;

export const renderAccessPage = ({ frame, apps, limit }: AccessPage): Html => {
  const { language, csrf } = frame;
  const words = accessWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        <p>{words.lead}</p>
        {apps.length === 0 ? (
          <EmptyState
            title={words.emptyTitle}
            level={2}
            action={{ href: '/docs/guides/mcp-clients', text: words.emptyAction }}
          >
            {words.emptyText}
          </EmptyState>
        ) : (
          <>
            {apps.map((app) => (
              <App app={app} csrf={csrf} language={language} />
            ))}
            {limit === undefined ? null : <p class="note">{words.limited(limit)}</p>}
            <section aria-labelledby="all-title">
              <h2 id="all-title">{words.revokeAll}</h2>
              <p>{words.revokeAllText}</p>
              <OneButton action="/account/revoke-all" fields={{ csrf }} label={words.revokeAll} />
            </section>
          </>
        )}
      </>
    ),
  });
};

type AppProps = { app: AppAccess; csrf: string; language: PageLanguage };

const App = ({ app, csrf, language }: AppProps) => {
  const words = accessWords[language];
  const name = formatPlainLine(app.clientName, MAX_NAME_CHARS) || words.nameless;
  return (
    <section class="card app">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p class="small url">
        {words.identity} {formatPlainLine(app.clientId, MAX_ID_CHARS)}
      </p>
      <dl>
        <dt>{words.may}</dt>
        {app.scopes.map(({ scope, text }) => (
          <dd>
            {getScopeText(scope, text, language)} <code>{scope}</code>
          </dd>
        ))}
        {app.capMicroUsdc === undefined ? null : (
          <>
            <dd>{words.cap(formatDollars(app.capMicroUsdc, language))}</dd>
            {app.spentMicroUsdc === undefined ? null : (
              <dd>{words.spent(formatDollars(app.spentMicroUsdc, language))}</dd>
            )}
          </>
        )}
        {app.redirectHost === undefined ? null : (
          <>
            <dt>{words.answersTo}</dt>
            <dd class="url">
              <bdi>{formatPlainLine(app.redirectHost, MAX_ID_CHARS)}</bdi>
            </dd>
          </>
        )}
        <dt>{words.since}</dt>
        <dd>
          <When ms={app.grantedAtS * 1000} />
        </dd>
        <dt>{words.lastUse}</dt>
        <dd>{app.lastPaidAtMs === undefined ? words.lastUseUnknown : <When ms={app.lastPaidAtMs} />}</dd>
      </dl>
      <OneButton
        action="/account/revoke"
        fields={{ csrf, grant_id: app.grantId }}
        label={words.revoke}
        name={words.revokeOf(name)}
      />
    </section>
  );
};

/** Which apps there are, for the overview. */
export const AppNames = ({ apps, language }: { apps: readonly AppAccess[] | undefined; language: PageLanguage }) => {
  if (apps === undefined) return <NotReadable language={language} />;
  const words = accessWords[language];
  if (apps.length === 0) return <p>{words.emptyTitle}.</p>;
  const named = apps.slice(0, NAMED);
  return (
    <>
      <p>{words.count(apps.length)}</p>
      <ul class="plain">
        {named.map(({ clientName }) => (
          <li>
            <bdi>{formatPlainLine(clientName, MAX_NAME_CHARS) || words.nameless}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
};

const NAMED = 3;
