/** Of every page: light and dark, from 360 pixels on, readable without it. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e6e8eb);
  --quiet: light-dark(#57606a, #a2abb5);
  --ground: light-dark(#ffffff, #14171b);
  --raised: light-dark(#f5f6f8, #1d2126);
  --line: light-dark(#8a939d, #6b7580);
  --accent: light-dark(#0b57d0, #8ab4f8);
  --on-accent: light-dark(#ffffff, #10151c);
  --danger: light-dark(#b3261e, #f2b8b5);
  font: 1rem/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--ground); }
header { display: flex; gap: 1rem; justify-content: space-between; padding: .75rem 1rem; border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; color: inherit; text-decoration: none; }
.who, .quiet { color: var(--quiet); overflow-wrap: anywhere; }
main { max-width: 40rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
a { color: var(--accent); }
label { display: block; margin: 1rem 0; font-weight: 600; }
label.choice { display: flex; gap: .5rem; align-items: baseline; font-weight: 400; }
input, select { display: block; width: 100%; margin-top: .25rem; padding: .5rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .375rem; }
label.choice input { display: inline; width: auto; margin: 0; }
button { padding: .5rem 1rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .375rem; cursor: pointer; }
a.button { display: inline-block; padding: .5rem 1rem; font-weight: 600; text-decoration: none; border: 1px solid var(--accent); border-radius: .375rem; }
button.second { color: var(--accent); background: transparent; }
button.danger { color: var(--danger); background: transparent; border-color: var(--danger); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.refusal { padding: .75rem; color: var(--danger); border: 1px solid var(--danger); border-radius: .375rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; }
ul.rows { padding: 0; list-style: none; }
ul.rows > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; padding: .75rem 0; border-bottom: 1px solid var(--line); }
code, pre { font-family: ui-monospace, monospace; background: var(--raised); border-radius: .25rem; }
code { padding: .1rem .3rem; }
pre { padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`
