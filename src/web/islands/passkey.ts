import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { PasskeyScriptWords } from '../passkey-words.ts';

/** What the service answers instead of what was asked for. */
class Refused extends Error {}

/** Longest answer of the service that is shown. */
const MAX_SAID_CHARS = 300;

async function post(path: string, body: Readonly<Record<string, string>>, words: PasskeyScriptWords): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refused(words.unreachable);
  }
  const json = (await answer.json().catch(() => ({}))) as { detail?: string; title?: string };
  if (answer.ok) return json;
  const said = (json.detail ?? json.title ?? String(answer.status)).slice(0, MAX_SAID_CHARS);
  throw new Refused(`${words.failed} ${said}.`);
}

function describe(error: unknown, words: PasskeyScriptWords): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return words.known;
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return words.refused;
  return `${words.failed} ${words.retry}`;
}

async function run(does: string | undefined, { path = '', csrf = '' }: DOMStringMap, words: PasskeyScriptWords) {
  const optionsJSON = await post(`${path}/options`, { csrf }, words);
  const credential =
    does === 'make'
      ? await startRegistration({ optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'] })
      : await startAuthentication({
          optionsJSON: optionsJSON as Parameters<typeof startAuthentication>[0]['optionsJSON'],
        });
  const label = document.querySelector<HTMLInputElement>('#passkey-label')?.value ?? '';
  await post(path, { csrf, credential: JSON.stringify(credential), label }, words);
}

for (const part of document.querySelectorAll<HTMLElement>('[data-passkey]')) {
  const button = part.querySelector('button');
  const status = part.querySelector('[role="status"]');
  if (!button || !status) continue;
  const words = JSON.parse(button.dataset['words'] ?? '{}') as PasskeyScriptWords;
  if (!browserSupportsWebAuthn()) {
    status.textContent = words.unsupported;
    continue;
  }
  button.disabled = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    status.textContent = words.waiting;
    run(part.dataset['passkey'], button.dataset, words).then(
      () => window.location.assign(button.dataset['returnTo'] ?? '/account'),
      (error: unknown) => {
        status.textContent = describe(error, words);
        button.disabled = false;
      },
    );
  });
}
