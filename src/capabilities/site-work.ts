import { type AuditOptions, computeCurrentRubric, gatherAudit } from '../audit/core/report.ts';
import type { CapabilityName } from './capability-name.ts';
import type { WorkOutcome, CapabilityTools } from './capability.ts';
import { type SitePresenter, presenters } from './presenters.ts';
import type { RecordedInput } from './recording.ts';

type SiteInput = { [K in keyof RecordedInput]: RecordedInput[K] | undefined } & {
  url: string;
  publish?: boolean | undefined;
};

/** What is read for a capability: the checks it reports, or those whose facts its files are built from. */
const SCOPES: Readonly<Partial<Record<CapabilityName, Pick<AuditOptions, 'capability' | 'scores'>>>> = {
  check_health: { capability: 'check_health' },
  check_llms_txt: { capability: 'check_llms_txt' },
  check_schema: { capability: 'check_schema' },
  check_agent_files: { capability: 'check_agent_files' },
  check_mcp: { capability: 'check_mcp' },
  score_aeo: { scores: ['aeo'] },
  score_geo: { scores: ['geo'] },
  score_agent: { scores: ['agent'] },
  score_mcp: { scores: ['mcp'] },
  generate_llms_txt: { scores: ['aeo', 'agent'] },
  generate_mcp_json: { scores: ['agent', 'mcp'] },
};

/**
 * The work of a capability that looks at sites: reads them (both of a comparison at the same time, each with the limits
 * of one audit) and presents what was recorded.
 */
export function createSiteWork(capability: keyof typeof presenters) {
  // Whether it is published decides nothing of the result, and is no part of its recording.
  return async ({ publish: _publish, ...given }: SiteInput, tools: CapabilityTools): Promise<WorkOutcome> => {
    const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as RecordedInput;
    const urls = input.competitor === undefined ? [input.url] : [input.url, input.competitor];
    return enterTargets(tools, urls, async () => {
      const snapshots = await Promise.all(
        urls.map((url) => gatherAudit(url, { ...SCOPES[capability], ...buildAuditOptions(url, input, tools) })),
      );
      const recording = { version: 1, capability, input, rubric: await computeCurrentRubric(), snapshots } as const;
      const presenter: SitePresenter = presenters[capability];
      const outcome = await presenter(recording, tools);
      return outcome.ok ? { ...outcome, recording } : outcome;
    });
  };
}

function buildAuditOptions(url: string, input: RecordedInput, tools: CapabilityTools): AuditOptions {
  return {
    fetch: tools.guardedFetch(url),
    clockMs: tools.clockMs,
    ...(input.profile === undefined ? {} : { profile: input.profile }),
    ...(input.max_pages === undefined ? {} : { maxPages: input.max_pages }),
    ...(tools.onProgress === undefined ? {} : { onProgress: tools.onProgress }),
  };
}

/** Enters every host in turn: the task runs when all of them let it. */
function enterTargets(
  tools: CapabilityTools,
  urls: readonly string[],
  task: () => Promise<WorkOutcome>,
): Promise<WorkOutcome> {
  const [first, ...rest] = urls;
  return first === undefined ? task() : tools.atTarget(first, () => enterTargets(tools, rest, task));
}
