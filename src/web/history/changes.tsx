import { checks } from '../../audit/core/catalogue.ts';
import type { Change, Changes, RuleChange } from '../../capabilities/published/history.ts';
import { getCheckTitle } from '../language/check-titles.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { changesWords } from './changes-words.ts';
import { Status } from '../design/parts.tsx';
import { partsWords } from '../design/parts-words.ts';

const titles: ReadonlyMap<string, string> = new Map(checks.map(({ id, title }) => [id, title]));

type Props = { changes: Changes; language?: PageLanguage | undefined };

/** What became of the checks between two reports, in groups; first what makes a comparison of the two less than exact. */
export const ChangeGroups = ({ changes, language = DEFAULT_LANGUAGE }: Props) => {
  const { groups, otherProfile, otherRubric } = changesWords[language];
  return (
    <>
      {changes.sameRubric ? null : <p class="note">{otherRubric(changes.rubrics.from, changes.rubrics.to)}</p>}
      {changes.sameProfile ? null : <p class="note">{otherProfile}</p>}
      <Group {...groups.passes} changes={changes.newPasses} language={language} />
      <Group {...groups.partials} changes={changes.newPartials} language={language} />
      <Group {...groups.failures} changes={changes.newFailures} language={language} />
      <Group {...groups.notJudged} changes={changes.notJudgedAnyMore} language={language} />
      {changes.sameRubric ? null : <Group {...groups.byRubric} changes={changes.byRubric} language={language} />}
    </>
  );
};

type ListProps = { changes: readonly (Change | RuleChange)[]; language: PageLanguage };

const Group = ({ title, none, changes, language }: ListProps & { title: string; none: string }) => (
  <>
    <h3>
      {title} ({changes.length})
    </h3>
    {changes.length === 0 ? <p>{none}</p> : <ChangeList changes={changes} language={language} />}
  </>
);

const ChangeList = ({ changes, language }: ListProps) => {
  const words = changesWords[language];
  return (
    <ul class="history-changes">
      {changes.map(({ id, from, to, ...more }) => (
        <li>
          {getCheckTitle(id, language, titles.get(id) ?? id)}{' '}
          <span class="small">
            {from === undefined ? words.notAsked : partsWords[language].statuses[from]}{' '}
            <span aria-hidden="true">→</span>
            <span class="visually-hidden"> {words.becomes} </span>
          </span>{' '}
          {to === undefined ? <span class="small">{words.notAsked}</span> : <Status status={to} language={language} />}
          {'why' in more ? (
            <span class="small" lang="en">
              {' '}
              {more.why}
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
};
