import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { query, serverIn, useDatabaseFolder } from './testing/server.ts'
import { processesNaming } from './testing/processes-naming.ts'

const { start } = useDatabaseFolder()

describe('a start that is interrupted', () => {
  test('while the server does not answer yet ends the server, and the next start answers', async () => {
    const first = await start()
    await first.stop()
    // A standby that answers nobody, waiting for a primary that never comes.
    const standby = join(first.location, 'cluster', 'data', 'standby.signal')
    const settings = { hot_standby: 'off' }
    writeFileSync(standby, '')
    const interrupt = new AbortController()
    const starting = start({ settings, signal: interrupt.signal })
    const isWaiting = () => readFileSync(join(first.location, 'postgres.log'), 'utf8')
    await expect.poll(isWaiting).toContain('entering standby mode')
    interrupt.abort(new Error('interrupted'))
    await expect(starting).rejects.toThrow('interrupted')
    expect(serverIn(first.location)).toBeUndefined()
    expect(processesNaming(first.location)).toEqual([])
    rmSync(standby)
    expect(await query(await start(), 'select 1')).toEqual([[1]])
  })
})

test('a stop that waits is hastened, and nothing is lost', async () => {
  const server = await start()
  await query(server, 'create table hastened as select generate_series(1, 10) as n')
  // A server that is stopped takes no signal but the hard one.
  process.kill(server.pid, 'SIGSTOP')
  const stopping = server.stop()
  await server.stopNow()
  await stopping
  expect(processesNaming(server.location)).toEqual([])
  expect(await query(await start(), 'select count(*)::int from hastened')).toEqual([[10]])
})
