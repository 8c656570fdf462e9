import type { Recipes } from './recipe.ts';
import { agentUiRecipes } from '../../audit/agent-files/fixes/agent-ui.ts';
import { answerRecipes } from '../../audit/text/fixes/answers.ts';
import { apiRecipes } from '../../audit/api/fixes/api.ts';
import { youngProtocolRecipes } from '../../audit/agent-files/fixes/young-protocols.ts';
import { edgeRecipes } from '../../audit/crawlers/fixes/edge.ts';
import { entityRecipes } from '../../audit/structured-data/fixes/entity.ts';
import { evidenceRecipes } from '../../audit/text/fixes/evidence.ts';
import { headRecipes } from '../../audit/page/fixes/head.ts';
import { honestyRecipes } from '../../audit/hidden-text/fixes/honesty.ts';
import { indexRecipes } from '../../audit/crawlers/fixes/index-control.ts';
import { llmsRecipes } from '../../audit/llms-txt/fixes/llms.ts';
import { mcpDiscoveryRecipes } from '../../audit/mcp/fixes/discovery.ts';
import { mcpAuthRecipes } from '../../audit/mcp/fixes/auth.ts';
import { mcpServerRecipes } from '../../audit/mcp/fixes/server.ts';
import { reachRecipes } from '../../audit/reach/fixes/reach.ts';
import { renderRecipes } from '../../audit/reach/fixes/render.ts';
import { renderedRecipes } from '../../audit/rendered/fixes/rendered.ts';
import { sitePageRecipes } from '../../audit/reach/fixes/site-pages.ts';
import { robotsRecipes } from '../../audit/crawlers/fixes/robots.ts';
import { sitemapRecipes } from '../../audit/sitemaps/fixes/sitemap.ts';
import { structureRecipes } from '../../audit/page/fixes/structure.ts';

/** The fix of every check, by its id; `test/registry.test.ts` names what is missing. */
export const recipes: Recipes = {
  ...reachRecipes,
  ...sitePageRecipes,
  ...robotsRecipes,
  ...edgeRecipes,
  ...indexRecipes,
  ...sitemapRecipes,
  ...headRecipes,
  ...structureRecipes,
  ...renderRecipes,
  ...answerRecipes,
  ...evidenceRecipes,
  ...entityRecipes,
  ...honestyRecipes,
  ...llmsRecipes,
  ...apiRecipes,
  ...agentUiRecipes,
  ...renderedRecipes,
  ...youngProtocolRecipes,
  ...mcpDiscoveryRecipes,
  ...mcpServerRecipes,
  ...mcpAuthRecipes,
};
