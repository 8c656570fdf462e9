import { Code, Status } from '../../design/parts.tsx';
import { EvidenceList, SeriesSide, Swatch } from '../parts/layout.tsx';
import { type Compared, formatGains } from '../parts/words.ts';
import { getGapAnchor, type SiteNames } from './categories.tsx';

type Gap = Compared['gaps'][number];

type Props = { gaps: readonly Gap[]; names: SiteNames };

/** Every check that the two answer differently, those where the competitor leads first: that is what can be copied. */
export const Gaps = ({ gaps, names }: Props) => (
  <>
    <Led gaps={gaps} names={names} by="competitor" />
    <Led gaps={gaps} names={names} by="url" />
  </>
);

const Led = ({ gaps, names, by }: Props & { by: Gap['ahead'] }) => {
  const led = gaps.map((gap, index) => ({ gap, index })).filter(({ gap }) => gap.ahead === by);
  return (
    <>
      <h3>
        <bdi>{names[by]}</bdi> is ahead in {led.length}
      </h3>
      {led.length === 0 ? <p>No check in which it does better.</p> : null}
      <div class="gaps">
        {led.map(({ gap, index }) => (
          <GapRow gap={gap} index={index} names={names} />
        ))}
      </div>
    </>
  );
};

/** The anchor is inside, so that a browser opens the row for anyone who follows a link to it. */
const GapRow = ({ gap, index, names }: { gap: Gap; index: number; names: SiteNames }) => (
  <details class="gap">
    <summary>
      <span class="row-title">{gap.title}</span>
      <span class="row-marks">
        <Points points={gap.points} />
        <Stands name={names.url} series={1} status={gap.url.status} />
        <Stands name={names.competitor} series={2} status={gap.competitor.status} />
      </span>
    </summary>
    <div id={getGapAnchor(index)} class="gap-body">
      <p class="small">
        <code>{gap.id}</code>, weight {gap.weight}
      </p>
      <h4>What to do</h4>
      <div class="advice">
        <Code text={gap.fix} label="Copy the fix" />
      </div>
      <h4>What was seen</h4>
      <div class="columns">
        <Seen name={names.url} series={1} standing={gap.url} />
        <Seen name={names.competitor} series={2} standing={gap.competitor} />
      </div>
    </div>
  </details>
);

/** Whose outcome it is: shown by its mark, and by its name to who cannot see that. */
const Stands = ({ name, series, status }: { name: string; series: 1 | 2; status: Gap['url']['status'] }) => (
  <span class="stands">
    <Swatch series={series} />
    <span class="visually-hidden">{name}: </span>
    <Status status={status} />
  </span>
);

const Points = ({ points }: Pick<Gap, 'points'>) => {
  const text = formatGains(points);
  return text === '' ? null : <span class="gain">{text}</span>;
};

const Seen = ({ name, series, standing }: { name: string; series: 1 | 2; standing: Gap['url'] }) => (
  <div>
    <p>
      <SeriesSide name={name} series={series} /> <Status status={standing.status} />
    </p>
    <p class="small">Value {standing.value} of 1.</p>
    <EvidenceList evidence={standing.evidence} />
  </div>
);
