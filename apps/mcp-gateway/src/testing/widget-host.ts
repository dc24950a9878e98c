import { createServer } from 'node:http'
import { listen } from '@svc/testing/listen'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { ToolResult } from '@svc/contracts/mcp/tool-result'
import { openBrowser } from '@svc/testing/browser'

/** A chat client as a browser sees it: it has one origin, and what it shows is in frames of another. */
export interface WidgetHost extends AsyncDisposable {
  show(html: string, context?: McpUiHostContext): Promise<ShownWidget>
  /** The text of a document by itself, in no frame. */
  open(html: string): Promise<string>
  /** What was requested other than the pages of the host. */
  hits: string[]
}

export interface ShownWidget extends AsyncDisposable {
  bridge: AppBridge
  /** As a conforming host does it, not before the widget has said that it is ready. */
  give: (result: ToolResult) => Promise<void>
  /** What is drawn for each, one after the other. */
  giveAll: (results: ToolResult[]) => Promise<Drawing[]>
  /** Resolves when everything that was sent before has been handled. */
  settled: () => Promise<void>
  drawing: () => Promise<Drawing>
  evaluate: (expression: string) => Promise<unknown>
  /** What the policy has refused, and how often a text of a result ran as a script. */
  seen: () => Promise<{ violations: string[]; ran: number }>
}

interface Drawing {
  text: string
  /** Names of elements that no widget draws. */
  strangers: string[]
}

const policy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:`

const hostPage = (sandbox: string) => `<!doctype html>
<link rel="icon" href="data:,">
<style>iframe { width: 700px; height: 600px; border: 0 }</style>
<iframe src="${sandbox}" sandbox="allow-scripts allow-same-origin"></iframe>
<script>
const { contentWindow } = document.querySelector('iframe')
addEventListener('message', ({ source, data }) => source === contentWindow && toHost(data))
const toFrame = (message) => contentWindow.postMessage(message, '${sandbox}')
</script>`

const sandboxPage = `<!doctype html>
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0 }</style>
<body><script>
let inner
addEventListener('message', ({ source, data }) => {
  if (source === inner?.contentWindow) parent.postMessage(data, '*')
  if (source !== parent) return
  if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*')
  inner = document.createElement('iframe')
  inner.sandbox = 'allow-scripts'
  inner.srcdoc = data.params.html
  document.body.append(inner)
})
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

/** In every frame before its own scripts: what a text of a result would call, if it could. */
const watch = `
window.seen = { violations: [], ran: 0 }
window.pwned = () => { seen.ran += 1 }
addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.violations.push(effectiveDirective))`

const drawing = `({
  text: document.body?.innerText ?? '',
  strangers: [...document.querySelectorAll('body :not(main,h1,h2,p,ul,li,b,code,span,time,details,summary)')]
    .map(({ tagName }) => tagName),
})`

/** Each result that comes replaces what is there. */
const record = `
window.drawings = []
new MutationObserver(() => drawings.push(${drawing})).observe(document.body, { childList: true })`

export async function openWidgetHost(): Promise<WidgetHost> {
  await using opened = new AsyncDisposableStack()
  const hits: string[] = []
  const port = await servePages(opened, hits)
  const browser = opened.use(await openBrowser())
  const newPage = async () => {
    const page = await browser.newPage()
    // as long as `expect.poll` waits: what comes late on a busy machine comes
    page.setDefaultTimeout(120_000)
    return page
  }
  const kept = opened.move()
  return {
    hits,
    async open(html) {
      await using page = await newPage()
      await page.setContent(html)
      return await page.innerText('body')
    },
    async show(html, hostContext = {}) {
      const page = await newPage()
      const transport: Transport = {
        start: () => Promise.resolve(),
        send: (message) => page.evaluate(`toFrame(${JSON.stringify(message)})`),
        close: () => page.close(),
      }
      await page.addInitScript(watch)
      await page.exposeFunction('toHost', (message: JSONRPCMessage) =>
        transport.onmessage?.(message),
      )
      const bridge = new AppBridge(null, { name: 'host', version: '1' }, {}, { hostContext })
      const ready = Promise.withResolvers<void>()
      bridge.addEventListener('sandboxready', () => void bridge.sendSandboxResourceReady({ html }))
      bridge.addEventListener('initialized', () => ready.resolve())
      await bridge.connect(transport)
      await page.goto(`http://127.0.0.1:${port}/host`)
      const evaluate = async (expression: string): Promise<unknown> => {
        const frame = page.frames().find((it) => it.parentFrame()?.parentFrame())
        return frame?.evaluate(expression)
      }
      // any request is answered in its turn
      const settled = async () => void (await bridge.teardownResource({}))
      return {
        bridge,
        evaluate,
        settled,
        give: async (result) => {
          await ready.promise
          await bridge.sendToolResult({ ...result })
        },
        giveAll: async (results) => {
          await ready.promise
          await evaluate(record)
          for (const result of results) await bridge.sendToolResult({ ...result })
          await settled()
          return (await evaluate('drawings')) as Drawing[] // what `record` has put there
        },
        // the expression returns a Drawing
        drawing: async () => (await evaluate(drawing)) as Drawing,
        // what `watch` has put there
        seen: async () => (await evaluate('seen')) as { violations: string[]; ran: number },
        [Symbol.asyncDispose]: () => page.close(),
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function servePages(opened: AsyncDisposableStack, hits: string[]): Promise<number> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (url === '/host') response.end(hostPage(`http://localhost:${port}/sandbox`))
    else if (url === '/sandbox')
      response.setHeader('content-security-policy', policy).end(sandboxPage)
    else {
      hits.push(url)
      response.writeHead(404).end()
    }
  })
  const { port } = opened.use(await listen(server))
  return port
}
