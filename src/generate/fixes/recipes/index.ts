import type { Recipes } from '../recipe.ts';
import { agentUiRecipes } from './agent-ui.ts';
import { answerRecipes } from './answers.ts';
import { apiRecipes } from './api.ts';
import { entityRecipes } from './entity.ts';
import { evidenceRecipes } from './evidence.ts';
import { headRecipes } from './head.ts';
import { honestyRecipes } from './honesty.ts';
import { indexRecipes } from './index-control.ts';
import { llmsRecipes } from './llms.ts';
import { mcpDiscoveryRecipes } from './mcp-discovery.ts';
import { mcpAuthRecipes } from './mcp-auth.ts';
import { mcpServerRecipes } from './mcp-server.ts';
import { reachRecipes } from './reach.ts';
import { renderRecipes } from './render.ts';
import { robotsRecipes } from './robots.ts';
import { sitemapRecipes } from './sitemap.ts';
import { structureRecipes } from './structure.ts';

/** How every check is mended, by its id; `test/generate/fixes-registry.test.ts` names what is missing. */
export const recipes: Recipes = {
  ...reachRecipes,
  ...robotsRecipes,
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
  ...mcpDiscoveryRecipes,
  ...mcpServerRecipes,
  ...mcpAuthRecipes,
};
