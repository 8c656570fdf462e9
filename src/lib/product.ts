/** The name of the product, once: pages, documents, user agents and signed texts are made with it. */
export const PRODUCT = 'Sightline';

/** Version of the service: that of package.json (a test compares them). */
export const VERSION = '0.1.0';
