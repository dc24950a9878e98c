import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { query, useDatabaseFolder } from './testing/server.ts'

const { path, start } = useDatabaseFolder()

describe('refusals', () => {
  test('of starts by several processes at the same moment one at most succeeds', async () => {
    const first = await start()
    await first.stop()
    const module = JSON.stringify(new URL('lock.ts', import.meta.url).href)
    const code = `import { acquireLock } from ${module}
      try { await acquireLock(${JSON.stringify(first.location)}); console.log('got'); process.stdin.resume() }
      catch (error) { console.log(error.code) }`
    const started = [1, 2, 3].map(() => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code])
      return { child, answered: once(child.stdout, 'data'), ended: once(child, 'exit') }
    })
    const said = await Promise.all(started.map(({ answered }) => answered))
    const answers = said.map(([answer]) => String(answer).trim())
    // who got it holds it until the last has asked
    for (const { child } of started) child.stdin.end()
    await Promise.all(started.map(({ ended }) => ended))
    expect(answers.filter((answer) => answer === 'got').length).toBeLessThanOrEqual(1)
    expect(answers).toContain('locked')
    expect(await query(await start(), 'select 1')).toEqual([[1]])
    expect(readdirSync(first.location).filter((name) => name.startsWith('lock.'))).toHaveLength(1)
  })

  test('a folder that cannot be written is named', async () => {
    writeFileSync(path('file'), '')
    await expect(start({ at: path('file', 'below') })).rejects.toMatchObject({
      code: 'folder_not_writable',
      message: expect.stringContaining(path('file', 'below')),
    })
  })
})
