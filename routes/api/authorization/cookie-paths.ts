/**
 * Paths whose answers depend on the browser's cookie: no page of another site may read them, so they carry no CORS headers
 * (rule A11). `/audit` takes no cookie; only our own page may start an audit there (rule F6).
 */
const COOKIE_PATHS = ['/signin', '/signout', '/authorize', '/account', '/operator', '/audit'] as const;

/** Whether a path is one of ours that cookies open. */
export const isCookiePath = (path: string): boolean =>
  COOKIE_PATHS.some((own) => path === own || path.startsWith(`${own}/`));
