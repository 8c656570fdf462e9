import type { Html } from '../design/shell.tsx';
import { CONSOLE_HOME, renderConsoleMessage } from './shell.tsx';

export type RefusalPage = {
  title: string;
  /** What to do, in our words. */
  detail: string;
  requestId: string;
  /** Where to go from here: a path of ours. */
  way?: { href: string; text: string };
};

/** Why the console does not do or show something, and the way on. */
export const renderRefusalPage = ({ title, detail, requestId, way = HOME }: RefusalPage): Html =>
  renderConsoleMessage(
    title,
    <>
      <p role="alert">{detail}</p>
      <p>
        <a class="button" href={way.href}>
          {way.text}
        </a>
      </p>
      <p class="small">Request {requestId}</p>
    </>,
  );

const HOME = { href: CONSOLE_HOME, text: 'To the overview' };

/** In the place of what a page would show. */
export const renderEmptyList = ({ detail }: { detail: string }): Html => <p role="alert">{detail}</p>;
