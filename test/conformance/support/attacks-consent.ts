import { type Attack, authorize, pageAnswered, request, type Scene, strangerWith } from './attack.ts';
import { newBrowser } from './browser.ts';
import { REDIRECT_URI, register, signedInBrowser } from './oauth.ts';
import { consentForm, decide, signInPage } from './person.ts';

const HTTPS_REDIRECT = 'https://app.example/callback';
const PAGE_400 = { status: 400, leads: 'nowhere' };
const CONSENT = { status: 200, leads: 'consent' };

const deputy: Attack[] = [
  {
    id: 'D1',
    what: 'a newly registered client of a browser that is signed in: the person is asked',
    attack: async (scene) => authorize(scene, (await request(scene, {}, await register(scene.world))).url),
    refused: CONSENT,
  },
  {
    id: 'D2',
    what: 'nothing is granted and no state is made before consent',
    attack: async (scene) => {
      const browser = await signedInBrowser(scene.world.base);
      const answer = await browser.request((await request(scene)).url.href);
      const account = await browser.open('/account/access');
      return { location: answer.headers.get('location'), granted: account.html.includes('/account/revoke') };
    },
    refused: { location: null, granted: false },
  },
  {
    id: 'D3',
    what: "a consent form that was made for one browser, posted by another person's",
    attack: async (scene) => {
      const page = await scene.browser.open((await request(scene)).url.href);
      const other = await signedInBrowser(scene.world.base);
      const { csrf } = await signInPage(other);
      return pageAnswered(await decide(other, page, 'allow', { csrf }));
    },
    refused: PAGE_400,
  },
  {
    id: 'D4',
    what: 'a consent is not remembered: another redirect, scope or resource of the same client asks again, and so does the same',
    attack: (scene) =>
      Promise.all([
        authorizeAgain(scene, {}),
        authorizeAgain(scene, { redirect_uri: 'http://127.0.0.1:52001/callback' }),
        authorizeAgain(scene, { scope: 'audit:run credits:use' }),
      ]),
    refused: [CONSENT, CONSENT, CONSENT],
  },
  {
    id: 'D6',
    what: 'a client on this machine: the consent page warns of it, and of no other',
    attack: async (scene) => {
      const local = await scene.browser.open((await request(scene)).url.href);
      const remote = await strangerWith(scene, HTTPS_REDIRECT);
      const page = await scene.browser.open((await request(scene, { redirect_uri: HTTPS_REDIRECT }, remote)).url.href);
      return [local.html.includes('class="warning"'), page.html.includes('class="warning"')];
    },
    refused: [true, false],
  },
];

const authorizeAgain = async (scene: Scene, changes: Record<string, string>) =>
  authorize(scene, (await request(scene, changes)).url);

const consent: Attack[] = [
  {
    id: 'N1',
    what: 'a consent form posted without the cookie',
    attack: async (scene) => {
      const page = await scene.browser.open((await request(scene)).url.href);
      const form = consentForm(page);
      const fields = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
      const answer = await newBrowser(scene.world.base).submit(page, form, { ...fields, decision: 'allow' });
      return { leads: pageAnswered(answer).leads, refused: answer.status >= 400 };
    },
    refused: { leads: 'nowhere', refused: true },
  },
  {
    id: 'N2',
    what: 'a handle that was made up',
    attack: async (scene) => {
      const page = await scene.browser.open((await request(scene)).url.href);
      return pageAnswered(await decide(scene.browser, page, 'allow', { handle: 'a'.repeat(43) }));
    },
    refused: PAGE_400,
  },
  {
    id: 'N3',
    what: 'a handle used twice',
    attack: async (scene) => {
      const page = await scene.browser.open((await request(scene)).url.href);
      const first = pageAnswered(await decide(scene.browser, page, 'allow'));
      return [first.leads, pageAnswered(await decide(scene.browser, page, 'allow'))];
    },
    refused: [new URL(REDIRECT_URI).origin, PAGE_400],
  },
  {
    id: 'N4',
    what: 'eight posts of one form at once: one code',
    attack: async (scene) => {
      const page = await scene.browser.open((await request(scene)).url.href);
      const answers = await Promise.all(Array.from({ length: 8 }, () => decide(scene.browser, page, 'allow')));
      return answers.filter(({ url }) => new URL(url).searchParams.has('code')).length;
    },
    refused: 1,
  },
  {
    id: 'N5',
    what: 'scopes added to the form that the page did not offer',
    attack: async (scene) => {
      const page = await scene.browser.open((await request(scene)).url.href);
      return pageAnswered(await decide(scene.browser, page, 'allow', { scope: 'operator' })).leads;
    },
    // Nothing that was offered is ticked any more: the client is told that access was denied.
    refused: new URL(REDIRECT_URI).origin,
  },
  {
    id: 'N6',
    what: 'markup in the name, the scope and the state',
    attack: async (scene) => {
      const name = '<script>alert(1)</script><img src=x onerror=alert(2)>';
      const client = await register(scene.world, { client_name: name });
      const page = await scene.browser.open(
        (await request(scene, { state: '"><script>alert(3)</script>' }, client)).url.href,
      );
      const scope = await authorize(scene, (await request(scene, { scope: '<script>' }, client)).url);
      return {
        shown: consentForm(page).action,
        markup: /<script>alert|<img src=x/.test(page.html),
        scope: scope.leads,
      };
    },
    refused: { shown: '/authorize', markup: false, scope: new URL(REDIRECT_URI).origin },
  },
  {
    id: 'N7',
    what: 'the consent page in a frame, with a form that leads elsewhere',
    attack: async (scene) => {
      const { headers } = await scene.browser.open((await request(scene)).url.href);
      const policy = headers.get('content-security-policy') ?? '';
      return {
        frames: /frame-ancestors 'none'/.test(policy),
        old: headers.get('x-frame-options'),
        forms: /form-action ([^;]*)/.exec(policy)?.[1],
        scripts: /script-src/.test(policy),
      };
    },
    refused: { frames: true, old: 'DENY', forms: `'self' ${new URL(REDIRECT_URI).origin}`, scripts: false },
  },
  {
    id: 'N8',
    what: 'a link that approves',
    attack: async (scene) => {
      const started = await request(scene);
      const page = await scene.browser.open(started.url.href);
      const url = new URL(started.url);
      for (const { name, value } of consentForm(page).fields) url.searchParams.set(name, value);
      url.searchParams.set('decision', 'allow');
      const answer = await scene.browser.request(url.href);
      return { code: answer.headers.get('location')?.includes('code=') ?? false };
    },
    refused: { code: false },
  },
];

export const consentAttacks: Attack[] = [...deputy, ...consent];
