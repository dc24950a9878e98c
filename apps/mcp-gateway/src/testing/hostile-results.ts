import type { ToolResult } from '@svc/contracts/mcp/tool-result'

/** What would ask for something or run, were it anything but text. */
export const payloads = [
  '<img src="http://127.0.0.1/leak" onerror="pwned()">',
  '<img src="data:image/png,none" onerror="pwned()">',
  '<svg onload="pwned()"><script>pwned()</script></svg>',
  '</title></style></script><script>pwned()</script>',
  '<iframe src="http://127.0.0.1/leak"></iframe>',
  '<link rel="stylesheet" href="http://127.0.0.1/leak">',
  '<style>@import url(http://127.0.0.1/leak)</style>',
  '<a href="javascript:pwned()">open</a>',
  '"><input autofocus onfocus="pwned()">',
  "${pwned()} {{pwned()}} '+pwned()+'",
  'javascript:pwned()',
  '<form action="http://127.0.0.1/leak"><button>Send</button></form>',
]

/** Where a part should stand, something else; parts that read like calls of a widget's own among them. */
const misfits: unknown[] = [
  null,
  7,
  true,
  payloads[0],
  [],
  ['script', 'pwned()'],
  { toString: 'pwned()' },
  { className: 'x', append: payloads[1], nodeType: 1, tagName: 'SCRIPT' },
]

interface Hostile {
  structuredContent: Record<string, unknown>
  /** What must be read of it. */
  text?: string
}

/**
 * Variants of a valid result: with each payload in place of every text, then with values of a wrong kind for each part in
 * turn.
 */
export function hostileResults({ structuredContent = {} }: ToolResult, count: number): Hostile[] {
  const renamed = payloads.map((text) => ({
    structuredContent: replaceTexts(structuredContent, text),
    text,
  }))
  const paths = pathsOf(structuredContent)
  const broken = misfits.flatMap((misfit) =>
    paths.map((path) => ({ structuredContent: replaceAt(structuredContent, path, misfit) })),
  )
  const step = Math.max(1, Math.floor(broken.length / (count - payloads.length || 1)))
  // spread over all paths and all misfits
  const chosen = broken.filter((_, index) => index % step === 0)
  return [...renamed, ...chosen].slice(0, count)
}

type Path = readonly string[]

function pathsOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((path) => [key, ...path]),
  ])
}

// the shape of what is mapped stays, which a type cannot say of a value that is unknown
function replaceTexts<Value>(value: Value, text: string): Value {
  const replaced = JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'string' ? text : inner,
  )
  return replaced as Value
}

function replaceAt<Value>(value: Value, path: Path, part: unknown): Value {
  const copy = structuredClone(value)
  let target = copy as Record<string, unknown>
  for (const key of path.slice(0, -1)) target = target[key] as Record<string, unknown>
  target[path.at(-1) ?? ''] = part
  return copy
}
