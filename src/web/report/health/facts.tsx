import { Code } from '../../design/parts.tsx';
import { markEnglish, type PageLanguage } from '../../language/language.ts';
import { ReportSection } from '../parts/layout.tsx';
import { healthWords } from './health-words.ts';

/** Values of a list that are written out; more are in the JSON. */
const MAX_LISTED = 6;
/** Members that a table of their own shows. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['ai_crawlers']);

type Props = { language: PageLanguage; facts: object };

/** What the checks read, in words where that is short; the whole of it as JSON, folded away. */
export const FactsSection = ({ language, facts }: Props) => {
  const words = healthWords[language];
  const rows = Object.entries(facts).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  if (rows.length === 0) return null;
  return (
    <ReportSection title={words.facts} id="facts">
      <p class="small">{words.factsLead}</p>
      <dl class="measure-facts">
        {rows.map(([name, value]) => (
          <div>
            <dt lang={markEnglish(language)}>{formatFactName(name)}</dt>
            <dd lang={markEnglish(language)}>
              <bdi>{describeFact(value, language)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <details class="requests">
        <summary>{words.asJson}</summary>
        <Code text={JSON.stringify(facts, null, 2)} label={words.copyFacts} />
      </details>
    </ReportSection>
  );
};

/** `robots_txt`: `robots txt`, with a capital at its front. */
const formatFactName = (name: string): string => {
  const text = name.replaceAll('_', ' ').trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/** One line for any value of JSON. */
function describeFact(value: unknown, language: PageLanguage): string {
  const words = healthWords[language];
  if (value === null || value === undefined || value === '') return words.unknownFact;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return describeList(value, language);
  const members = Object.entries(value).filter(([, one]) => typeof one !== 'object' || one === null);
  return members.length === 0
    ? words.nested(Object.keys(value).length)
    : members.map(([name, one]) => `${formatFactName(name)}: ${describeFact(one, language)}`).join('; ');
}

function describeList(values: readonly unknown[], language: PageLanguage): string {
  const words = healthWords[language];
  if (values.length === 0) return words.none;
  const isShort =
    values.length <= MAX_LISTED && values.every((one) => typeof one === 'string' || typeof one === 'number');
  return isShort ? values.join(', ') : words.nested(values.length);
}
