import type { Page, Request, Response } from 'playwright-core'
import { bytesOf } from './bytes-of.ts'

/** What one answer costs on its way to a browser. */
export interface Cost {
  /** The file without its digest, or the path of a call without its ids. */
  what: string
  bytes: number
  /** It was asked for before the page was there with all that it reads. */
  isEarly: boolean
}

export interface Costs {
  /** Those that are answered; the feed is one of them, and has no end. */
  all: (folder: string) => Promise<Cost[]>
  /** How many are on their way, but for the feed. */
  pending: () => number
}

/** What the page asks for from now on. */
export function costsOf(page: Page): Costs {
  const responses: Response[] = []
  const pending = new Set<Request>()
  const isFeed = (url: string) => new URL(url).pathname.endsWith('/feed')
  page.on('request', (request) => {
    if (!isFeed(request.url())) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  page.on('response', (response) => responses.push(response))
  return {
    pending: () => pending.size,
    async all(folder) {
      const settledAt = await page.evaluate<number>(
        `performance.timeOrigin + (performance.getEntriesByName('svc:settled')[0]?.startTime ?? Infinity)`,
      )
      return Promise.all(
        responses.map(async (response) => ({
          what: nameOf(response),
          bytes: await bytesOf(response, folder),
          isEarly: response.request().timing().startTime < settledAt,
        })),
      )
    },
  }
}

export function bytesIn(costs: readonly Cost[]): number {
  return costs.reduce((sum, { bytes }) => sum + bytes, 0)
}

function nameOf(response: Response): string {
  return new URL(response.url()).pathname
    .replace(/-[\w-]{8}(\.\w+)$/, '$1')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
}
