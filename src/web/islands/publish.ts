/** Where the page of a purchase leaves the key to publish what was bought: for this tab, for as long as it is open. */
const formatPublishKey = (id: string): string => `sightline-publish-${id}`;

const form = document.querySelector<HTMLFormElement>('form[data-publish]');
const said = document.querySelector<HTMLElement>('[data-publish-said]');
if (form && said) showPublishOffer(form, said);

function showPublishOffer(asked: HTMLFormElement, words: HTMLElement): void {
  const token = findPublishToken(asked.dataset['publish'] ?? '');
  const field = asked.querySelector<HTMLInputElement>('[name="publish_token"]');
  const box = asked.closest('details');
  if (token !== undefined && field && box) {
    field.value = token;
    box.open = true;
  }
  asked.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(asked, field?.value.trim() ?? '', words);
  });
}

async function send(asked: HTMLFormElement, token: string, words: HTMLElement): Promise<void> {
  const button = asked.querySelector('button');
  if (button) button.disabled = true;
  const texts = readTexts(words);
  words.textContent = texts.wait;
  const answer = await post(asked.action, token, texts);
  if (button) button.disabled = false;
  words.textContent = answer.words;
  if (answer.published === undefined) return;
  words.focus(); // The button that had the focus goes away.
  asked.hidden = true;
  const standing = document.querySelector<HTMLElement>('[data-publish-standing]');
  if (standing) standing.hidden = true; // It says how things stood before.
  const badge = document.querySelector<HTMLElement>('[data-publish-badge]');
  if (badge) badge.hidden = !answer.published;
}

type Texts = Readonly<Record<'wait' | 'published' | 'takenBack' | 'refused' | 'unreachable', string>> & {
  /** By the code of the problem. */
  problems: Readonly<Record<string, string>>;
};

/** In the language of the page, which wrote them there. */
const readTexts = ({ dataset }: HTMLElement): Texts => JSON.parse(dataset['words'] ?? '{}') as Texts;

type Answer = { published?: boolean; words: string };

async function post(url: string, token: string, texts: Texts): Promise<Answer> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ publish_token: token }) });
    const body = (await response.json()) as { published?: unknown; code?: unknown };
    if (response.ok && body.published === true) return { published: true, words: texts.published };
    if (response.ok) return { published: false, words: texts.takenBack };
    return { words: texts.problems[String(body.code)] ?? texts.refused };
  } catch {
    return { words: texts.unreachable };
  }
}

function findPublishToken(id: string): string | undefined {
  try {
    return sessionStorage.getItem(formatPublishKey(id)) ?? undefined;
  } catch {
    return undefined; // The browser keeps nothing: the person pastes the token.
  }
}
