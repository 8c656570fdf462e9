/** The name of the product, once: pages, documents, user agents and signed texts are made with it. */
export const PRODUCT = 'Sightline';
