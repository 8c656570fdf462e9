import type { CheckCapability } from './check.ts';
import { agentFileFacts } from './facts/agent-file-facts.ts';
import { healthFacts } from './facts/health.ts';
import { llmsFacts } from './facts/llms-facts.ts';
import { mcpFacts } from './facts/mcp-facts.ts';
import { schemaFacts } from './facts/schema-facts.ts';
import type { Site } from './site.ts';
import type { Snapshot } from './snapshot.ts';

/** The `facts` of a cheap check capability: what was found, without a verdict. Plain JSON, in a fixed order of keys. */
export type CapabilityFacts = (snapshot: Snapshot, site: Site) => Readonly<Record<string, unknown>>;

/** One row per check capability. */
export const capabilityFacts: Partial<Record<CheckCapability, CapabilityFacts>> = {
  check_health: healthFacts,
  check_llms_txt: llmsFacts,
  check_schema: schemaFacts,
  check_agent_files: agentFileFacts,
  check_mcp: mcpFacts,
};
