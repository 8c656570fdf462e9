import { checks } from '../../../audit/core/catalogue.ts';
import { RUBRIC_VERSION } from '../../../audit/core/rubric-version.ts';
import { countRuleChanges } from '../../../audit/rubric/changes.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { otherRubricWords } from './rubric-words.ts';

const ids = checks.map(({ id }) => id);

/** Says of a report of another rubric that a new one may differ though the site did not change. */
export const OtherRubric = ({
  version,
  language = DEFAULT_LANGUAGE,
}: {
  version: string;
  language?: PageLanguage | undefined;
}) =>
  version === RUBRIC_VERSION ? null : (
    <p class="note">
      {otherRubricWords[language](version, RUBRIC_VERSION, countRuleChanges(ids, version, RUBRIC_VERSION))}
    </p>
  );
