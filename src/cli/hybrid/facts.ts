import { MAX_ISSUES, pointerOf } from '../../audit/structured-data/facts/json-document.ts';
import { parseRelaxedJson } from '../../audit/structured-data/facts/relaxed-json.ts';
import { issueText } from '../../hybrid/core/issue-text.ts';
import { clusterFacts } from '../../hybrid/verify/facts.ts';
import type { ClusterFacts } from '../../hybrid/verify/facts.ts';
import { safePath } from './print.ts';
import { safeLine } from '../core/safe-text.ts';

export type FactsRead = { ok: true; facts: ClusterFacts } | { ok: false; detail: string };

/** Facts of a cluster from the text of a file; `text` is undefined where its bytes are no UTF-8. */
export function factsOf(file: string, text: string | undefined): FactsRead {
  if (text === undefined) return { ok: false, detail: `${safePath(file)}:1:1 is no UTF-8.` };
  const value = jsonOf(text.replace(/^\uFEFF/, ''));
  if (!value.ok) return { ok: false, detail: `${safePath(file)}:${value.place} is no JSON.` };
  const judged = clusterFacts.safeParse(value.value);
  if (judged.success) return { ok: true, facts: judged.data };
  const issues = judged.error.issues.slice(0, MAX_ISSUES);
  const lines = issues.map(
    (issue) => `  ${safeLine(pointerOf(issue.path) || '(document)')}: ${safeLine(issueText(issue))}`,
  );
  return { ok: false, detail: `${safePath(file)} has no facts of a cluster:\n${lines.join('\n')}` };
}

function jsonOf(text: string): { ok: true; value: unknown } | { ok: false; place: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const { fault } = parseRelaxedJson(text); // JSON.parse does not always say where.
    return { ok: false, place: `${fault?.line ?? 1}:${fault?.column ?? 1}` };
  }
}
