import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { listen } from '@svc/testing/listen'
import { selfSigned } from './self-signed.ts'

export interface SecureClient extends AsyncDisposable {
  origin: string
  /** What it was asked for. */
  requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
}

/** A client that has a site of its own, by https; it answers everything with a page, or sends the browser on. */
export async function openSecureClient(sendsOnTo?: string): Promise<SecureClient> {
  const requests: SecureClient['requests'] = []
  const server = createServer(selfSigned(), (request, response) => {
    requests.push(request)
    if (sendsOnTo !== undefined) response.writeHead(307, { location: sendsOnTo })
    else response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<link rel="icon" href="data:,">Here.')
  })
  const listening = await listen(server)
  return { ...listening, origin: `https://127.0.0.1:${listening.port}`, requests }
}
