/** Paths whose answers depend on the browser's cookie: no page of another site may read them, so they carry no CORS headers (rule A11). */
const COOKIE_PATHS = ['/signin', '/signout', '/authorize', '/account', '/operator'] as const;

/** Whether a path is one of ours that cookies open. */
export const takesCookies = (path: string): boolean =>
  COOKIE_PATHS.some((own) => path === own || path.startsWith(`${own}/`));
