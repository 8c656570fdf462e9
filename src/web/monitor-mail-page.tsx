import { type Html, renderDocument } from './design/shell.tsx';
import type { PageLanguage } from './language/language.ts';
import { monitorMailWords } from './monitor-mail-words.ts';

export type MonitorMailPage = {
  language: PageLanguage;
  use: 'confirm' | 'unsubscribe';
  /** Path and query of the link. A page that was pressed has none. */
  action: string | undefined;
};

/** What a link in a mail shows: a button, since programs that read mail follow links; or that it was pressed. */
export function renderMonitorMailPage({ language, use, action }: MonitorMailPage): Html {
  const words = monitorMailWords[language][use];
  return renderDocument({
    title: action === undefined ? words.doneTitle : words.title,
    language,
    narrow: true,
    children:
      action === undefined ? (
        <p>{words.done}</p>
      ) : (
        <form method="post" action={action}>
          <p>{words.text}</p>
          <button>{words.button}</button>
        </form>
      ),
  });
}
