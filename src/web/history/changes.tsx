import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { checks } from '../../audit/core/catalogue.ts';
import type { Change } from '../../capabilities/published/changes.ts';
import { historyPath } from '../badge/snippets.tsx';
import { Time } from '../design/parts.tsx';
import { Status, STATUS_WORDS } from '../design/status.tsx';
import { SCORE_HEADS, type ShownChanges, type ShownEntry } from './shown.ts';

const titles: ReadonlyMap<string, string> = new Map(checks.map(({ id, title }) => [id, title]));

type Props = { host: string; entries: readonly ShownEntry[]; changes: ShownChanges };

/** What became of the checks between two reports, the last two unless others are chosen. */
export const ChangesSection = ({ host, entries, changes }: Props) => (
  <section aria-labelledby="changes">
    <h2 id="changes">What changed</h2>
    <form class="history-choice" method="get" action={`${historyPath(host)}#changes`}>
      <Choice name="from" label="From" entries={entries} chosen={changes.from.reportId} />
      <Choice name="to" label="To" entries={entries} chosen={changes.to.reportId} />
      <button type="submit" class="quiet">
        Compare
      </button>
    </form>
    <p>
      From <Time ms={changes.from.atMs} /> to <Time ms={changes.to.atMs} />: {pointsText(changes.points)}.
    </p>
    {changes.sameRubric ? null : (
      <p class="note">The rubric changed in between: some differences may be those of the rubric, not of the site.</p>
    )}
    {changes.sameProfile ? null : (
      <p class="note">The site was judged as another kind in between: other checks apply to it.</p>
    )}
    <Group title="New passes" none="No check passes that did not before." changes={changes.newPasses} />
    <Group title="Partial now" none="No check is partial that was not before." changes={changes.newPartials} />
    <Group title="New failures" none="No check fails that did not before." changes={changes.newFailures} />
    <Group
      title="Not judged any more"
      none="Every check that was judged before is judged now."
      changes={changes.notJudgedAnyMore}
    />
  </section>
);

const Choice = ({
  name,
  label,
  entries,
  chosen,
}: {
  name: string;
  label: string;
  entries: readonly ShownEntry[];
  chosen: string;
}) => (
  <p>
    <label for={`compare-${name}`}>{label}</label>
    <select id={`compare-${name}`} name={name}>
      {entries.map(({ reportId, atMs }) => (
        <option value={reportId} selected={reportId === chosen}>
          {minuteOf(atMs)}
        </option>
      ))}
    </select>
  </p>
);

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const pointsText = (points: Readonly<Record<ScoreName, number>>): string =>
  scoreNames.map((name) => `${SCORE_HEADS[name]} ${signed(points[name])}`).join(', ');

const signed = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0');

const Group = ({ title, none, changes }: { title: string; none: string; changes: readonly Change[] }) => (
  <>
    <h3>
      {title} ({changes.length})
    </h3>
    {changes.length === 0 ? <p>{none}</p> : <ChangeList changes={changes} />}
  </>
);

const ChangeList = ({ changes }: { changes: readonly Change[] }) => (
  <ul class="history-changes">
    {changes.map(({ id, from, to }) => (
      <li>
        {titles.get(id) ?? id}{' '}
        <span class="small">
          {from === undefined ? 'not asked' : STATUS_WORDS[from]} <span aria-hidden="true">→</span>
          <span class="visually-hidden"> then </span>
        </span>{' '}
        {to === undefined ? <span class="small">not asked</span> : <Status status={to} />}
      </li>
    ))}
  </ul>
);
