import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readStat } from './process-identity.ts'
import { query, serverIn, useDatabaseFolder } from './testing/server.ts'

const { path, start } = useDatabaseFolder()

describe('the server of a starter that was killed', () => {
  /** Starts it in another process and kills that with -9. */
  async function leaveBehind(): Promise<void> {
    const module = JSON.stringify(new URL('start.ts', import.meta.url).href)
    const code = `import { startPostgres } from ${module}
      await startPostgres({ folder: ${JSON.stringify(path('database'))} })
      console.log('up')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  test('is taken over, seen to close, and stopped like one of our own', async () => {
    await leaveBehind()
    const left = serverIn(path('database'))
    const server = await start()
    expect(server.adopted).toBe(true)
    expect(server.pid).toBe(left?.pid)
    expect(await query(server, 'select 1')).toEqual([[1]])
    await server.stop()
    await server.closed
    expect(serverIn(path('database'))).toBeUndefined()
  })

  test('is started anew when other settings are wanted', async () => {
    await leaveBehind()
    const left = serverIn(path('database'))
    const server = await start({ settings: { work_mem: '8MB' } })
    expect(server.adopted).toBe(false)
    expect(server.pid).not.toBe(left?.pid)
    expect(await query(server, 'show work_mem')).toEqual([['8MB']])
  })
})

describe.skipIf(process.platform !== 'linux')('a killed server that nobody reaps', () => {
  /** Starts the same server below a process that never asks how its children ended. */
  async function startUnreaped(): Promise<ChildProcess> {
    const first = await start()
    const command = readFileSync(`/proc/${first.pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    await first.stop()
    const { uid, gid } = statSync(join(first.location, 'cluster', 'data'))
    const script = '"$@" >/dev/null 2>&1 & exec sleep 600'
    const parent = spawn('sh', ['-c', script, 'sh', ...command], { uid, gid, cwd: '/' })
    await expect.poll(() => serverIn(first.location)).toBeDefined()
    return parent
  }

  test('does not prevent the next start', async () => {
    const parent = await startUnreaped()
    try {
      const server = await start()
      expect(server.adopted).toBe(true)
      process.kill(server.pid, 'SIGKILL')
      await server.closed
      expect(readStat(server.pid)).toMatchObject({ name: 'postgres', state: 'Z' })
      await server.stop()
      expect(await query(await start(), 'select 1')).toEqual([[1]])
      expect(readStat(server.pid)).toMatchObject({ state: 'Z' })
    } finally {
      parent.kill('SIGKILL')
    }
  })
})
