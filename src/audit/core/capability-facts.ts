import { buildAgentFileFacts } from '../agent-files/facts/agent-file-facts.ts';
import { buildLlmsFacts } from '../llms-txt/facts/llms-facts.ts';
import { buildMcpFacts } from '../mcp/facts/facts.ts';
import { buildHealthFacts } from '../reach/facts/health.ts';
import { buildSchemaFacts } from '../structured-data/facts/schema-graph-facts.ts';
import type { CheckCapability } from './check.ts';
import type { CapabilityFacts } from './snapshot.ts';

/** One row per check capability. */
export const capabilityFacts: Partial<Record<CheckCapability, CapabilityFacts>> = {
  check_health: buildHealthFacts,
  check_llms_txt: buildLlmsFacts,
  check_schema: buildSchemaFacts,
  check_agent_files: buildAgentFileFacts,
  check_mcp: buildMcpFacts,
};
