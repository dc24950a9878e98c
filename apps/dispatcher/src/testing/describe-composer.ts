import { composeDue } from '@svc/domain/deliveries/compose-due'
import { expect } from 'vitest'
import { says, sends } from './composer-server.ts'
import { deterministic, test } from './composing-world.ts'

export const never = new AbortController().signal
export const composed = { status: 'composed', markdown: '# Composed' }
export const composing = { status: 'composing', markdown: deterministic }

/** What a composer may do in place of composing. */
const failures = {
  'is asked too often': sends('{}', 429),
  fails: sends('{}', 500),
  'leads elsewhere': sends('', 307, { location: '/v1/chat/completions' }),
  'answers no JSON': sends('{"choices": ['),
  'answers another JSON': sends('{"choices": []}'),
  'says nothing': says(''),
  refuses: says(null),
  'is cut short': says('# Half', 'length'),
  'says too much': says('x'.repeat(65_537)),
  'sends without end': sends('x'.repeat(5_000_000)),
} as const

export type Failure = keyof typeof failures
// the keys of an object literal are its key type
export const failureNames = Object.keys(failures) as Failure[]

/** That these are met by asking again. */
export function asksAgain(names: readonly Failure[]) {
  test.for(names)(
    '%s is asked again later, and the delivery stays as it is',
    async (name, { composing: at, world }) => {
      const { read } = await at.deliver()
      at.server.answer(failures[name])
      await at.drain()
      expect(await read()).toEqual(composing)
      expect(at.server.asked).toHaveLength(1)

      at.server.answer(says('# Composed'))
      await world.advance(31)
      await at.drain()
      expect(await read()).toEqual(composed)
    },
  )
}

const slow = {
  'never answers': () => undefined,
  'answers a byte at a time': (response: NodeJS.WritableStream) => {
    const dripping = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(dripping))
  },
} as const

export function waitsOnlySoLong(names: readonly (keyof typeof slow)[]) {
  test.for(names)('%s is waited for only so long', async (name, { composing: at, world }) => {
    const { read } = await at.deliver()
    at.server.answer(slow[name])
    await composeDue(world.domain, at.server.composer(300), never)
    expect(await read()).toEqual(composing)

    at.server.answer(says('# Composed'))
    await world.advance(31)
    await at.drain()
    expect(await read()).toEqual(composed)
  })
}
