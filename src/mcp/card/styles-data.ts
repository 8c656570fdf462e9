/** Colours and fonts are the host's where it names them. */
export const CARD_STYLES = `
:root { color-scheme: light dark; }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
body { margin: 0; padding: 12px; background: var(--color-background-primary, light-dark(#fff, #16191d)); color: var(--color-text-primary, light-dark(#16191d, #f2f4f6)); font: 14px/1.45 var(--font-sans, system-ui, sans-serif); }
h1 { font-size: 16px; margin: 0 0 4px; overflow-wrap: anywhere; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
.muted { color: var(--color-text-secondary, light-dark(#50565d, #a9b1ba)); }
.scores { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 12px; padding: 0; list-style: none; }
.scores li { border: 1px solid var(--color-border-primary, light-dark(#c9ced4, #3d444c)); border-radius: var(--border-radius-md, 8px); padding: 6px 12px; min-width: 64px; }
.scores strong { display: block; font-size: 22px; line-height: 1.2; }
ol { margin: 0 0 12px; padding-left: 22px; }
ol li { margin: 0 0 6px; }
button { font: inherit; color: inherit; background: transparent; border: 1px solid currentColor; border-radius: var(--border-radius-sm, 6px); padding: 3px 10px; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--color-ring-primary, light-dark(#0a4a94, #8cbcf5)); outline-offset: 2px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.4 var(--font-mono, monospace); border-left: 3px solid var(--color-border-primary, light-dark(#c9ced4, #3d444c)); margin: 6px 0; padding: 0 0 0 10px; max-height: 320px; overflow: auto; }
`;
