import * as z from 'zod';
import { parityAgents } from '../../../audit/crawlers/facts/ai-agents.ts';
import { aiAgents } from '../../../audit/crawlers/facts/ai-agents-data.ts';
import { TableHead } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { ReportSection, Scroll } from '../parts/layout.tsx';
import { type CrawlerVerdict, healthWords } from './health-words.ts';

/** What robots.txt lets each crawler do, as the facts of `check_health` have it; their names are ours. */
const crawlerFacts = z.object({
  ai_crawlers: z.record(
    z.string(),
    z.object({
      access: z.enum(['allowed', 'blocked', 'unknown']),
      named: z.boolean().optional(),
      line: z.number().optional(),
    }),
  ),
});

type Access = z.infer<typeof crawlerFacts>['ai_crawlers'][string];
type Request = { role: string; status: number | null };
/** What the site answered under the name of a crawler; null where none came, absent where none was asked for. */
type Tried = { status: number | null };
type Row = { name: string; access: Access; tried: Tried | undefined; verdict: CrawlerVerdict };

const FIRST_REFUSAL = 400;

function judge(access: Access['access'], tried: Tried | undefined): CrawlerVerdict {
  if (access !== 'allowed') return access;
  if (tried === undefined) return 'not_tried';
  if (tried.status === null) return 'no_answer';
  return tried.status < FIRST_REFUSAL ? 'reads' : 'refused';
}

/** The request that was made under the name of a crawler: its role has the place of the name. */
function findTried(name: string, requests: readonly Request[]): Tried | undefined {
  const place = parityAgents.findIndex((agent) => agent.name === name);
  return place === -1 ? undefined : requests.find(({ role }) => role === `user-agent:${place}`);
}

/** What a crawler collects pages for; of a name that the roster of today lacks nothing is said. */
const getPurpose = (name: string) => aiAgents.find(({ token }) => token === name)?.class;

type Props = { language: PageLanguage; facts: object; requests: readonly Request[] };

/** Crawler by crawler, whether it can read the page: by robots.txt and by what the site answers; nothing for facts without crawlers. */
export const CrawlerAccess = ({ language, facts, requests }: Props) => {
  const read = crawlerFacts.safeParse(facts);
  if (!read.success) return null;
  const words = healthWords[language];
  const rows = Object.entries(read.data.ai_crawlers).map(([name, access]): Row => {
    const tried = findTried(name, requests);
    return { name, access, tried, verdict: judge(access.access, tried) };
  });
  return (
    <ReportSection title={words.crawlers} id="crawlers">
      <Findings language={language} rows={rows} />
      <Scroll label={words.crawlers}>
        <table class="crawlers">
          <caption>{words.caption}</caption>
          <TableHead
            columns={[
              words.columns.crawler,
              words.columns.purpose,
              words.columns.robots,
              words.columns.answer,
              words.columns.verdict,
            ]}
          />
          <tbody>
            {rows.map((row) => (
              <CrawlerRow language={language} row={row} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

/** What the table means, said first. */
const Findings = ({ language, rows }: { language: PageLanguage; rows: readonly Row[] }) => {
  const words = healthWords[language];
  const namesOf = (verdict: CrawlerVerdict): readonly string[] =>
    rows.filter((row) => row.verdict === verdict).map(({ name }) => name);
  const blocked = namesOf('blocked');
  const forTraining = blocked.filter((name) => getPurpose(name) === 'training');
  const others = blocked.filter((name) => !forTraining.includes(name));
  const refused = namesOf('refused');
  return (
    <>
      {blocked.length === 0 ? <p>{words.blocksNone}</p> : null}
      {others.length === 0 ? null : <p>{words.blocksSearch(others.join(', '), others.length > 1)}</p>}
      {refused.length === 0 ? null : <p>{words.refuses(refused.join(', '))}</p>}
      {forTraining.length === 0 ? null : <p>{words.blocksTraining(forTraining.join(', '), forTraining.length > 1)}</p>}
    </>
  );
};

const MOODS: Readonly<Record<CrawlerVerdict, 'pass' | 'fail' | 'unknown'>> = {
  reads: 'pass',
  not_tried: 'pass',
  blocked: 'fail',
  refused: 'fail',
  no_answer: 'unknown',
  unknown: 'unknown',
};

const CrawlerRow = ({ language, row: { name, access, tried, verdict } }: { language: PageLanguage; row: Row }) => {
  const words = healthWords[language];
  const purpose = getPurpose(name);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{purpose === undefined ? '–' : words.purposes[purpose]}</td>
      <td>
        {words.access[access.access]}
        {access.access === 'unknown' ? null : (
          <>
            <br />
            <span class="small">{words.rule(access.named ?? false, access.line)}</span>
          </>
        )}
      </td>
      <td>
        {tried === undefined ? words.notTried : tried.status === null ? words.noAnswer : words.answered(tried.status)}
      </td>
      <td>
        <span class={`status ${MOODS[verdict]}`}>{words.verdicts[verdict]}</span>
      </td>
    </tr>
  );
};
