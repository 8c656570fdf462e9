import { defineArtifact } from '../core/artifact.ts';
import { readA2aInterface } from './facts/a2a-interface.ts';
import {
  readAgentCards,
  readAgentDiscovery,
  readAgentFiles,
  readAgentSkillsFacts,
  readPayments,
} from './facts/agent-files.ts';
import { readNlWeb } from './facts/nlweb.ts';
import { readPricePage } from './facts/price-page.ts';
import { readSecurityTxt } from './facts/security-txt.ts';
import { readSkillFiles } from './facts/skill-files.ts';
import { readAgentsMd, readCommerceProfile, readSitemapMd } from './facts/well-known-extras.ts';
import {
  gatherAgentCards,
  gatherAgentDocs,
  gatherAgentFiles,
  gatherAgentSkills,
  gatherNlWeb,
  gatherOldSkillsIndex,
  gatherReportedFiles,
} from './gather/agent-files.ts';
import { gatherPricePage } from './gather/price-page.ts';
import { gatherA2aInterface } from '../api/gather/api-probes.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const agentFilesArtifacts = {
  agentsMd: defineArtifact({
    parse: readAgentsMd,
    from: ['agentDocs', 'control'],
    gather: {
      agentDocs: { run: gatherAgentDocs, wave: 'last', rank: 2, atMost: 2 },
    },
  }),
  agentCards: defineArtifact({
    parse: readAgentCards,
    from: ['agentCards', 'page', 'control'],
    gather: {
      agentCards: { run: gatherAgentCards, wave: 'first', rank: 16 },
    },
  }),
  agentFiles: defineArtifact({
    parse: readAgentFiles,
    from: ['agentFiles', 'control'],
    gather: {
      agentFiles: { run: gatherAgentFiles, wave: 'last', rank: 1, atMost: 2 },
    },
  }),
  agentSkills: defineArtifact({
    parse: readAgentSkillsFacts,
    from: ['agentSkills', 'oldSkillsIndex', 'control'],
    gather: {
      agentSkills: { run: gatherAgentSkills, wave: 'first', rank: 18 },
      oldSkillsIndex: { run: gatherOldSkillsIndex, wave: 'last', rank: 3, atMost: 1 },
    },
  }),
  a2aInterface: defineArtifact({
    parse: readA2aInterface,
    from: ['a2aInterface', 'agentCards', 'control'],
    gather: {
      a2aInterface: { run: gatherA2aInterface, wave: 'late', rank: 12, atMost: 2 },
    },
  }),
  pricePage: defineArtifact({
    parse: readPricePage,
    from: ['pricePage', 'page', 'control'],
    gather: {
      pricePage: { run: gatherPricePage, wave: 'late', rank: 15, atMost: 1 },
    },
  }),
  securityTxt: defineArtifact({
    parse: readSecurityTxt,
    from: ['reportedFiles', 'control'],
    gather: {
      reportedFiles: { run: gatherReportedFiles, wave: 'last', rank: 4, atMost: 4 },
    },
  }),
  nlweb: defineArtifact({
    parse: readNlWeb,
    from: ['nlweb', 'page'],
    gather: {
      nlweb: { run: gatherNlWeb, wave: 'last', rank: 5, atMost: 1 },
    },
  }),
  payments: defineArtifact({
    parse: readPayments,
    from: ['openapi', 'page', 'control'],
  }),
  skillFiles: defineArtifact({
    parse: readSkillFiles,
    from: ['agentDocs', 'agentSkills', 'control'],
  }),
  sitemapMd: defineArtifact({
    parse: readSitemapMd,
    from: ['reportedFiles', 'control'],
  }),
  commerceProfile: defineArtifact({
    parse: readCommerceProfile,
    from: ['reportedFiles', 'control'],
  }),
  agentDiscovery: defineArtifact({
    parse: readAgentDiscovery,
    from: ['robots', 'llms', 'agentCards', 'mcpDiscovery', 'openapi', 'page', 'control'],
  }),
};
