import { spawn } from 'node:child_process';
import * as z from 'zod';

/** What a peer says of a fact; `half` is its word for "in part" or a warning. What it does not judge is absent. */
export type PeerVerdict = 'fine' | 'half' | 'defect';
/** Verdicts by the ids of OUR checks that ask the same question. */
export type PeerVerdicts = ReadonlyMap<string, PeerVerdict>;

export type Peer = {
  name: string;
  script: string;
  args: (url: string) => readonly string[];
  /** Our check ids by the peer's name for the same fact. */
  facts: Readonly<Record<string, readonly string[]>>;
  read: (output: string) => ReadonlyMap<string, PeerVerdict>;
};

const TIMEOUT_MS = 90_000;
const MAX_OUTPUT_CHARS = 50_000_000;
const fileOf = (path: string): string => new URL(`../node_modules/${path}`, import.meta.url).pathname;

type Words = Readonly<Record<PeerVerdict, readonly string[]>>;

/** The peer's rows by name; statuses that are none of its words judge nothing. */
function table(rows: readonly { name: string; status: string }[], words: Words): ReadonlyMap<string, PeerVerdict> {
  const verdicts = ['fine', 'half', 'defect'] as const;
  return new Map(
    rows.flatMap(({ name, status }) => {
      const verdict = verdicts.find((one) => words[one].includes(status));
      return verdict === undefined ? [] : [[name, verdict] as const];
    }),
  );
}

const aiseoOutput = z.object({
  categories: z.record(z.string(), z.object({ factors: z.array(z.object({ name: z.string(), status: z.string() })) })),
});
const agenticOutput = z.object({
  categories: z.record(z.string(), z.object({ results: z.array(z.object({ id: z.string(), status: z.string() })) })),
});
const afdocsOutput = z.object({ results: z.array(z.object({ id: z.string(), status: z.string() })) });

/**
 * The peers of npm and the facts that they and we both judge. A fact is listed when the peer's rule asks the same
 * question as ours, whatever its thresholds; factors that mix several questions are left out.
 */
