import { type ScoreName, scoreNames } from '../../../audit/core/check.ts';
import { CHECK_STATUS_WORDS } from '../../design/parts.tsx';
import { ReportSection } from '../parts/layout.tsx';
import type { Check, Score } from '../parts/words.ts';
import { CheckItem } from './check.tsx';
import { GROUP_TITLES, SCORE_NAMES, STATUS_ORDER } from './words.ts';

export type ChecksProps = {
  /** The scores of the audit, each with its checks; or the checks of an audit without scores. */
  scores?: Readonly<Partial<Record<ScoreName, Score>>>;
  checks?: readonly Check[];
  /** Address of the fix of a check in the same page; undefined where there is none. */
  fixHrefOf?: (fixId: string) => string | undefined;
};

/** Every check once, whatever number of scores it counts in, grouped by what it came to; the heaviest loss first. */
export const Checks = ({ scores = {}, checks = [], fixHrefOf }: ChecksProps) => {
  const counted = listCountingScores(scores, checks);
  const groups = STATUS_ORDER.map((status) => ({ status, found: sortGroup([...counted.keys()], status) }));
  const named = scoreNames.filter((name) => scores[name] !== undefined);
  return (
    <ReportSection title={`All ${counted.size} checks`} id="checks">
      <Filter names={named} total={counted.size} />
      {groups.map(({ status, found }) =>
        found.length === 0 ? null : (
          <section class={`group ${status}`} data-group>
            <h3>
              {GROUP_TITLES[status]} <span class="small">({found.length})</span>
            </h3>
            {found.map((check) => (
              <CheckItem check={check} scores={counted.get(check) ?? []} fixHref={fixHrefOf?.(check.fix_id)} />
            ))}
          </section>
        ),
      )}
    </ReportSection>
  );
};

/** Which scores each check counts in. An id is in every score that the check is part of: it is shown once. */
function listCountingScores(
  scores: Readonly<Partial<Record<ScoreName, Score>>>,
  checks: readonly Check[],
): ReadonlyMap<Check, readonly ScoreName[]> {
  const byId = new Map<string, { check: Check; names: ScoreName[] }>();
  for (const check of checks) if (!byId.has(check.id)) byId.set(check.id, { check, names: [] });
  for (const name of scoreNames)
    for (const check of scores[name]?.checks ?? []) {
      const known = byId.get(check.id);
      if (known) known.names.push(name);
      else byId.set(check.id, { check, names: [name] });
    }
  return new Map([...byId.values()].map(({ check, names }) => [check, names]));
}

/** Failed and partial ones by the weight that was lost, the others by weight. */
function sortGroup(checks: readonly Check[], status: Check['status']): readonly Check[] {
  const asksFor = status === 'fail' || status === 'partial';
  const rank = ({ weight, value }: Check): number => (asksFor ? weight * (1 - value) : weight);
  return checks.filter((check) => check.status === status).toSorted((a, b) => rank(b) - rank(a));
}

/** Chooses what is shown. Without scripts it is not there, and everything is shown. */
const Filter = ({ names, total }: { names: readonly ScoreName[]; total: number }) => (
  <form class="filter" data-filter hidden role="search" aria-label="Filter checks">
    <fieldset>
      <legend>Show</legend>
      {STATUS_ORDER.map((status) => (
        <label>
          <input type="checkbox" name="status" value={status} checked />
          {CHECK_STATUS_WORDS[status]}
        </label>
      ))}
    </fieldset>
    {names.length < 2 ? null : (
      <label>
        Score
        <select name="score">
          <option value="">All scores</option>
          {names.map((name) => (
            <option value={name}>{SCORE_NAMES[name]}</option>
          ))}
        </select>
      </label>
    )}
    <label>
      Text
      <input type="search" name="text" autocomplete="off" spellcheck={false} />
    </label>
    <div class="act">
      <output data-shown>
        {total} of {total} checks shown
      </output>
      <button type="button" class="quiet small" data-open="true">
        Open all
      </button>
      <button type="button" class="quiet small" data-open="false">
        Close all
      </button>
    </div>
  </form>
);
