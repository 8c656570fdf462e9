import type { OutcomeStatus, ScoreName } from '../../audit/core/check.ts';
import { partsWords } from '../design/parts-words.ts';
import type { PageLanguage } from '../language/language.ts';
import { getCheckAnchor } from './check-anchors.ts';
import { CheckItem, type ShownCheck } from './check.tsx';
import { checksWords } from './checks-words.ts';
import { summaryWords } from './summary-words.ts';

/** A check of which only that it was made is shown. */
export type LockedCheck = { id: string; title: string; scores: readonly ScoreName[] };

type AuditChecksProps = {
  language: PageLanguage;
  /** Every check once, whatever number of scores it counts in. */
  checks: readonly ShownCheck[];
  locked?: readonly LockedCheck[];
  /** The scores of the audit, for the filter. */
  names: readonly ScoreName[];
};

/** Groups of checks in the order in which they ask for something. */
export const STATUS_ORDER = [
  'fail',
  'partial',
  'unknown',
  'pass',
  'not_applicable',
] as const satisfies readonly OutcomeStatus[];

/**
 * All checks, grouped by what they came to: those that failed first, the heaviest loss first. What does not apply to the
 * site is folded away, and so is what a preview does not show.
 */
export const AuditChecks = ({ language, checks, locked = [], names }: AuditChecksProps) => {
  const words = checksWords[language];
  return (
    <section class="report-part" aria-labelledby="checks">
      <h2 id="checks">
        {locked.length === 0
          ? words.all(checks.length)
          : words.allOfPreview(checks.length, checks.length + locked.length)}
      </h2>
      <Filter language={language} names={names} isPreview={locked.length > 0} />
      {STATUS_ORDER.map((status) => (
        <Group status={status} found={sortGroup(checks, status)} language={language} />
      ))}
      {locked.length === 0 ? null : <Locked locked={locked} language={language} />}
    </section>
  );
};

/** Failed and partial ones by the weight that was lost, the others by weight. */
function sortGroup(checks: readonly ShownCheck[], status: OutcomeStatus): readonly ShownCheck[] {
  const asksFor = status === 'fail' || status === 'partial';
  const rank = ({ weight, value }: ShownCheck): number => (asksFor ? weight * (1 - value) : weight);
  return checks.filter((check) => check.status === status).toSorted((a, b) => rank(b) - rank(a));
}

type GroupProps = { status: OutcomeStatus; found: readonly ShownCheck[]; language: PageLanguage };

const Group = ({ status, found, language }: GroupProps) => {
  if (found.length === 0) return null;
  const title = (
    <h3>
      {checksWords[language].groups[status]} <span class="small">({found.length})</span>
    </h3>
  );
  const items = found.map((check) => <CheckItem check={check} language={language} />);
  return status === 'not_applicable' ? (
    <details class={`group ${status}`} data-group>
      <summary>{title}</summary>
      {items}
    </details>
  ) : (
    <section class={`group ${status}`} data-group>
      {title}
      {items}
    </section>
  );
};

const Locked = ({ locked, language }: { locked: readonly LockedCheck[]; language: PageLanguage }) => {
  const words = checksWords[language];
  return (
    <details class="group locked" data-group>
      <summary>
        <h3>{words.locked(locked.length)}</h3>
      </summary>
      <p class="small">{words.lockedNote}</p>
      <ul>
        {locked.map(({ id, title, scores }) => (
          <li id={getCheckAnchor(id)} data-check data-status="locked" data-scores={scores.join(' ')}>
            {title}
          </li>
        ))}
      </ul>
    </details>
  );
};

type FilterProps = { language: PageLanguage; names: readonly ScoreName[]; isPreview: boolean };

/** Chooses what is shown: `islands/parts/check-filter.ts`. Without scripts it is not there, and everything is shown. */
const Filter = ({ language, names, isPreview }: FilterProps) => {
  const { filter } = checksWords[language];
  return (
    <form class="filter" data-filter hidden role="search" aria-label={filter.label}>
      <label>
        {filter.text}
        <input type="search" name="text" maxlength={100} autocomplete="off" spellcheck={false} />
      </label>
      <label>
        {filter.outcome}
        <select name="status">
          <option value="">{filter.every}</option>
          {STATUS_ORDER.map((status) => (
            <option value={status}>{partsWords[language].statuses[status]}</option>
          ))}
          {isPreview ? <option value="locked">{filter.locked}</option> : null}
        </select>
      </label>
      {names.length < 2 ? null : (
        <label>
          {filter.score}
          <select name="score">
            <option value="">{filter.every}</option>
            {names.map((name) => (
              <option value={name}>{summaryWords[language].scoreNames[name]}</option>
            ))}
          </select>
        </label>
      )}
      <div class="act">
        <output data-shown></output>
        <button type="button" class="quiet small" data-open="true">
          {filter.openAll}
        </button>
        <button type="button" class="quiet small" data-open="false">
          {filter.closeAll}
        </button>
      </div>
    </form>
  );
};
