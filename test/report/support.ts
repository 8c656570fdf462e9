import { Parser } from 'htmlparser2';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { reportOn } from '../../src/audit/core/report.ts';
import type { PackedFix } from '../../src/fixes/files/fix.ts';
import type { Reportable } from '../../src/report/reportable.ts';
import { snapshotOf } from '../support/audit/audit.ts';
import { html, SITE, type SiteMap } from '../support/audit/site-fetch.ts';

/** What a hostile site would like to stand in our report as more than text. */
const ATTACKS = [
  '![x](https://tracker.example/p.png)',
  '[click](javascript:alert(1))',
  '<img src=x onerror=alert(1)>',
  '</code></pre><script>alert(1)</script>',
  '``` \n# heading\n```',
  '@octocat @team/all #1 https://auto.example/link www.auto.example',
  '| a | b |\n| --- | --- |\n',
  '\u0000\u0001\u001B[31mred\u202Eevil\u{E0041}',
  ']]> &amp; <![CDATA[ "quoted" \'single\'',
];
export const HOSTILE = ATTACKS.join(' ');
export const UNSEEN = ['\u0000', '\u001B', '\u202E', '\u{E0041}'];

export const hostileSite: SiteMap = {
  '/': html(
    `<html lang="en"><head><title>${escaped(HOSTILE)}</title><meta name="description" content="${escaped(HOSTILE)}"></head><body><h1>${escaped(HOSTILE)}</h1><p>${escaped(HOSTILE)}</p><img src="/a.png"><a href="/x">${escaped(HOSTILE)}</a><form><input name="${escaped(HOSTILE)}"></form></body></html>`,
  ),
  '/robots.txt': {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: `Disalow: ${ATTACKS[2]}\nUser-agent: *\nDisallow: /${ATTACKS[0]}`,
  },
  '/llms.txt': { status: 200, headers: { 'content-type': 'text/plain' }, body: ATTACKS.join('\n\n') },
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export async function reportOf(map: SiteMap): Promise<Reportable> {
  const snapshot = await snapshotOf(map);
  const report = await reportOn(snapshot);
  if (!report.ok) throw new Error(report.detail);
  return { url: `${SITE}/`, ...report };
}

const hostileFix: PackedFix = {
  id: 'aeo.meta.title',
  title: HOSTILE,
  status: 'fail',
  scores: ['aeo'],
  weight: 2,
  gains: { aeo: 2 },
  points: 2,
  file: 'index.html',
  action: 'insert',
  instructions: HOSTILE,
  content: `${HOSTILE}\n\`\`\`\`\`\n`,
  diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${HOSTILE}\n+\`\`\`\`\n`,
  configure: { nginx: HOSTILE },
  effort: 'minutes',
  facts_needed: [HOSTILE],
  evidence: [],
  verify: { command: "curl -sSiL 'https://acme.example/'", expect: HOSTILE },
};

/** The report of a site whose every text is an attack, and the texts of its fixes and files too. */
export const hostileReport = async (): Promise<Reportable> => ({
  ...(await reportOf(hostileSite)),
  warnings: [HOSTILE],
  summary: { text: HOSTILE },
  profile: { name: 'content', rests_on: [HOSTILE], given: false },
  fixes: [hostileFix],
  files: [{ path: `evil/${HOSTILE}`, media_type: HOSTILE, content: HOSTILE, sha256: '0' }],
});

export type Seen = { tags: Set<string>; attributes: Set<string>; text: string };

export function seenIn(document: string): Seen {
  const seen: Seen = { tags: new Set(), attributes: new Set(), text: '' };
  const parser = new Parser({
    onopentag(name, attributes) {
      seen.tags.add(name);
      for (const [key, value] of Object.entries(attributes)) seen.attributes.add(`${name}[${key}]=${value}`);
    },
    ontext(text) {
      seen.text += text;
    },
  });
  parser.end(document);
  return seen;
}

export const markdownHtml = (text: string): string =>
  micromark(text, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
  });

export const seenInMarkdown = (text: string): Seen => seenIn(markdownHtml(text));
