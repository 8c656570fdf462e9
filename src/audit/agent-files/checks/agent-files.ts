import { defineCheck, notApplicable, type Outcome, partial, pass, unknown } from '../../core/check.ts';
import type { AgentFiles } from '../facts/agent-files.ts';
import { issueNote, issueText } from '../../structured-data/facts/json-document.ts';
import type { MissingDocument } from '../../mcp/facts/document.ts';
import { seen } from '../../mcp/checks/common.ts';

export const agentFileChecks = [
  defineCheck({
    id: 'agent.api.ai-plugin',
    title: 'ai-plugin.json is detected',
    scores: ['agent'],
    weight: 0,
    grade: 'D',
    why: 'The plugin platform that read this file was retired in 2024: it is reported and never scored.',
    source: 'https://github.com/openai/plugins-quickstart (archived)',
    fix: 'Keep or remove it: nothing reads it any more.',
    capabilities: ['check_agent_files'],
    needs: ['agentFiles'],
    judge: ({ agentFiles }) => judgeAiPlugin(agentFiles),
  }),
  defineCheck({
    id: 'agent.api.agents-json',
    title: 'agents.json / ai.txt / ai/*.json are detected',
    scores: ['agent'],
    weight: 0,
    grade: 'D',
    why: 'No consumer of these files is known: agents.json is looked for and reported, never scored.',
    source: 'https://github.com/wild-card-ai/agents-json',
    fix: 'Nothing to do: no consumer is known.',
    capabilities: ['check_agent_files'],
    needs: ['agentFiles'],
    judge: ({ agentFiles }) => judgeAgentsJson(agentFiles),
  }),
];

function judgeAiPlugin({ aiPlugin }: AgentFiles): Outcome {
  if (aiPlugin.state !== 'found') return missing(aiPlugin, 'ai-plugin.json');
  const { issues, name } = aiPlugin.document;
  const evidence = seen(aiPlugin.exchange, { excerpt: issues.length === 0 ? name : issueText(issues) });
  return issues.length === 0
    ? pass('A valid manifest of the retired plugin platform.', evidence)
    : partial(0.5, `A manifest of the retired plugin platform with faults: ${issueNote(issues, 3)}`, evidence);
}

function judgeAgentsJson({ agentsJson }: AgentFiles): Outcome {
  if (agentsJson.state !== 'found') return missing(agentsJson, 'agents.json');
  return pass('There is an agents.json.', seen(agentsJson.exchange, { excerpt: agentsJson.document.keys.join(', ') }));
}

function missing(state: MissingDocument, name: string): Outcome {
  if (state.state === 'unreadable' || state.state === 'not_read') return unknown(`${name} ${state.why}.`);
  if (state.state === 'absent') return notApplicable(`There is no ${name}, and none is needed.`);
  return partial(0.5, `${name} ${state.why}.`, state.exchange ? seen(state.exchange) : []);
}