export const peers: readonly Peer[] = [
  {
    name: 'aiseo-audit',
    script: fileOf('aiseo-audit/bin/aiseo-audit.js'),
    args: (url) => [url, '--json'],
    facts: {
      'Fetch Success': ['aeo.reach.http-200'],
      'Text Extraction Quality': ['geo.text.ratio'],
      'Word Count Adequacy': ['geo.text.depth'],
      'AI Crawler Access': ['aeo.robots.ai-search-bots'],
      'LLMs.txt Presence': ['agent.llms.exists'],
      'Image Accessibility': ['aeo.media.alt'],
      'Heading Hierarchy': ['aeo.structure.h1'],
      'Lists Presence': ['geo.text.lists'],
      'Paragraph Structure': ['geo.text.paragraph-size'],
      'Section Length': ['geo.text.section-size'],
      'Definition Patterns': ['geo.text.definitions'],
      'Answer Capsules': ['aeo.answer.capsule'],
      'Step-by-Step Content': ['aeo.answer.steps'],
      'Summary/Conclusion': ['geo.text.summary'],
      'External References': ['geo.evidence.cited-sources'],
      'Numeric Claims': ['geo.evidence.statistics'],
      'Quoted Attribution': ['geo.evidence.quotations'],
      'Author Attribution': ['geo.entity.author'],
      'Organization Identity': ['geo.entity.organization'],
      'Contact/About Links': ['aeo.trust.about-contact'],
      'Publication Date': ['aeo.fresh.dates'],
      'Content Freshness': ['aeo.fresh.recent'],
      'Structured Data': ['geo.schema.jsonld-present'],
      Readability: ['geo.text.easy'],
    },
    read: (output) => {
      const { categories } = aiseoOutput.parse(JSON.parse(output));
      return table(
        Object.values(categories).flatMap(({ factors }) => factors),
        { fine: ['good'], half: ['needs_improvement'], defect: ['critical', 'poor'] },
      );
    },
  },
  {
    name: 'agent-readiness',
    script: fileOf('agent-readiness/bin/agent-ready.mjs'),
    args: (url) => [url],
    facts: {
      'llms.txt present': ['agent.llms.exists'],
      'Structured data (JSON-LD / OpenGraph)': ['geo.schema.jsonld-present'],
      'Title + meta description': ['aeo.meta.title', 'aeo.meta.description'],
      'robots.txt + sitemap.xml': ['aeo.sitemap.exists'],
      'Canonical URL (<link rel="canonical">)': ['aeo.index.canonical'],
      'Document language (<html lang>)': ['aeo.meta.lang'],
      'Image alt-text coverage': ['aeo.media.alt'],
    },
    read: (output) => {
      // oxlint-disable-next-line no-control-regex -- the tool colours its lines even where nobody sees colours
      const plain = output.replaceAll(/\u001B\[\d{0,3}m/g, '');
      const rows = [
        ...plain.matchAll(
          /^\s{1,4}([✔✗~])\s(.{1,120}?)(?:\s\(\d{1,5}\/\d{1,5}, \d{1,3}%\))?\s\(\+?\d{1,3}\/\d{1,3}\)$/gmu,
        ),
      ];
      return new Map(rows.map(([, mark, name = '']) => [name, verdictOfMark[mark ?? ''] ?? 'defect'] as const));
    },
  },
  {
    name: 'agentic-seo',
    script: fileOf('agentic-seo/bin/aeo.js'),
    args: (url) => ['--url', url, '--json'],
    facts: {
      'robots-txt': ['aeo.robots.ai-search-bots'],
      'llms-txt': ['agent.llms.exists'],
      'agents-md': ['agent.docs.agents-md'],
      'content-structure': ['aeo.structure.heading-order'],
      'markdown-availability': ['agent.md.suffix'],
      'token-budget': ['agent.tokens.page'],
      'meta-tags': ['aeo.meta.title', 'aeo.meta.description'],
    },
    read: (output) => {
      const { categories } = agenticOutput.parse(JSON.parse(output));
      return table(
        Object.values(categories).flatMap(({ results }) => results.map(({ id, status }) => ({ name: id, status }))),
        { fine: ['pass'], half: ['warn'], defect: ['fail'] },
      );
    },
  },
  {
    name: 'afdocs',
    script: fileOf('afdocs/bin/afdocs.mjs'),
    args: (url) => ['check', url, '--format', 'json'],
    facts: {
      'llms-txt-exists': ['agent.llms.exists'],
      'llms-txt-valid': ['agent.llms.h1-first', 'agent.llms.sections'],
      'llms-txt-size': ['agent.llms.size'],
      'llms-txt-links-resolve': ['agent.llms.links-resolve'],
      'llms-txt-links-markdown': ['agent.llms.links-text'],
      'llms-txt-coverage': ['agent.llms.coverage'],
      'llms-txt-directive-html': ['agent.llms.advertised'],
      'markdown-url-support': ['agent.md.suffix'],
      'content-negotiation': ['agent.md.negotiation'],
      'rendering-strategy': ['aeo.render.ssr-text', 'aeo.render.noscript-wall'],
      'page-size-html': ['aeo.reach.html-size'],
      'page-size-markdown': ['agent.tokens.page'],
      'content-start-position': ['agent.tokens.preamble'],
      'single-fetch-completeness': ['agent.docs.single-fetch'],
      'tabbed-content-serialization': ['agent.docs.tabs'],
      'markdown-code-fence-validity': ['agent.md.valid'],
      'markdown-link-portability': ['agent.md.links-portable'],
      'markdown-content-parity': ['geo.parity.markdown-content'],
      'http-status-codes': ['aeo.reach.soft-404'],
      'redirect-behavior': ['aeo.reach.redirect-chain'],
      'cache-header-hygiene': ['agent.http.cache'],
      'auth-gate-detection': ['aeo.reach.no-interstitial'],
      'bot-protection-interference': ['aeo.reach.ua-parity'],
    },
    read: (output) => {
      const { results } = afdocsOutput.parse(JSON.parse(output));
      return table(
        results.map(({ id, status }) => ({ name: id, status })),
        { fine: ['pass'], half: ['warn'], defect: ['fail'] },
      );
    },
  },
];

const verdictOfMark: Readonly<Record<string, PeerVerdict>> = { '✔': 'fine', '~': 'half', '✗': 'defect' };

/** Runs a peer on a site; null when it gave no result at all (it ends with other codes than 0 for bad sites). */
export async function peerVerdicts(peer: Peer, url: string, folder: string): Promise<PeerVerdicts | null> {
  const said = await peerRules(peer, url, folder);
  return (
    said &&
    new Map([...said].flatMap(([name, verdict]) => (peer.facts[name] ?? []).map((id) => [id, verdict] as const)))
  );
}

/** Verdicts by the peer's own names of its rules; null as in `peerVerdicts`. `nodeArgs` are given to Node. */
export async function peerRules(
  peer: Pick<Peer, 'script' | 'args' | 'read'>,
  url: string,
  folder: string,
  nodeArgs: readonly string[] = [],
): Promise<ReadonlyMap<string, PeerVerdict> | null> {
  const output = await run([...nodeArgs, peer.script, ...peer.args(url)], folder);
  try {
    const said = peer.read(output);
    return said.size === 0 ? null : said;
  } catch {
    return null; // It printed an error instead of a result: counted as such.
  }
}

function run(args: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.length < MAX_OUTPUT_CHARS) text += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}
