import type { Child, Drawn, Pencil, Widget } from '../widget.ts'

/** The little of a browser that a widget touches: these functions run there, written out as text. */
declare const document: {
  documentElement: Part & { style: Style }
  body: Part
  createElement: (tag: string) => Part
}
declare const window: {
  parent: { postMessage: (message: object, origin: string) => void }
  openai?: { toolOutput?: unknown; theme?: unknown }
  addEventListener: (type: string, listener: (event: MessageEvent) => void) => void
}
declare const Node: abstract new () => Part
declare class ResizeObserver {
  constructor(changed: () => void)
  observe(part: Part): void
}

interface Part extends Drawn {
  className: string
  dataset: Record<string, string>
  append: (...children: (Part | string)[]) => void
  replaceChildren: (...children: Part[]) => void
  getBoundingClientRect: () => { width: number; height: number }
}
interface Style {
  colorScheme: string
  setProperty: (name: string, value: string) => void
}
interface MessageEvent {
  source: unknown
  data: unknown
}
/** A message of the host, of which nothing is known. */
interface Message {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  params?: Record<string, unknown> | undefined
  result?: Record<string, unknown> | undefined
}
type Words = Pick<Widget<unknown>, 'title' | 'empty'> & { version: string }
type View = (output: unknown, pencil: Pencil) => Child[]

/** The whole script of a widget but for its view and its words. */
export const sharedScript = [draw, tag, list, day, say, show, dress, take, start]
  .map(String)
  .join('\n')

function draw(kind: string, ...children: Child[]): Part {
  const [name = 'p', ...classes] = kind.split('.')
  const part = document.createElement(name)
  part.className = classes.join(' ')
  for (const child of children) {
    if (child instanceof Node) part.append(child, ' ')
    else if (typeof child === 'string' || typeof child === 'number') part.append(String(child))
  }
  return part
}

function tag(words: string): Part {
  const part = draw('span.tag', words)
  part.dataset['says'] = String(words).toLowerCase()
  return part
}

function list<Item>(items: readonly Item[], row: (item: Item) => Drawn): Drawn[] {
  const rows = items.slice(0, 50).map((item) => row(item))
  const left = items.length - rows.length
  return [draw('ul', ...rows), draw('p.note', left > 0 && `and ${left} more`)]
}

function day(timestamp: string): Drawn {
  return draw('time', timestamp.slice(0, 10))
}

function say(words: string): void {
  document.body.replaceChildren(draw('p.note', words))
}

function show(output: unknown, view: View, words: Words): void {
  try {
    const parts = view(output, { draw, tag, list, day })
    if (parts.length > 0) document.body.replaceChildren(draw('main', ...parts))
    else say(words.empty)
  } catch {
    say('This result cannot be shown here. The conversation has it as text.')
  }
}

// cast, for whatever the host has sent: each part is looked at before it is used
function dress(context: unknown): void {
  const { theme, styles } = (context ?? {}) as { theme?: unknown; styles?: { variables?: object } }
  const { style } = document.documentElement
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') style.setProperty(name, value)
  }
}

function take({ method, params = {} }: Message, view: View, words: Words): void {
  if (method === 'ui/notifications/host-context-changed') dress(params)
  if (method === 'ui/notifications/tool-input') say('Looking …')
  if (method === 'ui/notifications/tool-cancelled') say('Cancelled.')
  if (method !== 'ui/notifications/tool-result') return
  if (params['isError'] === true) say('This did not work. The conversation says why.')
  else show(params['structuredContent'], view, words)
}

// casts: the window has two declared sides here, and a message is looked at field by field
function start(view: View, words: Words): void {
  const host = window.parent
  const isFramed = (host as unknown) !== window
  const post = (message: object) => host.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const reportSize = () => {
    const { width, height } = document.body.getBoundingClientRect()
    const params = { width: Math.ceil(width), height: Math.ceil(height) }
    post({ method: 'ui/notifications/size-changed', params })
  }
  const readOutput = () => {
    const { toolOutput, theme } = window.openai ?? {}
    dress({ theme })
    if (toolOutput !== undefined && toolOutput !== null) show(toolOutput, view, words)
  }
  say(isFramed ? 'Waiting …' : `${words.title}: an agent client shows results of svc here.`)
  window.addEventListener('openai:set_globals', readOutput)
  readOutput()
  if (!isFramed) return
  window.addEventListener('message', ({ source, data }) => {
    const message = (data ?? {}) as Message
    const { jsonrpc, id, method, result } = message
    if (source !== host || jsonrpc !== '2.0') return
    if (method === undefined) {
      if (id !== 'hello' || result === undefined) return
      dress(result['hostContext'])
      post({ method: 'ui/notifications/initialized', params: {} })
      new ResizeObserver(reportSize).observe(document.body)
    } else if (id === undefined) take(message, view, words)
    else if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} })
    else post({ id, error: { code: -32601, message: 'Method not found' } })
  })
  const appInfo = { name: 'svc', title: words.title, version: words.version }
  const params = { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} }
  post({ id: 'hello', method: 'ui/initialize', params })
}
