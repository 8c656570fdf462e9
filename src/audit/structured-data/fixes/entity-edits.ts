import { normaliseBrandName } from '../facts/brand-names.ts';
import { getJsonLd } from '../facts/json-ld.ts';
import { cleanSiteText } from '../../../fixes/files/safe-site.ts';
import { escapeHtml } from '../../../lib/safe-text.ts';
import { getKnownOrSlot, formatSlot } from '../../../fixes/core/fix-slots.ts';
import {
  changeNode,
  fillNode,
  findNodesByType,
  type JsonLdModel,
  type Node,
} from '../../../fixes/core/json-ld-model.ts';
import type { PageEdit } from '../../../fixes/core/page-edits.ts';
import type { SiteWords } from '../../../fixes/core/site-words.ts';
import { renderMetaLine } from '../../page/fixes/head-edits.ts';

/** Hosts where an entity has a page that others check; a `sameAs` needs one of them. */
const IDENTITY_HOSTS =
  /(?:^|\.)(?:wikidata\.org|wikipedia\.org|linkedin\.com|crunchbase\.com|github\.com|gitlab\.com|orcid\.org|opencorporates\.com)$/i;

/** At least two profiles, one of them a register of identities; what the page does not link to is asked for. */
function selectSameAs({ profiles }: SiteWords): readonly string[] {
  const identified = profiles.some((href) => IDENTITY_HOSTS.test(new URL(href).hostname));
  const hosts = new Set(profiles.map((href) => new URL(href).hostname));
  const register = identified ? [] : [formatSlot('profile')];
  return [...profiles, ...register, ...(hosts.size + register.length < 2 ? [formatSlot('otherProfile')] : [])];
}

function buildOrganizationProperties(words: SiteWords): Node {
  const reach = words.email === undefined && words.telephone === undefined ? { email: formatSlot('email') } : {};
  return {
    name: getKnownOrSlot(words.name, 'name'),
    url: `${words.origin}/`,
    logo: getKnownOrSlot(words.logo, 'logo'),
    sameAs: selectSameAs(words),
    ...reach,
    ...(words.email === undefined ? {} : { email: words.email }),
    ...(words.telephone === undefined ? {} : { telephone: words.telephone }),
  };
}

const getNodeId = (node: Node): string | undefined =>
  typeof node['@id'] === 'string' && node['@id'] !== '' ? node['@id'] : undefined;

/**
 * The organisation of the page, completed or added, and the id by which other nodes refer to it.
 * @param complete false to leave the properties of one that is there as they are.
 */
export function ensureOrganization(model: JsonLdModel, words: SiteWords, complete: boolean): string {
  const all = findNodesByType(model, 'Organization').filter((node) => node['@type'] !== undefined);
  const named = all.find((node) => node['name'] !== undefined) ?? all[0];
  const id = `${words.origin}/#organization`;
  if (!named) {
    model.added.push({ '@type': 'Organization', '@id': id, ...buildOrganizationProperties(words) });
    return id;
  }
  if (complete) fillNode(model, named, withoutReach(named, buildOrganizationProperties(words)));
  const own = getNodeId(named);
  if (own !== undefined) return own;
  changeNode(model, named, (node) => void (node['@id'] = id));
  return id;
}

/** A node that can be reached in one way needs no second. */
function withoutReach(node: Node, wanted: Node): Node {
  const reached = ['address', 'contactPoint', 'telephone', 'email'].some((name) => node[name] !== undefined);
  if (!reached) return wanted;
  const { email: _email, telephone: _telephone, ...rest } = wanted;
  return rest;
}

export const buildOrganizationEdit: PageEdit = ({ page, words }) =>
  page && { jsonLd: (model) => void ensureOrganization(model, words, true) };

/** WebSite with name and url, published by the organisation where the page has one. */
function ensureWebSite(model: JsonLdModel, words: SiteWords): void {
  const [first] = findNodesByType(model, 'WebSite');
  const properties = { name: getKnownOrSlot(words.name, 'name'), url: `${words.origin}/` };
  if (first) return fillNode(model, first, properties);
  const publisher = findNodesByType(model, 'Organization')
    .map(getNodeId)
    .find((id) => id !== undefined);
  model.added.push({
    '@type': 'WebSite',
    '@id': `${words.origin}/#website`,
    ...properties,
    ...(publisher === undefined ? {} : { publisher: { '@id': publisher } }),
  });
}

export const buildWebSiteEdit: PageEdit = ({ page, words }) =>
  page && { jsonLd: (model) => ensureWebSite(model, words) };

/** The first structured data of a page: who publishes it, and the site. */
export const buildFirstJsonLdEdit: PageEdit = ({ page, words }) =>
  page && {
    jsonLd(model) {
      ensureOrganization(model, words, false);
      ensureWebSite(model, words);
    },
  };

