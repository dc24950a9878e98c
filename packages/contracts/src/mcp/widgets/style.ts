/** The style of all widgets: variables that a host may set, each with a default where it sets none; none fetches anything. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: var(--color-text-primary, light-dark(#1c1e21, #eceef1));
  --pale: var(--color-text-secondary, light-dark(#59616b, #a5adb8));
  --line: var(--color-border-primary, light-dark(#dde1e6, #3a4048));
  --ground: var(--color-background-primary, light-dark(#fff, #1b1d21));
  --raised: var(--color-background-secondary, light-dark(#f3f5f7, #282c32));
  --good: var(--color-text-success, light-dark(#1a6b35, #72d08f));
  --alert: var(--color-text-warning, light-dark(#8a5300, #f0b354));
  --bad: var(--color-text-danger, light-dark(#b3261e, #ff8f86));
  --busy: var(--color-text-info, light-dark(#1d56b8, #8ab4ff));
}
body {
  margin: 0; padding: 12px 14px; overflow-wrap: anywhere;
  font: 14px/1.5 var(--font-sans, system-ui, sans-serif);
  color: var(--ink); background-color: var(--ground);
}
h1 { font-size: 16px; margin: 0 0 6px; }
h2 { font-size: 13px; margin: 14px 0 4px; color: var(--pale); }
p { margin: 0 0 6px; }
p, li { display: flow-root; }
ul { list-style: none; margin: 0 0 8px; padding: 0; }
li { padding: 6px 0; border-top: 1px solid var(--line); }
li > *, p > * { margin-right: 4px; }
li.current { box-shadow: inset 3px 0 var(--busy); padding-left: 10px; }
code { font: 12px/1.5 var(--font-mono, ui-monospace, monospace); }
code, time, .note { color: var(--pale); }
time { font-size: 12px; }
.text { white-space: pre-wrap; max-height: 14em; overflow: auto; padding: 4px 8px; border-radius: 6px; background-color: var(--raised); }
summary { cursor: pointer; color: var(--pale); }
.tag { font-size: 12px; padding: 0 7px; border: 1px solid var(--line); border-radius: 9px; color: var(--pale); }
.plus, .tag:is([data-says=complete], [data-says=added]) { color: var(--good); }
.minus, .tag:is([data-says=urgent], [data-says=deleted]) { color: var(--bad); }
.tag:is([data-says=question], [data-says='to do'], [data-says=high], [data-says=blocked], [data-says='awaiting approval']) { color: var(--alert); }
.tag:is([data-says=executing], [data-says=launching], [data-says=review]) { color: var(--busy); }
.alert { padding: 8px; border-left: 3px solid var(--alert); background-color: var(--raised); }
:empty { display: none; }
`
