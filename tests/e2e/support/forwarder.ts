import { type Socket, connect, createServer } from 'node:net'
import { listen } from '@svc/testing/listen'

/** What an operator's virtual address is: one place to connect to, whichever server stands behind it. */
export interface Forwarder extends AsyncDisposable {
  readonly port: number
  /** From now on connections go there; those that are open are cut. */
  lead: (port: number) => void
}

export async function openForwarder(): Promise<Forwarder> {
  const pairs = new Set<Socket>()
  let target: number | undefined
  const server = createServer((incoming) => {
    if (target === undefined) return void incoming.destroy()
    const outgoing = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.setNoDelay()
      pairs.add(one)
      one.on('error', () => other.destroy())
      one.once('close', () => {
        pairs.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const { port, [Symbol.asyncDispose]: close } = await listen(server)
  const cut = () => pairs.forEach((socket) => socket.destroy())
  return {
    port,
    lead(to) {
      target = to
      cut()
    },
    async [Symbol.asyncDispose]() {
      cut()
      await close()
    },
  }
}
