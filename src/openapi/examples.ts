import type { CapabilityName } from '../capabilities/capability-name.ts';
import generated from './examples.generated.json' with { type: 'json' };

/** Capabilities whose results have the same members share the example of the first. */
const SHARED: Readonly<Record<string, CapabilityName>> = {
  check_llms_txt: 'check_health',
  check_schema: 'check_health',
  check_agent_files: 'check_health',
  check_mcp: 'check_health',
  seller_check: 'check_health',
  score_geo: 'score_aeo',
  score_agent: 'score_aeo',
  score_mcp: 'score_aeo',
  generate_mcp_json: 'generate_llms_txt',
  generate_skill: 'generate_llms_txt',
  fix_pack: 'full_report',
};

/** The capability whose result is the example for another. */
export const selectExample = (name: string): string => SHARED[name] ?? name;

/** Examples of results in the summary view, cut: lists to one item, texts to their beginning. A purchase of credits is whole. */
export const resultExamples: Readonly<Record<string, { value: unknown }>> = Object.fromEntries(
  Object.entries(generated.results).map(([name, value]) => [name, { value }]),
);

/** The example of a result, as a media type has it. */
export const linkExample = (name: string): { summary: { $ref: string } } => ({
  summary: { $ref: `#/components/examples/${name}` },
});

/** Examples of parts of results, cut in the same way. */
export const partExamples: Readonly<Record<string, unknown>> = generated.parts;
