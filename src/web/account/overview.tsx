import type { Child } from 'hono/jsx';
import type { Html } from '../design/shell.tsx';
import { accountWords } from './account-words.ts';
import { type AccountFrame, OneButton, renderAccountFrame } from './frame.tsx';

/** A section as the overview shows it. */
export type AccountCard = {
  /** Its anchor: `/account#credits`. */
  id: string;
  path: string;
  title: string;
  /** What the link to its page says. */
  more: string;
  body: Child;
};

/** Everything of an account at a glance, then how to leave. */
export const renderAccountOverview = ({
  frame,
  cards,
}: {
  frame: AccountFrame;
  cards: readonly AccountCard[];
}): Html => {
  const { language, csrf, address, holder = address } = frame;
  const words = accountWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        {holder === undefined ? (
          <p class="note">
            {words.operatorText} <a href="/console/">{words.operatorLink}</a>
          </p>
        ) : null}
        <div class="cards">
          {cards.map((card) => (
            <Card {...card} />
          ))}
        </div>
        <section aria-labelledby="sessions-title" id="sessions">
          <h2 id="sessions-title">{words.sessions}</h2>
          <p>{words.sessionsText}</p>
          <div class="buttons">
            <OneButton action="/signout" fields={{ csrf }} label={words.signOut} />
            <OneButton action="/account/signout-everywhere" fields={{ csrf }} label={words.signOutEverywhere} />
          </div>
        </section>
        {holder === undefined ? null : (
          <section aria-labelledby="data-title" id="data">
            <h2 id="data-title">{words.data}</h2>
            <p>
              {words.dataText}{' '}
              <a href="/account/export.json" download>
                {words.dataLink}
              </a>
            </p>
          </section>
        )}
        {holder === undefined ? null : (
          <section aria-labelledby="end-title" id="delete">
            <h2 id="end-title">{words.end}</h2>
            <p>
              {words.endText} <a href="/account/delete">{words.end}</a>
            </p>
          </section>
        )}
      </>
    ),
  });
};

const Card = ({ id, path, title, more, body }: AccountCard) => (
  <section class="card" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {body}
    <p class="more">
      <a href={path}>{more}</a>
    </p>
  </section>
);
