import type { AnyCheck } from './check.ts';
import { textEvidenceChecks } from '../text/checks/text-evidence.ts';
import { hiddenTextChecks } from '../hidden-text/checks/hidden-text.ts';
import { entityChecks } from '../structured-data/checks/entity.ts';
import { faqChecks } from '../structured-data/checks/faq.ts';
import { mcpAdvertisedChecks } from '../mcp/checks/advertised.ts';
import { mcpAuthChecks } from '../mcp/checks/auth.ts';
import { mcpAuthSafetyChecks } from '../mcp/checks/auth-safety.ts';
import { mcpCardChecks } from '../mcp/checks/card.ts';
import { mcpCardClaimChecks } from '../mcp/checks/card-claims.ts';
import { mcpCardServedChecks } from '../mcp/checks/card-served.ts';
import { mcpDiscoveryChecks } from '../mcp/checks/discovery.ts';
import { mcpEndpointChecks } from '../mcp/checks/endpoint.ts';
import { mcpOfferChecks } from '../mcp/checks/offer.ts';
import { mcpProtocolChecks } from '../mcp/checks/protocol.ts';
import { mcpToolChecks } from '../mcp/checks/tools.ts';
import { mcpToolQualityChecks } from '../mcp/checks/tool-quality.ts';
import { mcpTransportChecks } from '../mcp/checks/transport.ts';
import { figureChecks } from '../text/checks/figures.ts';
import { pageCiteChecks } from '../page/checks/cite.ts';
import { publisherChecks } from '../publisher/checks/publisher.ts';
import { textShapeChecks } from '../text/checks/text-shape.ts';
import { schemaGraphChecks } from '../structured-data/checks/schema-graph.ts';
import { schemaKindChecks } from '../structured-data/checks/schema-kinds.ts';
import { textClaimChecks } from '../text/checks/text-claims.ts';
import { textQualityChecks } from '../text/checks/text-quality.ts';
import { trustChecks } from '../publisher/checks/trust.ts';
import { schemaFieldChecks } from '../structured-data/checks/schema-fields.ts';
import { structuredDataChecks } from '../structured-data/checks/structured-data.ts';
import { renderedContentChecks } from '../rendered/checks/rendered-content.ts';
import { renderedControlChecks } from '../rendered/checks/rendered-controls.ts';
import { reachChecks } from '../reach/checks/reach.ts';
import { edgeChecks } from '../crawlers/checks/edge.ts';
import { managedRobotsChecks } from '../crawlers/checks/managed-robots.ts';
import { userAgentChecks } from '../crawlers/checks/user-agents.ts';
import { robotsChecks } from '../crawlers/checks/robots.ts';
import { pageIndexChecks } from '../page/checks/index.ts';
import { sitemapChecks } from '../sitemaps/checks/sitemaps.ts';
import { pageRenderChecks } from '../page/checks/render.ts';
import { pageAnswerChecks } from '../page/checks/answers.ts';
import { startTransferChecks } from '../reach/checks/start-transfer.ts';
import { robotsLintChecks } from '../crawlers/checks/robots-lint.ts';
import { robotsPolicyChecks } from '../crawlers/checks/robots-policy.ts';
import { indexingChecks } from '../reach/checks/indexing.ts';
import { sitemapUrlChecks } from '../sitemaps/checks/sitemap-urls.ts';
import { pageHeadChecks } from '../page/checks/head.ts';
import { pageEncodingChecks } from '../reach/checks/page-encoding.ts';
import { pageStructureChecks } from '../page/checks/structure.ts';
import { pagePassageChecks } from '../page/checks/passages.ts';
import { pageLinkChecks } from '../page/checks/links-and-media.ts';
import { productFeedChecks } from '../sitemaps/checks/product-feed.ts';
import { siteAddressChecks } from '../reach/checks/site-addresses.ts';
import { agreementChecks } from '../publisher/checks/agreement.ts';
import { closedContentChecks } from '../page/checks/closed-content.ts';
import { feedChecks } from '../sitemaps/checks/feeds.ts';
import { trustPageChecks } from '../publisher/checks/trust-pages.ts';
import { urlShapeChecks } from '../reach/checks/url-shape.ts';
import { agentCardChecks } from '../agent-files/checks/agent-cards.ts';
import { agentExtraChecks } from '../agent-files/checks/agent-extras.ts';
import { agentFileChecks } from '../agent-files/checks/agent-files.ts';
import { agentSkillChecks } from '../agent-files/checks/agent-skills.ts';
import { apiDescriptionChecks } from '../api/checks/api-description.ts';
import { apiQualityChecks } from '../api/checks/api-quality.ts';
import { apiSurfaceChecks } from '../api/checks/api-surface.ts';
import { ariaChecks } from '../controls/checks/aria.ts';
import { controlChecks } from '../controls/checks/controls.ts';
import { pageActionChecks } from '../controls/checks/page-actions.ts';
import { pagePartChecks } from '../controls/checks/page-parts.ts';
import { pageTokenChecks } from '../page/checks/tokens.ts';
import { webMcpChecks } from '../controls/checks/webmcp.ts';
import { llmsFileChecks } from '../llms-txt/checks/llms-file.ts';
import { llmsLinkChecks } from '../llms-txt/checks/llms-links.ts';
import { markdownChecks } from '../llms-txt/checks/markdown.ts';
import { markdownCopyChecks } from '../llms-txt/checks/markdown-copies.ts';
import { preferenceChecks } from '../crawlers/checks/preferences.ts';
import { httpBehaviourChecks } from '../api/checks/http-behaviour.ts';
import { youngProtocolChecks } from '../agent-files/checks/young-protocols.ts';
import { apiPolicyChecks } from '../api/checks/api-policy.ts';
import { merchantChecks } from '../structured-data/checks/merchant.ts';
import { paymentChecks } from '../agent-files/checks/payments.ts';

