/** Tags of one page that are read, start tags and end tags; the largest of our saved pages (1.6 MB) has 5,028. */
export const MAX_TAGS = 400_000;

/**
 * The part of a page before its tag number `max` + 1, or undefined where it has no more tags than that. What looks like a
 * tag counts as one, in scripts and comments too.
 */
export function cutPage(html: string, max: number = MAX_TAGS): string | undefined {
  const tag = /<[a-z/!?]/gi;
  for (let tags = 0; tags < max; tags += 1) if (!tag.test(html)) return undefined;
  const next = tag.exec(html);
  return next === null ? undefined : html.slice(0, next.index);
}
