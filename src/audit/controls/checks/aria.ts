import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { type AriaFault, listAriaFaults } from '../facts/aria.ts';

/** Checks of the roles and attributes that make up the accessibility tree. */
export const ariaChecks = [
  defineCheck({
    id: 'agent.ui.aria-valid',
    title: 'ARIA roles, attributes and ids are valid',
    failureTitle: 'Correct ARIA roles, attributes and ids',
    weight: 1,
    grade: 'A',
    why: 'Browser agents read the accessibility tree; an unknown role, a wrong value or a reference to nothing breaks it where it matters. Judged in the HTML as sent: what scripts add is not seen.',
    source:
      'https://www.w3.org/TR/wai-aria-1.2/#role_definitions, #state_prop_def; https://www.w3.org/WAI/standards-guidelines/act/rules/6a7281/',
    fix: 'Correct the roles, values and ids named in the evidence; a native element needs no role.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeAria,
  }),
];

/** As many faults are a slip, more are a habit. */
const FEW_FAULTS = 3;
const MAX_SHOWN = 10;

const WORDS: Readonly<Record<AriaFault['kind'], string>> = {
  unknown_role: 'unknown role',
  abstract_role: 'abstract role',
  unknown_attribute: 'unknown attribute',
  invalid_value: 'invalid value',
  dangling_reference: 'reference to nothing',
  duplicate_id: 'referenced id that occurs twice',
};

function judgeAria({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  if (page.aria.length === 0) return verdict.notApplicable('The page uses no ARIA.');
  const faults = listAriaFaults(page, !answer.truncated && !page.tooDeep);
  if (faults.length === 0)
    return verdict.pass(
      `No fault in the ARIA of ${formatCount(page.aria.length, 'element')}.`,
      buildEvidence(exchange),
    );
  const evidence = faults
    .slice(0, MAX_SHOWN)
    .map(({ kind, selector, detail, line }) =>
      buildEvidence(exchange, { selector, line, excerpt: `${WORDS[kind]}: ${detail}` }),
    );
  const note = `${formatCount(faults.length, 'fault')} in the ARIA of ${formatCount(page.aria.length, 'element')}: ${formatFaultKinds(faults)}.`;
  return faults.length <= FEW_FAULTS
    ? verdict.partial(1 - faults.length / (FEW_FAULTS + 1), note, evidence)
    : verdict.fail(note, evidence);
}

function formatFaultKinds(faults: readonly AriaFault[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of faults) counts.set(WORDS[kind], (counts.get(WORDS[kind]) ?? 0) + 1);
  return [...counts].map(([words, count]) => `${words} (${count})`).join(', ');
}
