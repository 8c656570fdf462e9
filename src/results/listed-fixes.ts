import { checks } from '../audit/core/catalogue.ts';
import { getEffort } from '../audit/core/fix-order.ts';
import {
  type BoughtFix,
  type BoughtResult,
  type BoughtTopicFix,
  type CountedCheck,
  isAuditFix,
  listCountedChecks,
} from './bought.ts';

/**
 * A fix as sections list it. Results that hold fixes have them whole; the others have what the catalogue says to do about
 * an open check, without ready texts.
 */
export type ListedFix = Pick<BoughtFix, 'id' | 'title'> & Partial<BoughtFix> & { [member: string]: unknown };

/** Prefix of the ids of fixes that are about a topic: `topic-1`. */
const TOPIC = 'topic-';

/** Every fix of a result, those first that its summary names first. */
export function listFixes(result: BoughtResult): readonly ListedFix[] {
  const suggested = listSuggestions(result);
  const rank = new Map(suggested.map(({ check_id }, at) => [check_id, at]));
  const rankOf = ({ id }: ListedFix): number => rank.get(id) ?? suggested.length;
  return listUnranked(result).toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** What the summary of a result names as worth doing first; of a comparison, what to copy. */
export const listSuggestions = ({ summary, copy_first }: BoughtResult) => copy_first ?? summary?.fixes ?? [];

function listUnranked(result: BoughtResult): readonly ListedFix[] {
  const { fixes } = result;
  if (fixes === undefined) return listOpenChecks(result).map((one) => describeOpenCheck(one, result));
  return (fixes as readonly (BoughtFix | BoughtTopicFix)[]).map((one, at) =>
    isAuditFix(one) ? one : describeTopic(one, at),
  );
}

/** Failed and partial checks of the site that the buyer asked about, the heaviest loss first. */
export const listOpenChecks = (result: BoughtResult): readonly CountedCheck[] =>
  listCountedChecks(result)
    .filter(({ status, site }) => (status === 'fail' || status === 'partial') && site !== 'competitor')
    .toSorted((a, b) => computeOpenLoss(b) - computeOpenLoss(a));

const computeOpenLoss = ({ weight, value }: CountedCheck): number => weight * (1 - value);

const instructions: ReadonlyMap<string, string> = new Map(checks.map(({ id, fix }) => [id, fix]));

/** A check that this version no longer has is described without instructions. */
function describeOpenCheck(
  { id, title, status, scores, weight, evidence }: CountedCheck,
  result: BoughtResult,
): ListedFix {
  const gains = findGains(result, id);
  const text = instructions.get(id);
  return {
    id,
    title,
    status: status === 'partial' ? 'partial' : 'fail',
    scores: [...scores],
    weight,
    ...(gains === undefined ? {} : { gains }),
    effort: getEffort(id),
    ...(text === undefined ? {} : { instructions: text }),
    evidence,
  };
}

/** What a fix adds to each score, where the result says it. */
export const findGains = (result: BoughtResult, id: string): BoughtFix['gains'] | undefined =>
  listSuggestions(result).find(({ check_id }) => check_id === id)?.gains ??
  result.gaps?.find((gap) => gap.id === id)?.points;

const describeTopic = (one: BoughtTopicFix, at: number): ListedFix => ({
  id: `${TOPIC}${at + 1}`,
  title: `Publish the texts about topic ${at + 1}`,
  state: one.draft === true || one.facts_needed.length > 0 ? 'draft' : 'ready',
  ...one,
});
