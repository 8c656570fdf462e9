import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { issueNote, formatIssues } from '../../structured-data/facts/json-document.ts';
import type { MissingDocument } from '../../mcp/facts/document.ts';
import { buildRequestEvidence } from '../../core/evidence.ts';

export const agentFileChecks = [
  defineCheck({
    id: 'agent.api.ai-plugin',
    title: 'ai-plugin.json is detected',
    failureTitle: 'Check whether ai-plugin.json is still needed',
    weight: 0,
    grade: 'D',
    why: 'The plugin platform that read this file was retired in 2024: it is reported and never scored.',
    source: 'https://github.com/openai/plugins-quickstart (archived)',
    fix: 'Keep or remove it: nothing reads it any more.',
    capabilities: ['check_agent_files'],
    needs: ['agentFiles'],
    judge: judgeAiPlugin,
  }),
  defineCheck({
    id: 'agent.api.agents-json',
    title: 'agents.json / ai.txt / ai/*.json are detected',
    failureTitle: 'Check whether agents.json and ai.txt are needed',
    weight: 0,
    grade: 'D',
    why: 'No consumer of these files is known: agents.json is looked for and reported, never scored.',
    source: 'https://github.com/wild-card-ai/agents-json',
    fix: 'Nothing to do: no consumer is known.',
    capabilities: ['check_agent_files'],
    needs: ['agentFiles'],
    judge: judgeAgentsJson,
  }),
];

function judgeAiPlugin({ agentFiles: { aiPlugin } }: FactsOf<'agentFiles'>): CheckOutcome {
  if (aiPlugin.state !== 'found') return judgeMissingFile(aiPlugin, 'ai-plugin.json');
  const { issues, name } = aiPlugin.document;
  const evidence = buildRequestEvidence(aiPlugin.exchange, {
    excerpt: issues.length === 0 ? name : formatIssues(issues),
  });
  return issues.length === 0
    ? verdict.pass('A valid manifest of the retired plugin platform.', evidence)
    : verdict.partial(0.5, `A manifest of the retired plugin platform with faults: ${issueNote(issues, 3)}`, evidence);
}

function judgeAgentsJson({ agentFiles: { agentsJson } }: FactsOf<'agentFiles'>): CheckOutcome {
  if (agentsJson.state !== 'found') return judgeMissingFile(agentsJson, 'agents.json');
  return verdict.pass(
    'There is an agents.json.',
    buildRequestEvidence(agentsJson.exchange, { excerpt: agentsJson.document.keys.join(', ') }),
  );
}

function judgeMissingFile(state: MissingDocument, name: string): CheckOutcome {
  if (state.state === 'unreadable' || state.state === 'not_read') return verdict.unknown(`${name} ${state.why}.`);
  if (state.state === 'absent') return verdict.notApplicable(`There is no ${name}, and none is needed.`);
  return verdict.partial(0.5, `${name} ${state.why}.`, state.exchange ? buildRequestEvidence(state.exchange) : []);
}
