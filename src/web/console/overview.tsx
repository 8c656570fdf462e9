import type { Html } from '../design/shell.tsx';

/** A number of the overview. `note` says what it is of, or what it lacks. */
export type Tile = { title: string; value: string; note?: string };

/** A tile with the page that it leads to; it may be that it could not be looked up. */
export type OverviewTile = { href: string } & (({ seen: true } & Tile) | { seen: false; title: string });

export const COULD_NOT_LOOK = 'Could not read';

/** What the other pages know, a number each. */
export const renderOverview = (tiles: readonly OverviewTile[]): Html => (
  <>
    <p class="lead">What the service does now. Each number leads to its page.</p>
    <ul class="grid tiles">
      {tiles.map((tile) => (
        <li class="card">
          <h2>
            <a href={tile.href}>{tile.title}</a>
          </h2>
          {tile.seen ? <Seen {...tile} /> : <Unseen />}
        </li>
      ))}
    </ul>
  </>
);

const Seen = ({ value, note }: Pick<Tile, 'value' | 'note'>) => (
  <>
    <p class="figure">{value}</p>
    {note === undefined ? null : <p class="small">{note}</p>}
  </>
);

const Unseen = () => (
  <>
    <p class="figure">
      <span class="status unknown">{COULD_NOT_LOOK}</span>
    </p>
    <p class="small">It did not answer in time. That says nothing about what there is.</p>
  </>
);
