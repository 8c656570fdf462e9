import type { AnyCheck } from '../check.ts';
import { entityChecks } from './entity.ts';
import { faqChecks } from './faq.ts';
import { honestyChecks } from './honesty.ts';
import { mcpAuthChecks } from './mcp-auth.ts';
import { mcpCardChecks } from './mcp-card.ts';
import { mcpCardClaimChecks } from './mcp-card-claims.ts';
import { mcpDiscoveryChecks } from './mcp-discovery.ts';
import { mcpEndpointChecks } from './mcp-endpoint.ts';
import { mcpToolChecks } from './mcp-tools.ts';
import { schemaFieldChecks } from './schema-fields.ts';
import { structuredDataChecks } from './structured-data.ts';
import { textEvidenceChecks } from './text-evidence.ts';
import { textQualityChecks } from './text-quality.ts';
import { startChecks } from './start.ts';
import { reachChecks } from './reach.ts';
import { userAgentChecks } from './user-agents.ts';
import { robotsChecks } from './robots.ts';
import { pageIndexChecks } from './page-index.ts';
import { sitemapChecks } from './sitemaps.ts';
import { pageRenderChecks } from './page-render.ts';
import { pageAnswerChecks } from './page-answers.ts';
import { agentCardChecks } from './agent-cards.ts';
import { agentFileChecks } from './agent-files.ts';
import { agentSkillChecks } from './agent-skills.ts';
import { apiDescriptionChecks } from './api-description.ts';
import { controlChecks } from './controls.ts';
import { llmsFileChecks } from './llms-file.ts';
import { llmsLinkChecks } from './llms-links.ts';
import { markdownChecks } from './markdown.ts';
import { paymentChecks } from './payments.ts';

/** Every check, in the order of the report. `test/registry.test.ts` names what a row lacks. */
export const checks: readonly AnyCheck[] = [
  ...startChecks,
  ...reachChecks,
  ...userAgentChecks,
  ...robotsChecks,
  ...pageIndexChecks,
  ...sitemapChecks,
  ...pageRenderChecks,
  ...pageAnswerChecks,
  ...textEvidenceChecks,
  ...textQualityChecks,
  ...entityChecks,
  ...structuredDataChecks,
  ...schemaFieldChecks,
  ...faqChecks,
  ...honestyChecks,
  ...llmsFileChecks,
  ...llmsLinkChecks,
  ...markdownChecks,
  ...apiDescriptionChecks,
  ...agentFileChecks,
  ...paymentChecks,
  ...agentCardChecks,
  ...agentSkillChecks,
  ...controlChecks,
  ...mcpDiscoveryChecks,
  ...mcpCardChecks,
  ...mcpCardClaimChecks,
  ...mcpEndpointChecks,
  ...mcpToolChecks,
  ...mcpAuthChecks,
];
