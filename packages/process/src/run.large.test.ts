import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { children, start } from './testing/run-process.ts'

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

describe('a process', () => {
  test('still does on a second signal what was asked for, before it ends at once', async () => {
    const { child, ended, said } = start(`
      for (const name of ['one', 'other']) onSecondSignal(() => thing(name, 100)[Symbol.asyncDispose]())
      await open(() => thing('stuck', 60000))
      say('up')
      setInterval(() => {}, 1000)`)
    await said('up')
    child.kill('SIGTERM')
    await said('closing stuck')
    await delay(1_100)
    child.kill('SIGTERM')
    const { code, output } = await ended
    expect(code).toBe(143)
    expect(output).toBe('up\nclosing stuck\nclosing one\nclosing other\nclosed one\nclosed other\n')
  })

  test('does not wait on a third signal', async () => {
    const { child, ended, said } = start(`
      onSecondSignal(() => { say('asked'); return forever() })
      await open(() => thing('stuck', 60000))
      say('up')
      setInterval(() => {}, 1000)`)
    await said('up')
    child.kill('SIGINT')
    await delay(1_100)
    child.kill('SIGINT')
    await said('asked')
    await delay(1_100)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, output: 'up\nclosing stuck\nasked\n' })
  })
})
