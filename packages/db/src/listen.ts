import pg from 'pg'

export interface Listener extends AsyncDisposable {}

export interface ListenOptions {
  url: string
  channels: readonly string[]
  onNotify: (channel: string, payload: string) => void
  onError: (error: Error) => void
}

const reconnectMs = 1_000

/** One connection that listens, and is opened again whenever it ends. A hint lost meanwhile costs a poll. */
export function listen(options: ListenOptions): Listener {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const opened = new pg.Client({ connectionString: options.url, keepAlive: true })
    client = opened
    opened.on('error', options.onError)
    // after a failed connect pg emits `end` alone, so this one event covers every way to lose it
    opened.on('end', () => {
      if (!closed) timer = setTimeout(() => void connect(), reconnectMs)
    })
    opened.on('notification', (message) => options.onNotify(message.channel, message.payload ?? ''))
    try {
      await opened.connect()
      for (const channel of options.channels) {
        await opened.query(`listen ${opened.escapeIdentifier(channel)}`)
      }
    } catch (error) {
      options.onError(error instanceof Error ? error : new Error(String(error)))
      await opened.end().catch(() => undefined)
    }
  }
  void connect()

  return {
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
