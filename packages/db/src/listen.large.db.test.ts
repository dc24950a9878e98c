import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { listen } from './listen.ts'

const { url } = inject('postgres')
const channels = ['svc_test_one', 'svc_test_"two"']

/** What is heard, as it comes; `next` waits for it. */
function hearing() {
  const heard: string[] = []
  let wake = () => undefined as void
  const errors: Error[] = []
  const listener = listen({
    url,
    channels,
    onNotify: (channel, payload) => {
      heard.push(`${channel} ${payload}`)
      wake()
    },
    onError: (error) => errors.push(error),
  })
  const until = async (expected: string) => {
    while (!heard.includes(expected)) await new Promise<void>((resolve) => (wake = resolve))
  }
  return { heard, errors, until, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() }
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Told until it is heard: a listener that is only connecting misses what comes before. */
async function notify(
  client: pg.Client,
  channel: string,
  payload: string,
  heard: Promise<void>,
): Promise<void> {
  let done = false
  const waited = heard.then(() => (done = true))
  while (!done) {
    await client.query('select pg_notify($1, $2)', [channel, payload])
    await Promise.race([waited, new Promise((resolve) => setTimeout(resolve, 20))])
  }
}

/** Backends of this test's listeners, told by the last statement that they ran. */
const listeners = `select pid from pg_stat_activity where query like 'listen "svc_test%' and state = 'idle'`

test('hears every channel, and comes back when its connection is cut', async () => {
  await using hub = hearing()
  await withClient(async (client) => {
    for (const channel of channels)
      await notify(client, channel, 'first', hub.until(`${channel} first`))

    // it may still be on its way from what it told last to being idle
    const cut = `select pg_terminate_backend(pid) from (${listeners}) one`
    await expect.poll(async () => (await client.query(cut)).rowCount).toBe(1)
    // until it has ended it hears what is told, as the next one does
    await expect.poll(() => hub.errors).not.toEqual([])

    for (const channel of channels)
      await notify(client, channel, 'again', hub.until(`${channel} again`))
  })
})

test('leaves no connection behind when it is closed', async () => {
  const hub = hearing()
  await withClient(async (client) => {
    await notify(client, 'svc_test_one', 'x', hub.until('svc_test_one x'))
    await hub[Symbol.asyncDispose]()
    await expect.poll(async () => (await client.query(listeners)).rowCount).toBe(0)
  })
})

test('tries on while there is no server, and can be closed meanwhile', async () => {
  const failed = Promise.withResolvers<Error>()
  const listener = listen({
    url: 'postgres://svc@127.0.0.1:1/none',
    channels,
    onNotify: () => undefined,
    onError: failed.resolve,
  })
  expect(await failed.promise).toBeInstanceOf(Error)
  await listener[Symbol.asyncDispose]()
})