/** `sameAs` of the organisation, else of the person that the page is about. */
export const buildSameAsEdit: PageEdit = ({ page, words }) =>
  page && {
    jsonLd(model) {
      const [entity] = [...findNodesByType(model, 'Organization'), ...findNodesByType(model, 'Person')];
      if (!entity) return void ensureOrganization(model, words, true);
      const present = [entity['sameAs']]
        .flat()
        .filter((url): url is string => typeof url === 'string' && url.startsWith('https://'));
      const all = [...new Set([...present, ...words.profiles])];
      changeNode(
        model,
        entity,
        (node) => void (node['sameAs'] = selectSameAs({ ...words, profiles: all.filter((url) => URL.canParse(url)) })),
      );
    },
  };

/**
 * One spelling of the name in og:site_name, WebSite and Organization: the one that every generated file uses. The name in
 * the register of companies is kept as such.
 */
export const buildOneNameEdit: PageEdit = ({ page, words }) => {
  if (!page) return undefined;
  const chosen = getKnownOrSlot(words.name, 'name');
  const present = page.openGraph['site_name'] !== undefined;
  return {
    head: present ? [] : [renderMetaLine('property', 'og:site_name', chosen)],
    elements: [
      { selector: 'meta[property="og:site_name" i]', edit: (element) => void element.setAttribute('content', chosen) },
    ],
    jsonLd(model) {
      ensureOrganization(model, { ...words, name: chosen }, false);
      ensureWebSite(model, { ...words, name: chosen });
      for (const node of [...findNodesByType(model, 'WebSite'), ...findNodesByType(model, 'Organization')])
        if (typeof node['name'] === 'string' && node['name'] !== chosen)
          changeNode(model, node, (target) => renameEntity(target, chosen));
    },
  };
};

function renameEntity(node: Node, name: string): void {
  const former = node['name'];
  const isSame = typeof former === 'string' && normaliseBrandName(former) === normaliseBrandName(name);
  if (isSame && former.length > name.length && node['@type'] !== 'WebSite') node['legalName'] ??= former;
  node['name'] = name;
}

/** The name of the site in og:site_name and in the WebSite node, the same in both. */
export const buildSiteNameEdit: PageEdit = (fixing) => {
  const { page, words } = fixing;
  if (!page) return undefined;
  const webSite = getJsonLd(page).graph.nodes.find(({ types }) => types.includes('WebSite'));
  const stated = webSite?.props.get('name')?.find((value) => typeof value === 'string');
  const name = getKnownOrSlot(cleanSiteText(typeof stated === 'string' ? stated : (words.name ?? ''), 100), 'name');
  const present = page.openGraph['site_name'] !== undefined;
  return {
    head: present ? [] : [renderMetaLine('property', 'og:site_name', name)],
    elements: [
      { selector: 'meta[property="og:site_name" i]', edit: (element) => void element.setAttribute('content', name) },
    ],
    jsonLd: (model) => ensureWebSite(model, { ...words, name }),
  };
};

/** A link by which the organisation can be reached, as its structured data says, at the end of the page. */
export const buildContactLinkEdit: PageEdit = ({ page, words }) => {
  if (!page) return undefined;
  const { telephone, email } = words;
  const text = email === undefined && telephone !== undefined ? telephone : getKnownOrSlot(email, 'email');
  const scheme = email === undefined && telephone !== undefined ? 'tel' : 'mailto';
  const link = `<address><a href="${scheme}:${escapeHtml(text.replaceAll(' ', scheme === 'tel' ? '' : ' '))}">${escapeHtml(text)}</a></address>\n`;
  const selector = (page.elements['footer'] ?? 0) > 0 ? 'footer' : 'body';
  return {
    elements: [{ selector, edit: (element, index) => void (index === 0 && element.append(link, { html: true })) }],
  };
};

/** What is needed of a business with an address; nothing of it can be guessed. */
export const buildLocalBusinessEdit: PageEdit = ({ page, words }) =>
  page && {
    jsonLd(model) {
      const properties = {
        name: getKnownOrSlot(words.name, 'name'),
        address: {
          '@type': 'PostalAddress',
          streetAddress: formatSlot('address'),
          addressCountry: formatSlot('country'),
        },
        telephone: getKnownOrSlot(words.telephone, 'telephone'),
        openingHours: formatSlot('openingHours'),
        geo: formatSlot('geo'),
        url: `${words.origin}/`,
      };
      const [first] = findNodesByType(model, 'LocalBusiness');
      if (first) fillNode(model, first, properties);
      else model.added.push({ '@type': 'LocalBusiness', '@id': `${words.origin}/#business`, ...properties });
    },
  };
