const SHORT_ID = /^(?:aeo|geo|agent|mcp)\.[a-z0-9.-]{1,79}$/;

/** Whether a text has the form of our ids: nothing of a site becomes an attribute. */
export const isCheckId = (id: string): boolean => SHORT_ID.test(id);

/** The anchor of a check; undefined for an id that is none of ours. */
export const getCheckAnchor = (id: string): string | undefined => (isCheckId(id) ? `check-${id}` : undefined);
