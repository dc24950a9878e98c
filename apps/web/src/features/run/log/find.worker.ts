import { createBrowserClient } from '@svc/client/browser'
import { type FindAsked, type FindSaid, mostHits } from './find-messages.ts'
import { readerOf } from './read-log.ts'
import { searchLog } from './search.ts'

// Looks through a log while the page goes on: none of it is handed to the page but where something was found.

let current = new AbortController()

async function look(asked: FindAsked, signal: AbortSignal): Promise<void> {
  const say = (said: FindSaid) => {
    if (!signal.aborted) postMessage(said)
  }
  const { call } = createBrowserClient({ workspace: asked.workspace })
  try {
    let left = mostHits
    for await (const found of searchLog(readerOf(call, asked.run), asked, signal)) {
      const hits = found.hits.slice(-left)
      say({ type: 'found', asked, ...found, hits })
      left -= hits.length
      if (left === 0) return say({ type: 'done', asked, isCut: true })
    }
    say({ type: 'done', asked, isCut: false })
  } catch (error) {
    say({ type: 'failed', asked, message: error instanceof Error ? error.message : String(error) })
  }
}

addEventListener('message', ({ data }: MessageEvent<FindAsked>) => {
  current.abort()
  current = new AbortController()
  void look(data, current.signal)
})
