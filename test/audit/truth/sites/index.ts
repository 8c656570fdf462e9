import type { TruthSite } from '../truth-site.ts';
import { apiCareless, paywall } from './api-careless.ts';
import { api } from './api.ts';
import { appShell } from './app-shell.ts';
import { arabic } from './arabic.ts';
import { bare } from './bare.ts';
import { blog } from './blog.ts';
import { brochure, misplaced } from './brochure.ts';
import { brokenJsonLd } from './broken-json-ld.ts';
import { chinese, japanese } from './cjk.ts';
import { closed } from './closed.ts';
import { docsFragmented } from './docs-fragmented.ts';
import { docs } from './docs.ts';
import { edgeCharging, edgeShut } from './edge.ts';
import { good } from './good.ts';
import { hebrew } from './hebrew.ts';
import { hostile } from './hostile.ts';
import { huge } from './huge.ts';
import { innCareless, innKept, paywalled, paywallMarked } from './inn.ts';
import { mcpCareless } from './mcp/mcp-careless.ts';
import { mcpGuardedBadly } from './mcp/mcp-guarded-badly.ts';
import { mcpHalf } from './mcp/mcp-half.ts';
import { mcpOldFiles, mcpPromise } from './mcp/mcp-old-files.ts';
import { mcpOpen } from './mcp/mcp-open.ts';
import { mcpProtected } from './mcp/mcp-protected.ts';
import { moved } from './moved.ts';
import { neglected } from './neglected.ts';
import { persian } from './persian.ts';
import { shopCareless } from './shop-careless.ts';
import { shop } from './shop.ts';
import { softNotFound } from './soft-404.ts';
import { challengeAsPage, wafForAgents, wafForAll } from './waf.ts';

/** Every fixture site with planted facts, in the order of the reports. */
export const truthSites: readonly TruthSite[] = [
  good,
  appShell,
  bare,
  blog,
  neglected,
  brochure,
  misplaced,
  docs,
  docsFragmented,
  shop,
  shopCareless,
  api,
  apiCareless,
  paywall,
  innCareless,
  innKept,
  paywalled,
  paywallMarked,
  mcpOpen,
  mcpProtected,
  mcpCareless,
  mcpGuardedBadly,
  mcpOldFiles,
  mcpPromise,
  mcpHalf,
  wafForAll,
  wafForAgents,
  challengeAsPage,
  edgeShut,
  edgeCharging,
  softNotFound,
  brokenJsonLd,
  hostile,
  huge,
  closed,
  moved,
  japanese,
  chinese,
  arabic,
  hebrew,
  persian,
];
