import type { AnyCheck } from '../check.ts';
import { citationChecks } from './citations.ts';
import { covertTextChecks } from './covert-text.ts';
import { entityChecks } from './entity.ts';
import { faqChecks } from './faq.ts';
import { honestyChecks } from './honesty.ts';
import { mcpAdvertisedChecks } from './mcp-advertised.ts';
import { mcpAuthChecks } from './mcp-auth.ts';
import { mcpAuthSafetyChecks } from './mcp-auth-safety.ts';
import { mcpCardChecks } from './mcp-card.ts';
import { mcpCardClaimChecks } from './mcp-card-claims.ts';
import { mcpCardServedChecks } from './mcp-card-served.ts';
import { mcpDiscoveryChecks } from './mcp-discovery.ts';
import { mcpEndpointChecks } from './mcp-endpoint.ts';
import { mcpOfferChecks } from './mcp-offer.ts';
import { mcpProtocolChecks } from './mcp-protocol.ts';
import { mcpToolChecks } from './mcp-tools.ts';
import { mcpToolQualityChecks } from './mcp-tool-quality.ts';
import { mcpTransportChecks } from './mcp-transport.ts';
import { figureChecks } from './figures.ts';
import { pageCiteChecks } from './page-cite.ts';
import { publisherChecks } from './publisher.ts';
import { sampleTextChecks } from './sample-text.ts';
import { schemaGraphChecks } from './schema-graph.ts';
import { schemaKindChecks } from './schema-kinds.ts';
import { textClaimChecks } from './text-claims.ts';
import { textPlainChecks } from './text-plain.ts';
import { textShapeChecks } from './text-shape.ts';
import { trustChecks } from './trust.ts';
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
import { startTransferChecks } from './start-transfer.ts';
import { robotsLintChecks } from './robots-lint.ts';
import { robotsPolicyChecks } from './robots-policy.ts';
import { indexSignalChecks } from './index-signals.ts';
import { indexConflictChecks } from './index-conflicts.ts';
import { sitemapDateChecks } from './sitemap-dates.ts';
import { sitemapCoverageChecks } from './sitemap-coverage.ts';
import { pageRawChecks } from './page-raw.ts';
import { pageHeadChecks } from './page-head.ts';
import { pageEncodingChecks } from './page-encoding.ts';
import { pageStructureChecks } from './page-structure.ts';
import { pagePassageChecks } from './page-passages.ts';
import { pageLinkChecks } from './page-links.ts';
import { pageMediaChecks } from './page-media.ts';
import { feedChecks } from './feeds.ts';
import { trustPageChecks } from './trust-pages.ts';
import { urlShapeChecks } from './url-shape.ts';
import { agentCardChecks } from './agent-cards.ts';
import { agentExtraChecks } from './agent-extras.ts';
import { agentFileChecks } from './agent-files.ts';
import { agentSkillChecks } from './agent-skills.ts';
import { apiDescriptionChecks } from './api-description.ts';
import { apiQualityChecks } from './api-quality.ts';
import { apiSurfaceChecks } from './api-surface.ts';
import { ariaChecks } from './aria.ts';
import { controlChecks } from './controls.ts';
import { pageActionChecks } from './page-actions.ts';
import { pagePartChecks } from './page-parts.ts';
import { pageTokenChecks } from './page-tokens.ts';
import { webMcpChecks } from './webmcp.ts';
import { llmsFileChecks } from './llms-file.ts';
import { llmsLinkChecks } from './llms-links.ts';
import { markdownChecks } from './markdown.ts';
import { markdownCopyChecks } from './markdown-copies.ts';
import { preferenceChecks } from './preferences.ts';
import { httpBehaviourChecks } from './http-behaviour.ts';
import { paymentChecks } from './payments.ts';

/** Every check, in the order of the report. `test/registry.test.ts` names what a row lacks. */
export const checks: readonly AnyCheck[] = [
  ...startChecks,
  ...reachChecks,
  ...startTransferChecks,
  ...userAgentChecks,
  ...robotsChecks,
  ...robotsLintChecks,
  ...robotsPolicyChecks,
  ...pageIndexChecks,
  ...indexSignalChecks,
  ...indexConflictChecks,
  ...sitemapChecks,
  ...sitemapDateChecks,
  ...sitemapCoverageChecks,
  ...pageRenderChecks,
  ...pageRawChecks,
  ...pageHeadChecks,
  ...pageEncodingChecks,
  ...pageStructureChecks,
  ...pageAnswerChecks,
  ...pagePassageChecks,
  ...pageLinkChecks,
  ...pageMediaChecks,
  ...feedChecks,
  ...trustPageChecks,
  ...urlShapeChecks,
  ...textEvidenceChecks,
  ...citationChecks,
  ...textClaimChecks,
  ...textQualityChecks,
  ...textPlainChecks,
  ...textShapeChecks,
  ...sampleTextChecks,
  ...entityChecks,
  ...publisherChecks,
  ...trustChecks,
  ...structuredDataChecks,
  ...schemaFieldChecks,
  ...schemaKindChecks,
  ...schemaGraphChecks,
  ...faqChecks,
  ...honestyChecks,
  ...covertTextChecks,
  ...pageCiteChecks,
  ...figureChecks,
  ...llmsFileChecks,
  ...llmsLinkChecks,
  ...markdownChecks,
  ...markdownCopyChecks,
  ...httpBehaviourChecks,
  ...preferenceChecks,
  ...apiDescriptionChecks,
  ...apiQualityChecks,
  ...apiSurfaceChecks,
  ...agentFileChecks,
  ...paymentChecks,
  ...agentCardChecks,
  ...agentSkillChecks,
  ...agentExtraChecks,
  ...pageTokenChecks,
  ...pagePartChecks,
  ...controlChecks,
  ...pageActionChecks,
  ...ariaChecks,
  ...webMcpChecks,
  ...mcpDiscoveryChecks,
  ...mcpAdvertisedChecks,
  ...mcpCardChecks,
  ...mcpCardClaimChecks,
  ...mcpCardServedChecks,
  ...mcpEndpointChecks,
  ...mcpProtocolChecks,
  ...mcpTransportChecks,
  ...mcpToolChecks,
  ...mcpToolQualityChecks,
  ...mcpOfferChecks,
  ...mcpAuthChecks,
  ...mcpAuthSafetyChecks,
];
