/** The chromium of this machine, or undefined. */
export function chromiumPath(): string | undefined;
/** The same, after it was installed where it was missing and may be. */
export function needChromium(): string | undefined;
