import type { AlertChange, AlertReading } from '../../monitors/core/alert.ts';
import { When } from '../account/frame.tsx';
import { Status } from '../design/parts.tsx';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { EvidenceList } from '../report/parts/layout.tsx';
import { describeBesideVerdict, formatChangeTitle, translateReading } from './alert-sentence.ts';
import { formatMonitorPath } from './describe-monitor.ts';
import { monitorPageWords } from './page-words.ts';

/** One thing that changed, with both sides and their evidence, which is text of the site. */
export const ChangeCard = ({
  change,
  monitorId,
  language,
}: {
  change: AlertChange;
  monitorId: string;
  language: PageLanguage;
}) => {
  const { id, title, before, after, because = [], isWorse, since } = change;
  const words = monitorPageWords[language];
  return (
    <section class="card change">
      <h3>
        <bdi>{formatChangeTitle({ id, title }, language)}</bdi> <code>{id}</code>
        {isWorse === undefined ? null : <span class="small"> {isWorse ? words.worse : words.better}</span>}
      </h3>
      <div class="sides">
        <Side title={words.before} reading={before} language={language} />
        <Side title={words.after} reading={after} language={language} />
      </div>
      {because.length === 0 ? null : (
        <p>
          {words.because}{' '}
          {because.map((check, at) => (
            <>
              {at === 0 ? '' : ', '}
              <code>{check}</code>
            </>
          ))}
        </p>
      )}
      {since === undefined ? null : (
        <p class="small">
          {words.since}{' '}
          <a href={formatMonitorPath(monitorId, 'runs', since.runId)}>
            <When ms={since.atMs} />
          </a>
        </p>
      )}
    </section>
  );
};

type SideProps = { title: string; reading: AlertReading | null; language: PageLanguage };

const Side = ({ title, reading, language }: SideProps) => (
  <div>
    <h4>{title}</h4>
    {reading === null ? (
      <p>{monitorPageWords[language].nothing}</p>
    ) : (
      <>
        <p>
          <Reading reading={reading} language={language} />
        </p>
        {reading.evidence === undefined || reading.evidence.length === 0 ? null : (
          <EvidenceList evidence={[...reading.evidence]} language={language} />
        )}
      </>
    )}
  </div>
);

/** A verdict is said once, by its mark. */
const Reading = ({ reading, language }: { reading: AlertReading; language: PageLanguage }) => {
  if (reading.status !== undefined)
    return (
      <>
        <Status status={reading.status} language={language} /> <bdi>{describeBesideVerdict(reading, language)}</bdi>
      </>
    );
  const text = translateReading(reading, language);
  return <bdi lang={text === undefined ? markEnglish(language) : undefined}>{text ?? reading.text}</bdi>;
};
