import { parsePage } from '../../../src/audit/page/facts/page.ts';
import { reportOn } from '../../../src/audit/core/report.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';

/** What a runtime makes of a snapshot, as text: the facts of the start page, and the whole report. */
export async function judgedText(snapshot: Snapshot): Promise<string> {
  const answer = snapshot.exchanges.find(({ role }) => role === 'page')?.answer;
  const facts = answer?.ok === true ? parsePage(answer.body, answer) : null;
  return JSON.stringify({ facts, report: await reportOn(snapshot) });
}

/** A Worker that answers a snapshot with what it makes of it. */
export default {
  async fetch(request: Request): Promise<Response> {
    return new Response(await judgedText((await request.json()) as Snapshot));
  },
};
