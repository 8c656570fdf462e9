import type { Monitor } from '../../monitors/core/monitor.ts';
import type { AlertDelivery } from '../../monitors/core/protocol.ts';
import type { Receiver } from '../../monitors/core/receiver.ts';
import { OneButton, When } from '../account/frame.tsx';
import { Status, TableHead } from '../design/parts.tsx';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { formatMonitorPath } from './describe-monitor.ts';
import { describeReceiver } from './form.tsx';
import { monitorWords } from './monitor-words.ts';
import { monitorPageWords } from './page-words.ts';

type Props = { monitor: Monitor; csrf: string; language: PageLanguage };

/** Who is written to, with addresses masked, and what can be done with each. */
export const ReceiverTable = ({ monitor, csrf, language }: Props) => {
  const words = monitorPageWords[language];
  const columns = words.receiverColumns;
  return (
    <section aria-labelledby="receivers">
      <h2 id="receivers">{words.receivers}</h2>
      {monitor.receivers.length === 0 ? (
        <p>{words.noReceivers}</p>
      ) : (
        <table class="stacking">
          <TableHead columns={[columns.kind, columns.where, columns.act]} />
          <tbody>
            {monitor.receivers.map((receiver) => (
              <tr>
                <th scope="row">{monitorWords[language].receivers[receiver.kind]}</th>
                <td data-column={columns.where}>
                  <bdi class="url">{describeReceiver(receiver)}</bdi>
                  <ReceiverNote receiver={receiver} language={language} />
                </td>
                <td data-column={columns.act}>
                  <ReceiverActions {...{ receiver, monitor, csrf, language }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

const ReceiverNote = ({ receiver, language }: { receiver: Receiver; language: PageLanguage }) => {
  const words = monitorPageWords[language];
  const isUnconfirmed = receiver.kind === 'email' && receiver.confirmedAtMs === null;
  if (receiver.disabled === true) return <span class="small"> {words.disabled}</span>;
  return isUnconfirmed ? <span class="small"> {words.unconfirmed}</span> : null;
};

const ReceiverActions = ({ receiver, monitor, csrf, language }: Props & { receiver: Receiver }) => {
  const words = monitorPageWords[language];
  const path = formatMonitorPath(monitor.id, 'receivers', receiver.id);
  const where = `${monitorWords[language].receivers[receiver.kind]}, ${describeReceiver(receiver)}`;
  return (
    <div class="buttons">
      {receiver.kind === 'feed' ? null : (
        <OneButton action={`${path}/test`} fields={{ csrf }} label={words.test} name={words.testOf(where)} />
      )}
      {receiver.kind === 'webhook' ? (
        <OneButton
          action={`${path}/rotate`}
          fields={{ csrf }}
          label={words.rotateSecret}
          name={`${words.rotateSecret}: ${where}`}
        />
      ) : null}
      {receiver.kind === 'feed' ? (
        <OneButton action={`${path}/rotate`} fields={{ csrf }} label={words.rotateFeed} />
      ) : null}
    </div>
  );
};

const DELIVERY_MARKS = { waiting: 'unknown', delivered: 'pass', dead: 'fail' } as const;

/** What was sent lately. The last answer is a short text of ours. */
export const DeliveryTable = ({
  monitor,
  deliveries,
  csrf,
  language,
}: Props & { deliveries: readonly AlertDelivery[] }) => {
  const words = monitorPageWords[language];
  const shared = monitorWords[language];
  const columns = words.deliveryColumns;
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{words.deliveries}</h2>
      {deliveries.length === 0 ? (
        <p>{words.noDeliveries}</p>
      ) : (
        <table class="stacking">
          <TableHead
            columns={[columns.at, columns.kind, columns.state, { number: columns.tries }, columns.outcome, columns.act]}
          />
          <tbody>
            {deliveries.map((delivery) => (
              <tr>
                <th scope="row">
                  <When ms={delivery.createdAtMs} />
                </th>
                <td data-column={columns.kind}>
                  {shared.deliveryKinds[delivery.kind]}, {describeTarget(monitor, delivery, language)}
                </td>
                <td data-column={columns.state}>
                  <Status status={DELIVERY_MARKS[delivery.state]} label={shared.deliveries[delivery.state]} />
                </td>
                <td class="number" data-column={columns.tries}>
                  {delivery.tries}
                </td>
                <td data-column={columns.outcome} lang={markEnglish(language)}>
                  {delivery.lastOutcome ?? '–'}
                </td>
                <td data-column={columns.act}>
                  {delivery.state === 'waiting' ? (
                    '–'
                  ) : (
                    <OneButton
                      action={formatMonitorPath(monitor.id, 'deliveries', delivery.id, 'replay')}
                      fields={{ csrf }}
                      label={words.replay}
                      name={`${words.replay}: ${delivery.id}`}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

function describeTarget(monitor: Monitor, { receiverId }: AlertDelivery, language: PageLanguage): string {
  const receiver = monitor.receivers.find(({ id }) => id === receiverId);
  return receiver === undefined ? '–' : monitorWords[language].receivers[receiver.kind];
}
