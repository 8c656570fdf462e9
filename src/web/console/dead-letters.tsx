import type { DeadMessage, InboxCount } from '../../console-api/channel-orders.ts';
import { Time } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { ActionForm, type Forms } from './forms.tsx';
import { CouldNotLook, formatCsv, WideTable } from './tables.tsx';

export const DEAD_LETTERS = '/console/dead-letters';
export const REPLAY_CHOSEN = '/console/dead-letters/replay';
export const REPLAY_ALL = '/console/dead-letters/replay-all';
/** The form that the boxes and buttons of the table belong to: forms cannot be nested. */
const CHOSEN = 'chosen';

/** Times as the page's fields hold them: `2026-11-22T10:30`, in UTC. */
export type DeadFilter = { customer?: string; channel?: string; from?: string; to?: string };

export type DeadLettersSeen = {
  filter: DeadFilter;
  /** Customers with dead messages, and those whose inbox did not answer: those after the customer `after`, up to `next`. */
  inboxes: readonly InboxCount[];
  after: string | undefined;
  next: string | undefined;
  /** Of the customer; undefined where there is none to look at. */
  letters: { items: readonly DeadMessage[]; next: string | undefined } | undefined;
  /** Most messages that are replayed at once. */
  mostReplayed: number;
  forms: Forms;
};

/** `/console/dead-letters`: messages that were given up, and how to have them worked again. */
export const renderDeadLetters = ({
  filter,
  inboxes,
  after,
  next,
  letters,
  mostReplayed,
  forms,
}: DeadLettersSeen): Html => (
  <>
    <p class="prose">
      A message is dead when its user could not be read, or a receiver could not be reached, in five tries or for good.
      It stays so until it is replayed. A replayed message has the same id as before.
    </p>
    <Inboxes inboxes={inboxes} after={after} next={next} />
    <h2>Messages</h2>
    <Filter filter={filter} />
    {letters === undefined ? null : letters.items.length === 0 ? (
      <p>{filter.customer} has no such dead message.</p>
    ) : (
      <Letters letters={letters} filter={filter} mostReplayed={mostReplayed} forms={forms} />
    )}
  </>
);

const Inboxes = ({ inboxes, after, next }: Pick<DeadLettersSeen, 'inboxes' | 'after' | 'next'>) => {
  const unread = inboxes.filter(({ read }) => !read);
  const dead = inboxes.filter((inbox) => inbox.read && inbox.dead > 0);
  return (
    <>
      {unread.length === 0 ? null : (
        <CouldNotLook>the inboxes of {unread.map(({ customer }) => customer).join(', ')}.</CouldNotLook>
      )}
      {dead.length > 0 ? (
        <ul class="links" aria-label="Customers with dead messages">
          {dead.map((inbox) => (
            <li>
              <a href={formatDeadLettersHref({ customer: inbox.customer }, { after })}>
                {inbox.customer}: {inbox.read ? inbox.dead : 0}
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <p>
          {unread.length > 0 || after !== undefined || next !== undefined
            ? 'No dead message was found.'
            : 'No message is dead.'}
        </p>
      )}
      {next === undefined ? null : (
        <p>
          There are more customers than are counted here:{' '}
          <a href={formatDeadLettersHref({}, { after: next })}>further customers</a>.
        </p>
      )}
      {after === undefined ? null : (
        <p>
          <a href={DEAD_LETTERS}>The first customers</a>
        </p>
      )}
    </>
  );
};

/** `after`: of further customers. `cursor`: of older messages. */
type At = { after?: string | undefined; cursor?: string | undefined };

function formatDeadLettersHref(
  { customer, channel, from, to }: DeadFilter,
  { after, cursor }: At,
  path: string = DEAD_LETTERS,
): string {
  const query = new URLSearchParams({
    ...(customer === undefined ? {} : { customer }),
    ...(channel === undefined ? {} : { channel }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(after === undefined ? {} : { after }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  return `${path}?${query.toString()}`;
}

const Filter = ({ filter: { customer, channel, from, to } }: { filter: DeadFilter }) => (
  <form method="get" action={DEAD_LETTERS} class="fields">
    <div>
      <label for="customer">Customer</label>
      <input id="customer" name="customer" required maxlength={64} value={customer ?? ''} autocomplete="off" />
    </div>
    <div>
      <label for="channel">Channel</label>
      <input id="channel" name="channel" maxlength={64} value={channel ?? ''} autocomplete="off" />
    </div>
    <div>
      <label for="from">Received from (UTC)</label>
      <input id="from" name="from" type="datetime-local" value={from ?? ''} />
    </div>
    <div>
      <label for="to">Received before (UTC)</label>
      <input id="to" name="to" type="datetime-local" value={to ?? ''} />
    </div>
    <button class="small">Show</button>
  </form>
);

const COLUMNS = ['Chosen', 'Received', 'Why it is dead', { number: 'Tries' }, 'Event', 'User', 'Channel', 'Action'];

type LettersProps = Pick<DeadLettersSeen, 'filter' | 'mostReplayed' | 'forms'> & {
  letters: NonNullable<DeadLettersSeen['letters']>;
};

const Letters = ({ letters: { items, next }, filter, mostReplayed, forms }: LettersProps) => {
  const { customer = '', ...bounds } = filter;
  const given = Object.fromEntries(Object.entries(bounds).filter(([, text]) => text !== undefined));
  return (
    <>
      <WideTable
        caption={`Dead messages of ${customer}, the newest first`}
        columns={COLUMNS}
        file={formatDeadLettersHref(filter, {}, `${DEAD_LETTERS}.csv`)}
      >
        {items.map((letter) => (
          <Row letter={letter} />
        ))}
      </WideTable>
      <div class="buttons">
        <ActionForm forms={forms} id={CHOSEN} action={REPLAY_CHOSEN} fields={{ customer }} label="Replay the chosen" />
        <ActionForm
          forms={forms}
          action={REPLAY_ALL}
          fields={{ customer, ...given }}
          label={`Replay all of this filter, at most ${mostReplayed}`}
          quiet
        />
      </div>
      {next === undefined ? null : (
        <p>
          <a href={formatDeadLettersHref(filter, { cursor: next })}>Older messages</a>
        </p>
      )}
    </>
  );
};

const Row = ({ letter: { seq, channel, event, tries, ...letter } }: { letter: DeadMessage }) => (
  <tr>
    <td>
      <input type="checkbox" form={CHOSEN} name="message" value={String(seq)} aria-label={`Message ${seq}`} />
    </td>
    <th scope="row">
      <Time ms={Date.parse(letter.received_at)} />
      <div class="small">message {seq}</div>
    </th>
    <td>{letter.last_error ?? 'not known'}</td>
    <td class="number">{tries}</td>
    <td>{event}</td>
    <td>{letter.user_id === null ? 'none named' : <code>{letter.user_id}</code>}</td>
    <td>
      <code>{channel}</code>
    </td>
    <td>
      <button class="quiet small" form={CHOSEN} name="only" value={String(seq)} aria-label={`Replay message ${seq}`}>
        Replay
      </button>
    </td>
  </tr>
);

/** Dead messages as CSV (rule X8). */
export const formatDeadLettersCsv = (letters: readonly DeadMessage[]): string =>
  formatCsv([
    ['message', 'received', 'reason', 'tries', 'event', 'user', 'channel'],
    ...letters.map((letter) => [
      letter.seq,
      letter.received_at,
      letter.last_error ?? '',
      letter.tries,
      letter.event,
      letter.user_id ?? '',
      letter.channel,
    ]),
  ]);
