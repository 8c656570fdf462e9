import { AGENT_TABLE } from '../../../support/audit/agent-site.ts';
import { failure, json, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { testChecks } from '../../../support/audit/judge-check.ts';

testChecks<SiteMap>(
  {
    'agent.api.ai-plugin': [
      ['absence is not applicable', {}, 'not_applicable', /none is needed/],
      [
        'a valid manifest is reported',
        {
          '/.well-known/ai-plugin.json': json({
            schema_version: 'v1',
            name_for_model: 'a',
            description_for_model: 'b',
            api: { url: 'https://x' },
          }),
        },
        'pass',
        /retired/,
      ],
      [
        'a faulty manifest is partial',
        { '/.well-known/ai-plugin.json': json({ schema_version: 'v1' }) },
        'partial',
        /name_for_model/,
      ],
      ['a timeout is unknown', { '/.well-known/ai-plugin.json': failure('timeout') }, 'unknown', /timeout/],
    ],
    'agent.api.agents-json': [
      ['absence is not applicable', {}, 'not_applicable', /none is needed/],
      ['a JSON object is reported', { '/.well-known/agents.json': json({ flows: [] }) }, 'pass', /agents.json/],
      ['broken JSON is partial', { '/.well-known/agents.json': text('{"flows":') }, 'partial', /not valid JSON/],
      ['a timeout is unknown', { '/.well-known/agents.json': failure('timeout') }, 'unknown', /timeout/],
    ],
  },
  AGENT_TABLE,
);
