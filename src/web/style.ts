/** The one style sheet. Contrast of text is 7:1 and more in both colour schemes; widths from 320 px on. */
export const styleSheet = `:root { color-scheme: light dark; --ink: #16202b; --dim: #3f4c5a; --ground: #ffffff; --line: #6b7885; --tint: #eef2f6; --accent: #0b4f9e; --on-accent: #ffffff; --alarm: #7a1f00; --alarm-tint: #fff1e8; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef2f6; --dim: #c3ccd6; --ground: #12181f; --line: #8c98a5; --tint: #1d2630; --accent: #9cc8ff; --on-accent: #0b1a2b; --alarm: #ffc9ab; --alarm-tint: #35190b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 36rem; margin: 0 auto; padding: 0 1rem; }
.brand { font-weight: 700; margin: 1rem 0 0; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 1rem 0; }
h2 { font-size: 1.2rem; margin: 1.5rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; }
.client { font-size: 1.15rem; }
.host { font-size: 1.15rem; overflow-wrap: anywhere; }
.small { font-size: 0.9rem; color: var(--dim); }
.url, code { overflow-wrap: anywhere; }
span.url { display: block; }
p > span.url { display: inline; }
code { font-size: 0.9em; background: var(--tint); padding: 0.1em 0.3em; border-radius: 0.2em; }
dt { color: var(--dim); margin-top: 0.75rem; }
dd { margin: 0; }
.note, .warning, .card { border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.75rem; background: var(--tint); }
.warning { border: 2px solid var(--alarm); color: var(--alarm); background: var(--alarm-tint); font-weight: 600; }
.card { margin: 1rem 0; }
fieldset { border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.5rem 0.75rem; min-width: 0; }
.choice { display: flex; gap: 0.6rem; align-items: flex-start; margin: 0.5rem 0; }
.choice input { width: 1.3rem; height: 1.3rem; flex: none; margin: 0.1rem 0 0; }
label { display: block; }
input:not([type=checkbox]), textarea { width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.6rem; margin: 0.25rem 0 0.75rem; }
textarea { font-family: ui-monospace, monospace; font-size: 0.9rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 2px solid var(--accent); border-radius: 0.4rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.quiet { background: transparent; color: var(--accent); }
button:disabled { opacity: 0.6; cursor: default; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; }
a { color: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.4rem; }
pre code { overflow-wrap: normal; background: none; padding: 0; }
table { border-collapse: collapse; }
caption { text-align: left; color: var(--dim); }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
