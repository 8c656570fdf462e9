/** The formats of a result about sites, in the order of the usage text. Light: the usage text needs no renderer. */
export const formats = ['text', 'json', 'md', 'html', 'sarif', 'junit'] as const;
export type Format = (typeof formats)[number];
