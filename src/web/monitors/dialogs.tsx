import type { Monitor } from '../../monitors/core/monitor.ts';
import type { Receiver } from '../../monitors/core/receiver.ts';
import { formatFeedUrl } from '../../monitors/receivers/links.ts';
import { type AccountFrame, OneButton, renderAccountFrame } from '../account/frame.tsx';
import { Code } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatMonitorPath } from './describe-monitor.ts';
import { describeReceiver } from './form.tsx';
import { monitorPageWords } from './page-words.ts';

/** Asks before a monitor is deleted: what goes and what stays. */
export const renderRemovePage = ({ frame, monitor }: { frame: AccountFrame; monitor: Monitor }): Html => {
  const { language, csrf } = frame;
  const words = monitorPageWords[language];
  const path = formatMonitorPath(monitor.id);
  return renderAccountFrame({
    ...frame,
    title: words.removeTitle(monitor.name),
    children: (
      <>
        <p>{words.removeText}</p>
        <div class="buttons">
          <OneButton action={`${path}/delete`} fields={{ csrf }} label={words.removeButton} look="danger" />
          <a class="button quiet" href={path}>
            {words.keepIt}
          </a>
        </div>
      </>
    ),
  });
};

/** What is shown once: secrets of receivers that were just made, or a new token. */
export type ShownOnce = { receivers: readonly Receiver[]; token?: string };

/** Whether a receiver has something that is shown once. */
export const hasSecret = ({ kind }: Receiver): boolean => kind === 'webhook' || kind === 'feed';

/** The answer to a form that made a secret. It is in no address, no cookie and no cache. */
export const renderShownOnce = ({
  frame,
  monitor,
  baseUrl,
  shown: { receivers, token },
}: {
  frame: AccountFrame;
  monitor: Monitor;
  baseUrl: string;
  shown: ShownOnce;
}): Html => {
  const { language } = frame;
  const words = monitorPageWords[language];
  return renderAccountFrame({
    ...frame,
    path: formatMonitorPath(monitor.id),
    title: words.shownTitle,
    scripts: ['/web/copy.js'],
    children: (
      <>
        <p role="status">
          <bdi>{monitor.name}</bdi>. {words.shownText}
        </p>
        {receivers.map((receiver) =>
          receiver.kind === 'webhook' ? (
            <>
              <h2>{words.shownSecret}</h2>
              <p>
                <bdi class="url">{describeReceiver(receiver)}</bdi>
              </p>
              <Code text={receiver.secret} label={words.copy} />
            </>
          ) : receiver.kind === 'feed' ? (
            <>
              <h2>{words.shownFeed}</h2>
              <Code text={formatFeedUrl(baseUrl, monitor.id, receiver.token)} label={words.copy} />
            </>
          ) : null,
        )}
        {token === undefined ? null : (
          <>
            <h2>{words.shownToken}</h2>
            <Code text={token} label={words.copy} />
          </>
        )}
        <p class="buttons">
          <a class="button" href={formatMonitorPath(monitor.id)}>
            {words.shownOn}
          </a>
        </p>
      </>
    ),
  });
};
