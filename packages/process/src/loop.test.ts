import { describe, expect, test } from 'vitest'
import { createLog } from './log.ts'
import { backoffMs, startLoop } from './loop.ts'

const log = createLog({ name: 'test', level: 'silent' })
const never = 3_600_000

/** A loop whose passes can be awaited one by one. */
function countedLoop(run: (pass: number) => Promise<unknown>, everyMs = never) {
  let passes = 0
  const waiting = new Map<number, () => void>()
  /** Resolves with the number of the pass once it has begun. */
  const reached = (pass: number) =>
    new Promise<number>((resolve) => {
      if (passes >= pass) resolve(pass)
      else waiting.set(pass, () => resolve(pass))
    })
  const loop = startLoop({
    name: 'test',
    everyMs,
    log,
    run: async () => {
      passes += 1
      waiting.get(passes)?.()
      return run(passes)
    },
  })
  return { loop, reached, passes: () => passes }
}

describe('a loop', () => {
  test('runs again and again', async () => {
    const { loop, reached } = countedLoop(async () => 0, 1)
    expect(await reached(3)).toBe(3)
    await loop[Symbol.asyncDispose]()
  })

  test('runs when it is woken', async () => {
    const { loop, reached } = countedLoop(async () => 0)
    await reached(1)
    loop.wake()
    expect(await reached(2)).toBe(2)
    await loop[Symbol.asyncDispose]()
  })

  test('does not lose a wake that comes during a pass', async () => {
    const { loop, reached } = countedLoop(async (pass) => {
      if (pass === 1) loop.wake()
    })
    expect(await reached(2)).toBe(2)
    await loop[Symbol.asyncDispose]()
  })

  test('goes on at once while there is something to do', async () => {
    const { loop, reached } = countedLoop(async (pass) => (pass < 4 ? 1 : 0))
    expect(await reached(4)).toBe(4)
    await loop[Symbol.asyncDispose]()
  })

  test('survives an error', async () => {
    const { loop, reached } = countedLoop(async (pass) => {
      if (pass === 1) throw new Error('the database is away')
    }, 1)
    expect(await reached(3)).toBe(3)
    await loop[Symbol.asyncDispose]()
  })

  test('never overlaps its passes, drained or not', async () => {
    let running = 0
    let most = 0
    const { loop, reached } = countedLoop(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running -= 1
    }, 1)
    await Promise.all([loop.drain(), loop.drain(), loop.drain(), reached(6)])
    await loop[Symbol.asyncDispose]()
    expect(most).toBe(1)
  })

  test('drains until a pass finds nothing', async () => {
    let due = 5
    const { loop, reached } = countedLoop(async (pass) => (pass > 1 && due > 0 ? due-- : 0))
    await reached(1)
    await loop.drain()
    expect(due).toBe(0)
    await loop[Symbol.asyncDispose]()
  })

  test('tells who drains it that a pass failed', async () => {
    const { loop, reached } = countedLoop(async (pass) => {
      if (pass > 1) throw new Error('refused')
    })
    await reached(1)
    await expect(loop.drain()).rejects.toThrow('refused')
    await loop[Symbol.asyncDispose]()
  })

  test('ends its running pass before it has stopped, and runs no more', async () => {
    let ended = false
    const { loop, reached, passes } = countedLoop(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      ended = true
    })
    await reached(1)
    await loop[Symbol.asyncDispose]()
    loop.wake()
    await loop.drain()
    expect(ended).toBe(true)
    expect(passes()).toBe(1)
  })
})

test('failures space out from 0.2 to 5 seconds', () => {
  expect([1, 2, 3, 4, 5, 6, 40].map(backoffMs)).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
})
