import { toHex } from '../../lib/digest.ts';
import { type ReportVerification, type VerifiedLine, verifyReport } from '../../statements/verify-report.ts';
import type { VerifyFindings } from '../verify/verify-words.ts';

const form = document.querySelector<HTMLFormElement>('form[data-verify]');
const found = document.querySelector<HTMLElement>('[data-verify-found]');
if (form && found) start(form, found);

/** Checks the chosen files when the form is sent, which goes nowhere. */
function start(asked: HTMLFormElement, into: HTMLElement): void {
  const words = JSON.parse(asked.dataset['verify'] ?? '{}') as VerifyFindings; // Written by the page.
  asked.addEventListener('submit', (event) => {
    event.preventDefault();
    void show(asked, into, words);
  });
}

async function show(asked: HTMLFormElement, into: HTMLElement, words: VerifyFindings): Promise<void> {
  into.replaceChildren(...(await check(asked, words)));
  into.focus();
}

async function check(asked: HTMLFormElement, words: VerifyFindings): Promise<readonly HTMLElement[]> {
  if (!(await canCheck())) return [makeLine('p', words.noBrowser)];
  const [report, keySet, snapshot] = ['report', 'jwks', 'snapshot'].map((name) => findFile(asked, name));
  const issuer = asked.querySelector<HTMLInputElement>('[name="issuer"]')?.value ?? '';
  const verification = await verifyReport({
    report: parseJson((await report?.text()) ?? ''),
    keySet: (await keySet?.text()) ?? '',
    issuer: URL.parse(issuer)?.origin ?? issuer,
    snapshotSha256: snapshot && (await computeSha256(snapshot)),
  });
  return describe(verification, words);
}

/** Every engine of today can; older ones know no Ed25519. */
async function canCheck(): Promise<boolean> {
  try {
    await crypto.subtle.importKey('raw', new Uint8Array(32), 'Ed25519', false, ['verify']);
    return true;
  } catch (error) {
    return !(error instanceof DOMException && error.name === 'NotSupportedError');
  }
}

function findFile(asked: HTMLFormElement, name: string): File | undefined {
  return asked.querySelector<HTMLInputElement>(`[name="${name}"]`)?.files?.[0];
}

async function computeSha256(file: File): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(verification: ReportVerification, words: VerifyFindings): readonly HTMLElement[] {
  if (verification.kind === 'unverifiable') return [makeLine('p', words.unverifiable[verification.reason])];
  const { ok, subject, lines, kid, issuer } = verification;
  const list = document.createElement('ul');
  for (const line of lines) list.append(makeFinding(line, words));
  const isPartly = lines.some(({ ok: passed }) => passed === null);
  return [
    makeLine('h2', ok ? words[isPartly ? 'passedPartly' : 'passed'] : words.failed),
    makeLine('p', words.subjects[subject]),
    makeLine('p', issuer),
    makeLine('p', `${words.key} ${kid ?? ''}`),
    list,
    makeLine('p', ok ? words.trust : words.doubt),
  ];
}

function makeFinding({ part, ok }: VerifiedLine, words: VerifyFindings): HTMLElement {
  if (ok === null) {
    const open = makeLine('li', `– ${words.unchecked[part] ?? ''}`);
    open.dataset['verified'] = 'unchecked';
    return open;
  }
  const [pass, fail] = words.parts[part];
  const item = makeLine('li', `${ok ? '✓' : '✗'} ${ok ? pass : fail}`);
  item.dataset['verified'] = ok ? 'pass' : 'fail';
  return item;
}

/** Text only: what a file says is never markup. */
function makeLine(tag: 'p' | 'li' | 'h2', text: string): HTMLElement {
  const line = document.createElement(tag);
  line.textContent = text;
  return line;
}
