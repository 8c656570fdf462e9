import type { CheckResult } from '../../audit/core/scores.ts';
import type { Site } from '../../audit/core/site.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';

/** An audited site: what was read and how every check judged it. All that generators build from; they fetch nothing. */
export type Audited = { snapshot: Snapshot; site: Site; judged: readonly CheckResult[] };
