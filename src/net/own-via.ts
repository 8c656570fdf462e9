/**
 * Whether a request is one of ours, by its `Via`: what our guarded fetch sends. Anyone may say so: it only ever takes
 * away.
 */
export const isOurVia = (via: string | null): boolean => /\bsightline\b/i.test(via ?? '');
