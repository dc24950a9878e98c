import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const otherMachine = new URL('testing/other-interfaces.ts', import.meta.url)

test('a public address of this very machine is not reached', async () => {
  const own = '93.184.216.34'
  const asked = [own, `::ffff:${own}`, '93.184.216.35']
  const thread = new Worker(otherMachine, { workerData: [own, asked] })
  expect(await once(thread, 'message')).toEqual([[false, false, true]])
  await thread.terminate()
})
