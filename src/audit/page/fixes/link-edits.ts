import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { listNumberedExchanges } from '../../core/snapshot.ts';
import type { RewriterElement } from '../../../fixes/files/html-rewriter.ts';
import { cleanSiteText, normaliseOwnUrl } from '../../../fixes/files/safe-site.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import type { PageEdit } from '../../../fixes/core/page-edits.ts';
import { capitalise } from '../../../lib/text.ts';

const MAX_NAME_CHARS = 100;

/** Links within the site without `nofollow`. */
export const followEdit: PageEdit = ({ page, audited }) =>
  page && {
    elements: [
      {
        selector: 'a[rel~="nofollow" i]',
        edit(element) {
          const href = URL.parse(element.getAttribute('href') ?? '', page.baseUrl)?.href ?? '';
          if (normaliseOwnUrl(href, audited.site.start) === undefined) return;
          const kept = (element.getAttribute('rel') ?? '')
            .split(/\s+/)
            .filter((token) => token !== '' && token.toLowerCase() !== 'nofollow');
          if (kept.length === 0) element.removeAttribute('rel');
          else element.setAttribute('rel', kept.join(' '));
        },
      },
    ],
  };

/** Parts of addresses that change something; the expression below looks closer. */
const ACTION_PARTS =
  'delete remove destroy logout log-out log_out signout sign-out sign_out unsubscribe add-to add_to addto'.split(' ');

/** Links that change something carry `nofollow`, until they are forms. */
export const buildNoFollowActionsEdit: PageEdit = ({ page }) =>
  page && {
    elements: ACTION_PARTS.map((part) => ({
      selector: `a[href*="${part}" i]`,
      edit(element: RewriterElement) {
        const rel = element.getAttribute('rel') ?? '';
        if (!ACTION.test(element.getAttribute('href') ?? '') || /\bnofollow\b/i.test(rel)) return;
        element.setAttribute('rel', `${rel} nofollow`.trim());
      },
    })),
  };

const ACTION =
  /(?:^|[^a-z])(?:delete|remove|destroy|log[-_]?out|sign[-_]?out|unsubscribe|add[-_]?to[-_]?(?:cart|basket|bag))(?:$|[^a-z])/i;

/** Links without a name get the title of the page they lead to, where the audit knows it, else a name from its address. */
export const buildLinkNamesEdit: PageEdit = (fixing) => {
  const { page } = fixing;
  if (!page) return undefined;
  const nameless = page.anchors.map(({ text, hidden }) => text.trim() === '' && hidden === undefined);
  return { elements: [buildLinkNamesChange(fixing, (index) => nameless[index] === true)] };
};

/** Links of one of these texts say nothing by themselves. */
const VAGUE =
  /^(?:click here|here|read more|more|learn more|link|this|mehr|weiterlesen|mehr erfahren|hier|en savoir plus|lire la suite|ici|leer más|más|aquí|saber más|leggi tutto|di più|qui|saiba mais|leia mais|aqui|lees meer|meer|подробнее|ещё|здесь|更多|点击这里|查看更多|詳細|詳しくはこちら|こちら|더 보기|여기|المزيد|اقرأ المزيد|هنا)[\s.…»›→>]{0,5}$/iu;

export const buildLinkTextsEdit: PageEdit = (fixing) => {
  const { page } = fixing;
  if (!page) return undefined;
  const vague = page.anchors.map(({ text }) => VAGUE.test(text.trim()));
  return { elements: [buildLinkNamesChange(fixing, (index) => vague[index] === true)] };
};

function buildLinkNamesChange(fixing: FixContext, isMeant: (index: number) => boolean) {
  const titles = mapTitlesByUrl(fixing);
  const { page } = fixing;
  return {
    selector: 'a[href]',
    edit(element: { setAttribute: (name: string, value: string) => unknown }, index: number) {
      const href = page?.anchors[index]?.href;
      if (!isMeant(index) || href === undefined) return;
      element.setAttribute(
        'aria-label',
        titles.get(normaliseLinkUrl(href)) ?? buildNameFromUrl(href) ?? formatSlot('linkText'),
      );
    },
  };
}

const normaliseLinkUrl = (href: string): string => (href.split('#')[0] ?? href).replace(/\/$/, '');

/** Titles of the pages that were read, by their addresses. */
function mapTitlesByUrl({ audited, words }: FixContext): ReadonlyMap<string, string> {
  const read = listNumberedExchanges(audited.snapshot, 'sample').flatMap(({ answer }) => {
    if (!answer.ok || answer.status !== 200 || !isHtmlAnswer(answer)) return [];
    const title = cleanSiteText(getPageFacts(answer).titles[0] ?? '', MAX_NAME_CHARS);
    return title === '' ? [] : [[normaliseLinkUrl(answer.url), title] as const];
  });
  const home = words.name === undefined ? [] : [[normaliseLinkUrl(`${words.origin}/`), words.name] as const];
  return new Map([...home, ...read]);
}

/** `Opening hours` for `/shop/opening-hours.html`, `github.com` for a profile elsewhere. */
function buildNameFromUrl(href: string): string | undefined {
  const url = URL.parse(href);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  const words = last.replace(/\.[a-z]{2,5}$/i, '').replaceAll(/[-_+]+/g, ' ');
  const name = /^[a-z][a-z ]{1,40}$/i.test(words) ? capitalise(words) : '';
  return cleanSiteText(name, MAX_NAME_CHARS) || cleanSiteText(url.hostname, MAX_NAME_CHARS) || undefined;
}
