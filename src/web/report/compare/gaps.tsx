import { Code, Status } from '../../design/parts.tsx';
import { formatDecimal } from '../../language/amounts.ts';
import { markEnglish, type PageLanguage } from '../../language/language.ts';
import { EvidenceList, SeriesSide, Swatch } from '../parts/layout.tsx';
import { type Compared, formatGains } from '../parts/words.ts';
import { getGapAnchor } from './categories.tsx';
import { compareWords, type SiteNames } from './compare-words.ts';
import { getGapTitle } from './explained.ts';

type Gap = Compared['gaps'][number];

type Props = { gaps: readonly Gap[]; names: SiteNames; language: PageLanguage };

/** Every check that the two answer differently, those where the competitor leads first: that is what can be copied. */
export const Gaps = (props: Props) => (
  <>
    <Led {...props} by="competitor" />
    <Led {...props} by="url" />
  </>
);

const Led = ({ gaps, names, language, by }: Props & { by: Gap['ahead'] }) => {
  const words = compareWords[language];
  const led = gaps.map((gap, index) => ({ gap, index })).filter(({ gap }) => gap.ahead === by);
  return (
    <>
      <h3>
        <bdi>{names[by]}</bdi> {words.ahead(led.length)}
      </h3>
      {led.length === 0 ? <p>{words.noneAhead}</p> : null}
      <div class="gaps">
        {led.map(({ gap, index }) => (
          <GapRow gap={gap} index={index} names={names} language={language} />
        ))}
      </div>
    </>
  );
};

type RowProps = { gap: Gap; index: number; names: SiteNames; language: PageLanguage };

/** The anchor is inside, so that a browser opens the row for anyone who follows a link to it. */
const GapRow = ({ gap, index, names, language }: RowProps) => {
  const words = compareWords[language];
  return (
    <details class="gap">
      <summary>
        <span class="row-title">{getGapTitle(gap, language)}</span>
        <span class="row-marks">
          <Points points={gap.points} />
          <Stands name={names.url} series={1} status={gap.url.status} language={language} />
          <Stands name={names.competitor} series={2} status={gap.competitor.status} language={language} />
        </span>
      </summary>
      <div id={getGapAnchor(index)} class="gap-body">
        <p class="small">
          <code>{gap.id}</code>, {words.weight(formatDecimal(gap.weight, language))}
        </p>
        <h4>{words.whatToDo}</h4>
        <div class="advice">
          <Code text={gap.fix} label={words.copyFix} textLanguage={markEnglish(language)} />
        </div>
        <h4>{words.seen}</h4>
        <div class="columns">
          <Seen name={names.url} series={1} standing={gap.url} language={language} />
          <Seen name={names.competitor} series={2} standing={gap.competitor} language={language} />
        </div>
      </div>
    </details>
  );
};

type SideProps = { name: string; series: 1 | 2; language: PageLanguage };

/** Whose outcome it is: shown by its mark, and by its name to who cannot see that. */
const Stands = ({ name, series, status, language }: SideProps & { status: Gap['url']['status'] }) => (
  <span class="stands">
    <Swatch series={series} />
    <span class="visually-hidden">{name}: </span>
    <Status status={status} language={language} />
  </span>
);

const Points = ({ points }: Pick<Gap, 'points'>) => {
  const text = formatGains(points);
  return text === '' ? null : <span class="gain">{text}</span>;
};

const Seen = ({ name, series, standing, language }: SideProps & { standing: Gap['url'] }) => (
  <div>
    <p>
      <SeriesSide name={name} series={series} /> <Status status={standing.status} language={language} />
    </p>
    <p class="small">{compareWords[language].value(formatDecimal(standing.value, language))}</p>
    <EvidenceList evidence={standing.evidence} language={language} />
  </div>
);
