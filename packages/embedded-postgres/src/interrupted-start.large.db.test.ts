import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { query, useDatabaseFolder } from './testing/server.ts'
import { processesNaming } from './testing/processes-naming.ts'

const { path, start } = useDatabaseFolder()

describe('a start that is interrupted', () => {
  test('while the database is made leaves no process, and the next start makes it', async () => {
    const at = path('new')
    const interrupt = new AbortController()
    const starting = start({ at, signal: interrupt.signal })
    const isMade = () =>
      readdirSync(join(at, 'cluster')).some((name) => name.startsWith('data.init'))
    await expect.poll(isMade).toBe(true)
    interrupt.abort(new Error('interrupted'))
    await expect(starting).rejects.toThrow('interrupted')
    expect(processesNaming(at)).toEqual([])
    expect(await query(await start({ at }), 'select 1')).toEqual([[1]])
  })
})
