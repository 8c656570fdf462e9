import type { DeliveryFigure } from '../../payment/ledger/delivery.ts';
import { TableHead } from '../design/parts.tsx';
import { renderDocument, type Html } from '../design/shell.tsx';
import type { PageLanguage } from '../language/language.ts';
import { deliveryWords } from './delivery-words.ts';

export const DELIVERY_PATH = '/delivery';

type Props = { rows: readonly DeliveryFigure[]; language: PageLanguage };

const formatSeconds = (ms: number | null, language: PageLanguage): string =>
  ms === null
    ? deliveryWords[language].unknown
    : `${new Intl.NumberFormat(language, { maximumSignificantDigits: 2 }).format(ms / 1000)} s`;

const Figures = ({ rows, language }: Props) => {
  const { heads, caption } = deliveryWords[language];
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <TableHead
          columns={[
            heads.week,
            heads.capability,
            { number: heads.delivered },
            { number: heads.refused },
            { number: heads.refunded },
            { number: heads.p50 },
            { number: heads.p95 },
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr>
              <td>{row.week}</td>
              <td>
                <code>{row.capability}</code>
              </td>
              <td class="number">{row.delivered}</td>
              <td class="number">{row.refused}</td>
              <td class="number">{row.refunded}</td>
              <td class="number">{formatSeconds(row.p50_ms, language)}</td>
              <td class="number">{formatSeconds(row.p95_ms, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** What became of purchases, for anyone. */
export function renderDeliveryPage({
  rows,
  unread,
  language,
  baseUrl,
}: Props & { unread: number; baseUrl: string }): Html {
  const words = deliveryWords[language];
  return renderDocument({
    title: words.title,
    path: DELIVERY_PATH,
    language,
    description: words.description,
    canonical: `${baseUrl}${DELIVERY_PATH}`,
    index: true,
    links: [{ rel: 'alternate', href: `${DELIVERY_PATH}.json`, type: 'application/json', title: words.json }],
    children: (
      <>
        <p class="lead">{words.lead}</p>
        {unread === 0 ? null : <p class="note">{words.unread(unread)}</p>}
        {rows.length === 0 ? <p>{words.none}</p> : <Figures rows={rows} language={language} />}
        <p>
          <a href={`${DELIVERY_PATH}.json`}>{words.json}</a>
        </p>
        <h2>{words.meaning}</h2>
        <ul>
          {words.meanings.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      </>
    ),
  });
}
