import type { ScoreName } from '../../../audit/core/check.ts';
import { isCheckId } from '../../audit/check-anchors.ts';
import type { CheckStatus } from '../../design/parts.tsx';

/** Names of the scores over gauges and in choices. */
export const SCORE_NAMES: Readonly<Record<ScoreName, string>> = {
  aeo: 'AI search visibility (AEO)',
  geo: 'Citation readiness (GEO)',
  agent: 'Agent readiness',
  mcp: 'MCP readiness',
};

/** Groups of checks in the order in which they ask for something. */
export const STATUS_ORDER = [
  'fail',
  'partial',
  'unknown',
  'pass',
  'not_applicable',
] as const satisfies readonly CheckStatus[];

export const GROUP_TITLES: Readonly<Record<CheckStatus, string>> = {
  fail: 'Failed',
  partial: 'Partly passed',
  unknown: 'Could not be checked',
  pass: 'Passed',
  not_applicable: 'Does not apply to this site',
};

/** At most this many decimals: sums of weights and values are exact to the eye. */
const DECIMALS = 3;

/** `12`, `12.5`, `0.333`: a sum of weights without the noise of binary fractions. */
export const formatDecimal = (value: number): string => String(Number(value.toFixed(DECIMALS)));

/** The anchor of the fix of a check, in a page that has fixes. */
export const getFixAnchor = (fixId: string): string | undefined => (isCheckId(fixId) ? `fix-${fixId}` : undefined);