/** Every check, in the order of the report. `test/registry.test.ts` names what a row lacks. */
export const checks: readonly AnyCheck[] = [
  ...reachChecks,
  ...startTransferChecks,
  ...userAgentChecks,
  ...edgeChecks,
  ...robotsChecks,
  ...robotsLintChecks,
  ...robotsPolicyChecks,
  ...managedRobotsChecks,
  ...pageIndexChecks,
  ...indexingChecks,
  ...siteAddressChecks,
  ...sitemapChecks,
  ...sitemapUrlChecks,
  ...pageRenderChecks,
  ...pageHeadChecks,
  ...pageEncodingChecks,
  ...pageStructureChecks,
  ...pageAnswerChecks,
  ...pagePassageChecks,
  ...pageLinkChecks,
  ...feedChecks,
  ...trustPageChecks,
  ...urlShapeChecks,
  ...textEvidenceChecks,
  ...textClaimChecks,
  ...textQualityChecks,
  ...textShapeChecks,
  ...entityChecks,
  ...publisherChecks,
  ...agreementChecks,
  ...trustChecks,
  ...structuredDataChecks,
  ...schemaFieldChecks,
  ...schemaKindChecks,
  ...merchantChecks,
  ...schemaGraphChecks,
  ...faqChecks,
  ...closedContentChecks,
  ...hiddenTextChecks,
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
  ...apiPolicyChecks,
  ...apiSurfaceChecks,
  ...agentFileChecks,
  ...paymentChecks,
  ...youngProtocolChecks,
  ...productFeedChecks,
  ...agentCardChecks,
  ...agentSkillChecks,
  ...agentExtraChecks,
  ...pageTokenChecks,
  ...pagePartChecks,
  ...controlChecks,
  ...pageActionChecks,
  ...ariaChecks,
  ...webMcpChecks,
  ...renderedContentChecks,
  ...renderedControlChecks,
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
