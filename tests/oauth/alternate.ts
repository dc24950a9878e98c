import { createServer, request } from 'node:http'
import { listen } from '@svc/testing/listen'

export interface Alternation extends AsyncDisposable {
  url: string
  /** Requests go to these, to each in its turn. */
  ports: number[]
}

/** What stands before several processes of the service and sends no two requests in a row to the same one. */
export async function alternate(): Promise<Alternation> {
  const ports: number[] = []
  let turn = 0
  const server = createServer((asked, answer) => {
    turn += 1
    const { method = 'GET', url = '/', headers } = asked
    const port = ports[turn % ports.length]
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(answer)
    })
    sent.on('error', () => answer.writeHead(502).end())
    asked.pipe(sent)
  })
  return { ...(await listen(server)), ports }
}
