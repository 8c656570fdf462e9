import type { Tool } from '@modelcontextprotocol/server';
import type { AnyCapability } from '../capabilities/capability.ts';
import type { CapabilityName } from '../capabilities/capability-name.ts';

export type OutputSchema = NonNullable<Tool['outputSchema']>;
type Members = Readonly<Record<string, object>>;

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };

const defineObject = (properties: Members, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const list = (items: object): object => ({ type: 'array', items });
const map = (values: object): object => ({ type: 'object', additionalProperties: values });

const scores = map(defineObject({ score: number, grade: text }));
const doFirst = list(defineObject({ id: text, title: text }));
const rate = defineObject({ value: number, low: number, high: number });

/** Foreign words are in here and nowhere else. */
const evidence = { type: 'object' };

const measurement = { mention_rate: rate, rivals: integer, valid: integer };
const counts = { do_first: doFirst };
const files = { files: list(defineObject({ path: text })) };

/** Members of a summary that a program acts on, beside those that every capability has. */
const OWN: Readonly<Record<CapabilityName, Members>> = {
  check_health: counts,
  check_llms_txt: counts,
  check_schema: counts,
  check_agent_files: counts,
  check_mcp: counts,
  score_aeo: { scores, ...counts },
  score_geo: { scores, ...counts },
  score_agent: { scores, ...counts },
  score_mcp: { scores, ...counts },
  full_audit: { scores, ...counts },
  generate_llms_txt: files,
  generate_mcp_json: files,
  fix_pack: { scores, ...counts, ...files },
  generate_skill: files,
  compare: { scores, competitor_scores: scores, categories: list(defineObject({ category: text, winner: text })) },
  full_report: { scores, ...counts, ...files },
  visibility_check: { measurement: defineObject(measurement) },
  visibility_vs_competitor: {
    measurement: defineObject({ ...measurement, competitor_mention_rate: rate, verdict: text }),
  },
  visibility_fix_pack: files,
};

/**
 * What a paid call answers, by default the summary. All tools share a form, but a client reads each schema by itself, so
 * each names what its capability has and types it down to what a program acts on. Larger views add members.
 */
export const buildSoldSchema = ({ name }: Pick<AnyCapability, 'name'>): OutputSchema => ({
  type: 'object',
  properties: {
    capability: { const: name },
    report_id: text,
    report_url: text,
    headline: text,
    ...OWN[name],
    evidence,
  },
  required: ['capability'],
});
