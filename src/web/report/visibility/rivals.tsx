import { formatPercent } from '../../../lib/numbers.ts';
import { TableHead } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { NotSeen, RateBar, type Level, Quote, Scroll, ReportSection } from '../parts/layout.tsx';
import { type ReportedBrand, computeCount, rankBrands } from '../parts/words.ts';
import { visibilityWords } from './visibility-words.ts';

type Props = {
  language: PageLanguage;
  name: string;
  report: ReportedBrand;
  level?: Level | undefined;
  id?: string | undefined;
};

/** Who else is named, with the brand itself as the row to compare with. */
export const Rivals = ({ language, name, report, level, id }: Props) => {
  const words = visibilityWords[language];
  const [brand, rate, named, recommended, voice] = words.namedColumns;
  return (
    <ReportSection title={words.named} level={level} id={id}>
      {report.rivals.length === 0 ? <p>{words.namedNone}</p> : null}
      <Scroll label={words.namedLabel(name)}>
        <table class="wide">
          <caption>{words.namedCaption}</caption>
          <TableHead columns={[brand, rate, { number: named }, { number: recommended }, { number: voice }]} />
          <tbody>
            {rankBrands(report).map((rival) =>
              rival === 'own' ? (
                <Own language={language} name={name} report={report} />
              ) : (
                <Rival {...rival} language={language} />
              ),
            )}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

const Own = ({ language, name, report }: Omit<Props, 'level' | 'id'>) => {
  const words = visibilityWords[language];
  const { mention_rate: named, share_of_voice: voice } = report;
  return (
    <tr class="own">
      <th scope="row">
        <bdi>{name}</bdi> <span class="small">{words.thisBrand}</span>
      </th>
      <td class="drawn">
        <RateBar rate={named} series={1} language={language} />
      </td>
      <td class="number">{words.of(computeCount(named), named.n)}</td>
      <td class="number">{computeCount(report.recommendation_rate)}</td>
      <td class="number">{voice === null ? words.notSeen : formatPercent(voice.value)}</td>
    </tr>
  );
};

type RivalProps = ReportedBrand['rivals'][number] & { language: PageLanguage };

const Rival = ({ language, name, mentioned, mention_rate: rate, recommended, share_of_voice: voice }: RivalProps) => (
  <tr>
    <th scope="row">
      <bdi>{name}</bdi>
    </th>
    <td class="drawn">
      <RateBar rate={rate} series={2} language={language} />
    </td>
    <td class="number">{visibilityWords[language].of(mentioned, rate.n)}</td>
    <td class="number">{recommended}</td>
    <td class="number">{formatPercent(voice)}</td>
  </tr>
);

type InsteadProps = Omit<Props, 'report' | 'id'> & { report: Pick<ReportedBrand, 'recommended_instead'> };

/** Whom the answers recommend that do not name the brand, in their words. */
export const RecommendedInstead = ({ language, name, report, level }: InsteadProps) => {
  const words = visibilityWords[language];
  const [before, behind] = words.insteadLead;
  return (
    <ReportSection title={words.instead} level={level}>
      {report.recommended_instead.length === 0 ? (
        <p>{words.insteadNone}</p>
      ) : (
        <>
          <p>
            {before} <bdi>{name}</bdi>
            {behind}
          </p>
          <ul class="instead">
            {report.recommended_instead.map((leader) => (
              <Leader {...leader} language={language} />
            ))}
          </ul>
        </>
      )}
    </ReportSection>
  );
};

type LeaderProps = ReportedBrand['recommended_instead'][number] & { language: PageLanguage };

const Leader = ({ language, name, answers, of, quote }: LeaderProps) => (
  <li class="card">
    <p class="leader">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span class="small">{visibilityWords[language].insteadIn(answers, of)}</span>
    </p>
    {quote === '' ? null : <Quote text={quote} />}
  </li>
);

/** Where the answers come from, as far as the engine says. */
export const Sources = ({ language, report, level }: Omit<Props, 'name'>) => (
  <ReportSection title={visibilityWords[language].sources} level={level}>
    <SourceRows sources={report.sources} language={language} />
  </ReportSection>
);

const SourceRows = ({ sources, language }: { sources: ReportedBrand['sources']; language: PageLanguage }) => {
  const words = visibilityWords[language];
  if (sources === null)
    return (
      <p>
        <NotSeen why={words.sourcesUnknown} language={language} />
      </p>
    );
  if (sources.length === 0) return <p>{words.sourcesNone}</p>;
  return (
    <table class="slim">
      <caption>{words.sourcesCaption}</caption>
      <TableHead columns={[words.sourceColumns[0], { number: words.sourceColumns[1] }]} />
      <tbody>
        {sources.map(({ domain, answers }) => (
          <tr>
            <th scope="row">
              <span class="url">{domain}</span>
            </th>
            <td class="number">{answers}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
