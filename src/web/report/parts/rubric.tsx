import { checks } from '../../../audit/core/catalogue.ts';
import { RUBRIC_VERSION } from '../../../audit/core/rubric-version.ts';
import { countRuleChanges } from '../../../audit/rubric/changes.ts';
import { formatQuantity } from './words.ts';

const ids = checks.map(({ id }) => id);

/** Says of a report of another rubric that a new one may differ though the site did not change. */
export const OtherRubric = ({ version }: { version: string }) =>
  version === RUBRIC_VERSION ? null : (
    <p class="note">
      Judged by rubric {version}. The rubric of today is {RUBRIC_VERSION}:{' '}
      {formatQuantity(countRuleChanges(ids, version, RUBRIC_VERSION), 'check')} came or judge otherwise since, so that a
      new report may differ though the site did not change.
    </p>
  );
