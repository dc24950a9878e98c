import { describe, expect, test } from 'vitest'
import { readableLine } from './event-text.ts'

const read = (event: object) => readableLine(JSON.stringify(event))
const said = (...content: object[]) => ({ type: 'assistant', message: { content } })

describe('a line that an agent printed', () => {
  test.each([
    [said({ type: 'text', text: 'I begin.' }), 'I begin.'],
    [said({ type: 'thinking', thinking: 'hm' }), undefined],
    [said({ type: 'tool_use', name: 'Bash', input: { command: 'npm test' } }), '> Bash: npm test'],
    [
      said(
        { type: 'text', text: 'I edit.' },
        { type: 'tool_use', name: 'Edit', input: { file_path: 'a.ts', old_string: 'x' } },
      ),
      'I edit.\n> Edit: a.ts',
    ],
    [{ type: 'system', subtype: 'init', model: 'opus' }, 'Started with opus.'],
    [{ type: 'result', is_error: false, result: 'done' }, undefined],
    [{ type: 'result', is_error: true, result: 'Not logged in' }, 'error: Not logged in'],
    [
      {
        type: 'user',
        message: {
          content: [
            { type: 'tool_result', is_error: true, content: 'This command requires approval' },
          ],
        },
      },
      'error: This command requires approval',
    ],
  ])('of Claude Code is shown as text: %j', (event, text) => {
    expect(read(event)).toBe(text)
  })

  test.each([
    [{ type: 'thread.started', thread_id: 't' }, undefined],
    [{ type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } }, 'Done.'],
    [
      {
        type: 'item.completed',
        item: { type: 'command_execution', command: 'make', exit_code: 2 },
      },
      '> make (exit code 2)',
    ],
    [
      {
        type: 'item.completed',
        item: { type: 'file_change', changes: [{ path: 'a' }, { path: 'b' }] },
      },
      '> changed a, b',
    ],
    [{ type: 'error', message: 'Reconnecting... 1/5' }, 'error: Reconnecting... 1/5'],
    [{ type: 'turn.failed', error: { message: '401' } }, 'error: 401'],
  ])('of Codex is shown as text: %j', (event, text) => {
    expect(read(event)).toBe(text)
  })

  const updated = (update: object) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { update },
  })

  test.each([
    [
      updated({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.\n' } }),
      'Done.',
    ],
    [updated({ sessionUpdate: 'agent_thought_chunk', content: { text: 'hm' } }), undefined],
    [updated({ sessionUpdate: 'tool_call', title: 'npm test', status: 'pending' }), '> npm test'],
    [updated({ sessionUpdate: 'tool_call_update', status: 'completed' }), undefined],
    [
      updated({ sessionUpdate: 'tool_call_update', status: 'failed', title: 'npm test' }),
      'error: npm test',
    ],
    [
      updated({
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', status: 'completed' },
          { content: 'Write', status: 'in_progress' },
          { content: 'Test', status: 'pending' },
        ],
      }),
      '[x] Look\n[>] Write\n[ ] Test',
    ],
    [updated({ sessionUpdate: 'usage_update', used: 1 }), undefined],
    [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'session/request_permission',
        params: { toolCall: { title: 'npm i' } },
      },
      '? npm i',
    ],
    [{ jsonrpc: '2.0', id: 1, result: { stopReason: 'end_turn' } }, undefined],
    [{ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Sign in' } }, 'error: Sign in'],
    [{ jsonrpc: '2.0', id: 0, method: 'initialize', params: [] }, undefined],
  ])('of the Agent Client Protocol is shown as text: %j', (event, shown) => {
    expect(read(event)).toBe(shown)
  })

  test.each(['plain', '', '{"type":"result"', '{"level":"info"}', '{"type":"toString"}', '[1]'])(
    'of anything else is left as it is: %j',
    (line) => {
      expect(readableLine(line)).toBe(line)
    },
  )

  test.each([
    { type: 'assistant' },
    { type: 'item.completed', item: [] },
    { type: 'user', message: 1 },
  ])('that has another form than expected breaks nothing: %j', (event) => {
    expect(read(event)).toBeUndefined()
  })
})
