import { defineArtifact, runFirst, runLast, runLate } from '../core/artifact.ts';
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
  gatherAgentDocs,
  gatherAgentFiles,
  gatherAgentSkills,
  gatherNlWeb,
  gatherOldSkillsIndex,
  gatherPricePage,
  gatherReportedFiles,
  gatherYoungFiles,
} from './gather/agent-files.ts';
import { gatherA2aInterface, gatherCommerceEndpoint } from '../api/gather/api-probes.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const agentFilesArtifacts = {
  agentsMd: defineArtifact(readAgentsMd, ['agentDocs', 'control'], {
    agentDocs: runLast(gatherAgentDocs, { rank: 2, atMost: 2 }),
  }),
  agentCards: defineArtifact(readAgentCards, ['agentCards', 'page', 'control'], {
    agentCards: runFirst(gatherAgentCards, { rank: 16 }),
  }),
  agentFiles: defineArtifact(readAgentFiles, ['agentFiles', 'control'], {
    agentFiles: runLast(gatherAgentFiles, { rank: 1, atMost: 2 }),
  }),
  agentSkills: defineArtifact(readAgentSkillsFacts, ['agentSkills', 'oldSkillsIndex', 'control'], {
    agentSkills: runFirst(gatherAgentSkills, { rank: 18 }),
    oldSkillsIndex: runLast(gatherOldSkillsIndex, { rank: 3, atMost: 1 }),
  }),
  a2aInterface: defineArtifact(readA2aInterface, ['a2aInterface', 'agentCards', 'control'], {
    a2aInterface: runLate(gatherA2aInterface, { rank: 12, atMost: 2 }),
  }),
  pricePage: defineArtifact(readPricePage, ['pricePage', 'page', 'control'], {
    pricePage: runLate(gatherPricePage, { rank: 15, atMost: 1 }),
  }),
  securityTxt: defineArtifact(readSecurityTxt, ['reportedFiles', 'control'], {
    reportedFiles: runLast(gatherReportedFiles, { rank: 4, atMost: 4 }),
  }),
  nlweb: defineArtifact(readNlWeb, ['nlweb', 'page'], {
    nlweb: runLast(gatherNlWeb, { rank: 5, atMost: 1 }),
  }),
  payments: defineArtifact(readPayments, ['openapi', 'page', 'control']),
  skillFiles: defineArtifact(readSkillFiles, ['agentDocs', 'agentSkills', 'control']),
  sitemapMd: defineArtifact(readSitemapMd, ['reportedFiles', 'control']),
  acpDocument: defineArtifact(readAcpDocument, ['youngFiles', 'control'], {
    youngFiles: runLast(gatherYoungFiles, { rank: 7, atMost: 2 }),
  }),
  authMd: defineArtifact(readAuthMd, ['youngFiles', 'control']),
  commerceProfile: defineArtifact(readCommerceProfile, ['reportedFiles', 'control']),
  commerceEndpoint: defineArtifact(readCommerceEndpoint, ['commerceEndpoint', 'control'], {
    commerceEndpoint: runLate(gatherCommerceEndpoint, { rank: 22, atMost: 3 }),
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
