/** The style sheet of the emulator's page. */
export const PAGE_STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h2 small { font-weight: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { border-bottom: 1px solid; padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
`;
