import { readFileSync } from 'node:fs'

/** The colours and measures that the web app has, too. */
const tokens = readFileSync(new URL(import.meta.resolve('@svc/style/tokens.css')), 'utf8')

/** The style of every page: light and dark, from a width of 360 pixels on. The pages are readable without it. */
export const stylesheet = `${tokens}
*, ::before { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--ground); }
header { display: flex; gap: 1rem; justify-content: space-between; align-items: center; padding: .75rem max(1rem, calc(50vw - 24rem)); background: var(--surface); border-bottom: 1px solid var(--hairline); }
.brand { display: inline-flex; gap: .5rem; align-items: center; font-weight: 700; letter-spacing: .01em; color: inherit; text-decoration: none; }
.brand::before { content: ""; width: 1.1rem; height: 1.1rem; margin: .12rem; border: .22rem solid var(--accent); border-radius: .3rem; transform: rotate(45deg); }
.who, .quiet { color: var(--quiet); overflow-wrap: anywhere; }
.quiet { font-size: .9rem; }
main { max-width: 48rem; margin: 2rem auto; padding: 1.75rem 2rem 2rem; overflow-wrap: anywhere; text-wrap: pretty; background: var(--surface); border: 1px solid var(--hairline); border-radius: .75rem; }
main:not(:has(section)) { max-width: 31rem; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .5rem; font-size: 1.15rem; }
h3 { margin: 1.5rem 0 0; font-size: 1rem; }
p { margin: .75rem 0; }
main > :last-child, section > :last-child, fieldset > :last-child { margin-bottom: 0; }
section { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--hairline); }
a { color: var(--accent); text-underline-offset: .15em; }
label { display: block; max-width: 28rem; margin: 1rem 0; font-weight: 600; }
fieldset { margin: 1.25rem 0; padding: 1rem; border: 1px solid var(--hairline); border-radius: var(--radius); }
legend { float: inline-start; width: 100%; margin-bottom: .75rem; padding: 0; font-weight: 600; }
legend + * { clear: both; }
label.choice { display: flex; gap: .5rem; align-items: baseline; font-weight: 400; }
input, select { display: block; width: 100%; min-height: 2.75rem; margin-top: .3rem; padding: .5rem .65rem; font: inherit; font-weight: 400; color: inherit; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
label + .quiet { margin: -.6rem 0 1rem; }
input[hidden] { display: none; }
label.choice input { display: inline; width: auto; min-height: 0; margin: 0; }
button { min-height: 2.75rem; padding: .5rem 1.1rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: var(--radius); cursor: pointer; }
button:hover { filter: brightness(1.08); }
a.button { display: inline-block; padding: .5rem 1.1rem; font-weight: 600; text-decoration: none; border: 1px solid var(--accent); border-radius: var(--radius); }
button.second { color: var(--accent); background: transparent; }
button.danger { color: var(--danger); background: transparent; border-color: var(--danger); }
button.second:hover, button.danger:hover { background: var(--raised); filter: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.refusal, .warning, .done { padding: .65rem .9rem; border: 1px solid; border-inline-start-width: .3rem; border-radius: var(--radius); }
.refusal { color: var(--danger); }
.warning { color: var(--caution); }
.done { color: var(--good); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; }
.who-here { display: flex; flex-wrap: wrap; gap: .75rem 1rem; justify-content: space-between; align-items: center; }
.who-here > * { margin: 0; }
ul.rows { margin: .5rem 0; padding: 0; list-style: none; }
ul.rows > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; padding: .75rem 0; }
ul.rows > li + li { border-top: 1px solid var(--hairline); }
ul.rows:last-child > li:last-child { padding-bottom: 0; }
ul.rows > li > :first-child { flex: 1 1 14rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.25rem; margin: 1rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
code, pre { font-family: var(--code); background: var(--raised); border-radius: .3rem; }
code { padding: .1rem .3rem; font-size: .92em; box-decoration-break: clone; }
pre { padding: .9rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--hairline); border-radius: var(--radius); user-select: all; }
.code { margin: 1.25rem 0; text-align: center; }
.code code { padding: .5rem 1rem; font-size: 1.6rem; font-weight: 600; letter-spacing: .08em; }
@media (max-width: 40rem) {
  main, main:not(:has(section)) { max-width: none; margin: 0; padding: 1.25rem 1rem 2rem; border: 0; border-radius: 0; }
  body { background: var(--surface); }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .75rem; }
  .actions button { flex: 1 1 auto; }
}
@media (forced-colors: active) { .brand::before { border-color: CanvasText; } }
`
