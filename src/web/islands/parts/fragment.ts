/**
 * Nodes of HTML that our own service rendered, where every text of a site is escaped. A document that is parsed so runs no
 * script, and the policy of the page refuses handlers in attributes.
 */
export function parseFragment(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...new DOMParser().parseFromString(html, 'text/html').body.childNodes);
  return fragment;
}
