import type { Artifact } from '../../core/artifact.ts';
import type { CapabilityFacts, Snapshot } from '../../core/snapshot.ts';
import { readAgentCards, readAgentFiles, readPayments } from './agent-files.ts';
import { readApiDescription } from '../../api/facts/api-description.ts';
import { readAgentTexts } from '../../llms-txt/facts/llms-files.ts';
import type { DocumentState } from '../../mcp/facts/document.ts';

/** Facts of `check_agent_files`: the API description, agent manifests, agent texts and x402 offers of the site. */
export const buildAgentFileFacts: CapabilityFacts = (snapshot) => ({
  openapi: openApiFact(snapshot),
  ai_plugin: buildDocumentFact(requireArtifact(readAgentFiles(snapshot)).aiPlugin, ({ name, issues }) => ({
    name,
    valid: issues.length === 0,
    issues,
  })),
  agents_json: buildDocumentFact(requireArtifact(readAgentFiles(snapshot)).agentsJson, ({ keys }) => ({ keys })),
  agent_card: buildDocumentFact(
    requireArtifact(readAgentCards(snapshot)).card,
    ({ shape, name, interfaces, skills, issues }) => ({
      a2a_version: shape,
      name,
      interfaces,
      skills,
      valid: issues.length === 0,
      issues,
    }),
  ),
  texts: requireArtifact(readAgentTexts(snapshot)).map(({ path, file, hits }) => ({
    path,
    state: file.state === 'unreadable' ? 'unknown' : file.state,
    suspicious: hits.map(({ kind, severity, line, excerpt, quoted }) => ({ kind, severity, line, excerpt, quoted })),
  })),
  x402: buildPaymentFact(snapshot),
});

/** These artifacts tell what they could not read inside their value. */
function requireArtifact<T>(artifact: Artifact<T>): T {
  if (artifact.state === 'failed') throw new Error(`An agent artifact failed as a whole: ${artifact.reason}`);
  return artifact.value;
}

function openApiFact(snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const { found, tried, evidence } = requireArtifact(readApiDescription(snapshot));
  const looked = tried.map((place) => ({
    url: place.exchange.url,
    saw: place.state === 'found' ? 'an OpenAPI description' : place.why,
  }));
  if (!found) {
    const unread = tried.length === 0 || tried.some(({ state }) => state === 'unreadable');
    return { state: unread ? 'unknown' : 'absent', looked, api_evidence: evidence };
  }
  const { version, format, title, operations, servers, issues } = found.document;
  return {
    state: 'found',
    url: found.answer.url,
    version,
    format,
    title: title ?? null,
    operations: operations.length,
    paid_operations: operations.filter(({ paid }) => paid).length,
    servers,
    valid: issues.length === 0,
    issues,
    looked,
    api_evidence: evidence,
  };
}

function buildDocumentFact<T>(
  document: DocumentState<T>,
  facts: (value: T) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (document.state === 'found') return { state: 'found', url: document.url, ...facts(document.document) };
  const unread = document.state === 'unreadable' || document.state === 'not_read';
  return { state: unread ? 'unknown' : document.state, reason: document.why };
}

function buildPaymentFact(snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const { offers, asked, documented } = requireArtifact(readPayments(snapshot));
  return {
    state: offers.some(({ reading }) => reading.state === 'offer') ? 'offered' : 'not_seen',
    asked: asked.map(({ url, answer }) => ({ url, status: answer.ok ? answer.status : null })),
    documented_paid_paths: documented.map(({ url }) => url),
    offers: offers.map(({ exchange, reading }) =>
      reading.state === 'offer'
        ? {
            url: exchange.url,
            version: reading.offer.version,
            where: reading.offer.where,
            accepts: reading.offer.options,
            issues: reading.offer.issues,
          }
        : { url: exchange.url, state: reading.state, reason: reading.why },
    ),
  };
}
