import { defineArtifact, runFirst, planLast, planLate } from '../core/artifact.ts';
import { readA2aInterface } from './facts/a2a-card.ts';
import {
  readAgentCards,
  readAgentDiscovery,
  readAgentFiles,
  readAgentSkillsFacts,
  readPayments,
} from './facts/agent-files.ts';
import {
  readAgentsMd,
  readCommerceProfile,
  readNlWeb,
  readSecurityTxt,
  readSitemapMd,
} from './facts/well-known-files.ts';
import { readAcpDocument, readAuthMd } from './facts/young-files.ts';
import { readCommerceEndpoint } from './facts/commerce-endpoint.ts';
import { readPricePage } from './facts/price-page.ts';
import { readSkillFiles } from './facts/skill-files.ts';
import {
  gatherAgentCards,
  planAgentDocs,
  planAgentFiles,
  gatherAgentSkills,
  planNlWeb,
  planOldSkillsIndex,
  planPricePage,
  planReportedFiles,
  planYoungFiles,
} from './gather/agent-files.ts';
import { planA2aInterface, planCommerceEndpoint } from '../api/gather/api-probes.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const agentFilesArtifacts = {
  agentsMd: defineArtifact(readAgentsMd, ['agentDocs', 'control'], {
    agentDocs: planLast(planAgentDocs, { rank: 2, atMost: 2 }),
  }),
  agentCards: defineArtifact(readAgentCards, ['agentCards', 'page', 'control'], {
    agentCards: runFirst(gatherAgentCards, { rank: 16 }),
  }),
  agentFiles: defineArtifact(readAgentFiles, ['agentFiles', 'control'], {
    agentFiles: planLast(planAgentFiles, { rank: 1, atMost: 2 }),
  }),
  agentSkills: defineArtifact(readAgentSkillsFacts, ['agentSkills', 'oldSkillsIndex', 'control'], {
    agentSkills: runFirst(gatherAgentSkills, { rank: 18 }),
    oldSkillsIndex: planLast(planOldSkillsIndex, { rank: 3, atMost: 1 }),
  }),
  a2aInterface: defineArtifact(readA2aInterface, ['a2aInterface', 'agentCards', 'control'], {
    a2aInterface: planLate(planA2aInterface, { rank: 12, atMost: 2 }),
  }),
  pricePage: defineArtifact(readPricePage, ['pricePage', 'page', 'control'], {
    pricePage: planLate(planPricePage, { rank: 15, atMost: 1 }),
  }),
  securityTxt: defineArtifact(readSecurityTxt, ['reportedFiles', 'control'], {
    reportedFiles: planLast(planReportedFiles, { rank: 4, atMost: 4 }),
  }),
  nlweb: defineArtifact(readNlWeb, ['nlweb', 'page'], {
    nlweb: planLast(planNlWeb, { rank: 5, atMost: 1 }),
  }),
  payments: defineArtifact(readPayments, ['openapi', 'page', 'control']),
  skillFiles: defineArtifact(readSkillFiles, ['agentDocs', 'agentSkills', 'control']),
  sitemapMd: defineArtifact(readSitemapMd, ['reportedFiles', 'control']),
  acpDocument: defineArtifact(readAcpDocument, ['youngFiles', 'control'], {
    youngFiles: planLast(planYoungFiles, { rank: 7, atMost: 2 }),
  }),
  authMd: defineArtifact(readAuthMd, ['youngFiles', 'control']),
  commerceProfile: defineArtifact(readCommerceProfile, ['reportedFiles', 'control']),
  commerceEndpoint: defineArtifact(readCommerceEndpoint, ['commerceEndpoint', 'control'], {
    commerceEndpoint: planLate(planCommerceEndpoint, { rank: 22, atMost: 3 }),
  }),
  agentDiscovery: defineArtifact(readAgentDiscovery, [
    'robots',
    'llms',
    'agentCards',
    'mcpDiscovery',
    'openapi',
    'page',
    'control',
  ]),
};
