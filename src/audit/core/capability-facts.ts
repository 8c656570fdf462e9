import { agentFileFacts } from '../agent-files/facts/agent-file-facts.ts';
import { llmsFacts } from '../llms-txt/facts/llms-facts.ts';
import { mcpFacts } from '../mcp/facts/facts.ts';
import { healthFacts } from '../reach/facts/health.ts';
import { schemaFacts } from '../structured-data/facts/schema-graph-facts.ts';
import type { CheckCapability } from './check.ts';
import type { CapabilityFacts } from './snapshot.ts';

/** One row per check capability. */
export const capabilityFacts: Partial<Record<CheckCapability, CapabilityFacts>> = {
  check_health: healthFacts,
  check_llms_txt: llmsFacts,
  check_schema: schemaFacts,
  check_agent_files: agentFileFacts,
  check_mcp: mcpFacts,
};
