import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { children, prelude, start } from './testing/run-process.ts'

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

describe('a process', () => {
  test(
    'ends with the code of its finished work and closes what it opened, last first',
    { tags: 'large' },
    async () => {
      const { ended } = start(`
      await open(() => thing('a'))
      await open(() => thing('b'))
      return 7`)
      const { code, output } = await ended
      expect(code).toBe(7)
      expect(output).toBe('closing b\nclosed b\nclosing a\nclosed a\n')
    },
  )

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'that is up ends with 0 on %s',
    { tags: 'large' },
    async (signal) => {
      const { child, ended, said } = start(
        `await open(() => thing('server')); say('up'); setInterval(() => {}, 1000)`,
      )
      await said('up')
      child.kill(signal)
      expect(await ended).toMatchObject({ code: 0, output: 'up\nclosing server\nclosed server\n' })
    },
  )

  test('that is interrupted in its work says so by its exit code', { tags: 'large' }, async () => {
    const { child, ended, said } = start(
      `await open(() => thing('work')); say('busy'); await forever()`,
    )
    await said('busy')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
  })

  test('counts signals within a second as one', { tags: 'large' }, async () => {
    const { child, ended, said } = start(
      `await open(() => thing('slow', 400)); say('up'); setInterval(() => {}, 1000)`,
    )
    await said('up')
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await delay(100)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, output: 'up\nclosing slow\nclosed slow\n' })
  })

  test('takes no terminal for closed twice', { tags: 'large' }, async () => {
    const { child, ended, said } = start(
      `await open(() => thing('slow', 1500)); say('up'); setInterval(() => {}, 1000)`,
    )
    await said('up')
    child.kill('SIGHUP')
    await said('closing slow')
    await delay(1_100)
    child.kill('SIGHUP')
    expect(await ended).toMatchObject({ code: 0, output: 'up\nclosing slow\nclosed slow\n' })
  })

  test('ends at once on a second signal', { tags: 'large' }, async () => {
    const { child, ended, said } = start(
      `await open(() => thing('stuck', 60000)); say('up'); setInterval(() => {}, 1000)`,
    )
    await said('up')
    child.kill('SIGTERM')
    await said('closing stuck')
    await delay(1_100)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, output: 'up\nclosing stuck\n' })
  })

  test('whose reader has gone works on, and stops in order', async () => {
    const { child, ended, said } = start(
      `
      await open(() => thing('server'))
      setInterval(() => { say('still up'); log.info('still up') }, 10)`,
      { SVC_LOG_LEVEL: 'info' },
    )
    await said('still up')
    child.stdout.destroy()
    child.stderr.destroy()
    await delay(300)
    child.kill('SIGHUP')
    expect(await ended).toMatchObject({ code: 0 })
  })

  test(
    'closes what is up and what is just opening when a signal comes during start-up',
    { tags: 'large' },
    async () => {
      const { child, ended, said } = start(`
      await open(() => thing('database'))
      say('starting')
      await open(async () => {
        while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10))
        return thing('server')
      })
      say('never said')
      await open(() => thing('never opened'))`)
      await said('starting')
      child.kill('SIGTERM')
      const { code, output } = await ended
      expect(code).toBe(143)
      expect(output).toBe(
        'starting\nclosing server\nclosed server\nclosing database\nclosed database\n',
      )
    },
  )

  test(
    'ends with 78 and one sentence when its configuration is bad',
    { tags: 'large' },
    async () => {
      const { ended } = start(`throw new ConfigurationError('SVC_PORT: give a whole number')`)
      const { code, errors } = await ended
      expect(code).toBe(78)
      expect(errors).toContain('SVC_PORT: give a whole number')
      expect(errors).not.toContain('at ')
    },
  )

  test(
    'ends with 78 before it starts when a variable of every process is bad',
    { tags: 'large' },
    async () => {
      const { ended } = start(`await open(() => thing('never'))`, { SVC_LOG_LEVEL: 'loud' })
      const { code, output, errors } = await ended
      expect([code, output]).toEqual([78, ''])
      expect(errors).toContain('SVC_LOG_LEVEL')
    },
  )

  test('ends with 1 when it fails, and still closes what is open', { tags: 'large' }, async () => {
    const { ended } = start(`await open(() => thing('a')); throw new Error('broken')`)
    expect(await ended).toMatchObject({ code: 1, output: 'closing a\nclosed a\n' })
  })

  test(
    'ends with 1 on an error that nobody caught, and still closes what is open',
    { tags: 'large' },
    async () => {
      const { ended } = start(
        `await open(() => thing('a')); void Promise.reject(new Error('lost'))`,
      )
      const { code, output, errors } = await ended
      expect(code).toBe(1)
      expect(output).toBe('closing a\nclosed a\n')
      expect(errors).toContain('lost')
    },
  )

  test('that watches its parent stops when the parent is gone', { tags: 'large' }, async () => {
    const grandchild = `${prelude}; run('test', async ({ open }) => { await open(() => thing('child')); say('up'); setInterval(() => {}, 1000) })`
    const { child, ended, said } = start(`
      const { spawn } = await import('node:child_process')
      spawn(process.execPath, ['--input-type=module', '--eval', ${JSON.stringify(grandchild)}], {
        stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, SVC_PARENT_WATCH: '1' } })
      await forever()`)
    await said('up')
    child.kill('SIGKILL')
    // `close` waits for the grandchild too: it holds the same output open.
    expect((await ended).output).toBe('up\nclosing child\nclosed child\n')
  })
})
