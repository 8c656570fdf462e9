import { type CapabilityFacts, type ExchangeLookup, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { type LlmsFile, readLlmsFile, readLlmsLinks } from './llms-files.ts';

/** Links of the file and sampled links that the facts list. */
const MAX_LISTED = 100;

/** Facts of `check_llms_txt`: whether the files are there, and what llms.txt consists of. */
export const buildLlmsFacts: CapabilityFacts = (snapshot) => {
  const find = getExchangeLookup(snapshot);
  const llms = read(find, 'llms');
  return {
    llms_txt:
      llms.state === 'found' ? { ...buildPresenceFact(llms), ...buildContentFacts(llms) } : buildPresenceFact(llms),
    llms_full_txt: buildPresenceFact(read(find, 'llms-full')),
    sampled_links: listSampledLinks(snapshot),
  };
};

const read = (find: ExchangeLookup, role: 'llms' | 'llms-full'): LlmsFile => readLlmsFile(find(role), find('control'));

function buildPresenceFact(file: LlmsFile): Readonly<Record<string, unknown>> {
  if (file.state === 'unreadable') return { state: 'unknown', reason: file.why };
  const { url, status } = file.answer;
  const seen = { url, status, content_type: file.answer.headers['content-type'] ?? null };
  return file.state === 'found' ? { state: 'found', ...seen } : { state: 'absent', reason: file.why, ...seen };
}

function buildContentFacts({ file, answer }: LlmsFile & { state: 'found' }): Readonly<Record<string, unknown>> {
  const { statistics, summary } = file;
  return {
    title: file.h1s[0]?.text ?? null,
    summary: summary.kind === 'none' ? null : summary.text,
    sections: file.sections.slice(0, MAX_LISTED).map(({ title, line, links }) => ({ title, line, links })),
    links: file.links
      .slice(0, MAX_LISTED)
      .map(({ name, href, note, section, line }) => ({ name, url: href, note, section, line })),
    statistics: {
      bytes: statistics.bytes,
      characters: statistics.chars,
      estimated_tokens: statistics.tokens.estimate,
      token_method: statistics.tokens.method,
      h2_headings: statistics.h2,
      links: statistics.links,
      described_share: statistics.describedShare,
      markdown_share: statistics.markdownShare,
      language: statistics.language,
    },
    complete: !file.capped && !answer.truncated,
  };
}

function listSampledLinks(snapshot: Snapshot): readonly unknown[] {
  const links = readLlmsLinks(snapshot);
  if (links.state === 'failed') return [];
  return links.value.slice(0, MAX_LISTED).map(({ exchange, state, why }) => ({
    url: exchange.url,
    state,
    status: exchange.answer.ok ? exchange.answer.status : null,
    saw: why,
  }));
}
