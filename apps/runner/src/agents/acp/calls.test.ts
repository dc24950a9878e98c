import { expect, test } from 'vitest'
import { rememberCalls } from './calls.ts'

function saying(toolCallId: string, said: object) {
  const update = { sessionUpdate: 'tool_call_update', toolCallId, ...said }
  return { jsonrpc: '2.0', method: 'session/update', params: { update } }
}

test('what is said of a call is put together until it is over', () => {
  const calls = rememberCalls()
  calls.heard(saying('1', { kind: 'execute', title: 'ls' }))
  calls.heard(saying('1', { title: null, rawInput: { command: 'ls' } }))
  expect(calls.find('1')).toMatchObject({
    kind: 'execute',
    title: 'ls',
    rawInput: { command: 'ls' },
  })
  calls.heard(saying('1', { status: 'completed' }))
  expect(calls.find('1')).toEqual({})
})

test(
  'of calls that are never over no more is kept than so many, and so much',
  { tags: 'large' },
  () => {
    const calls = rememberCalls()
    const page = 'x'.repeat(15 * 1024 * 1024)
    for (const id of ['1', '2', '3']) calls.heard(saying(id, { title: id, content: page }))
    expect(['1', '2', '3'].map((id) => calls.find(id)['title'])).toEqual([undefined, '2', '3'])
    for (let at = 0; at < 300; at += 1) calls.heard(saying(`small-${at}`, { title: 'x' }))
    expect([calls.find('3'), calls.find('small-99')]).toEqual([{}, {}])
    expect(calls.find('small-100')['title']).toBe('x')
  },
)
