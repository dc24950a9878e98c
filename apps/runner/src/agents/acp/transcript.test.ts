import { expect, test } from 'vitest'
import { secretSpellings } from '../../output/secrets.ts'
import { readLines } from './lines.ts'
import type { Message } from './message.ts'
import { openTranscript } from './transcript.ts'

const secret = 'correct-horse-battery-staple'
const spellings = secretSpellings({ MY_PASSWORD: secret })

function record() {
  const lines: string[] = []
  let spoken = ''
  const transcript = openTranscript(
    { spellings, briefing: '# The briefing' },
    { write: (text) => lines.push(text), onSpoken: (text) => (spoken += text) },
  )
  return { transcript, log: () => lines.join(''), spoken: () => spoken }
}

const updated = (update: object): Message => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update },
})
const chunk = (text: string, sessionUpdate = 'agent_message_chunk') =>
  updated({ sessionUpdate, content: { type: 'text', text } })

test('a secret is masked however it is cut into pieces, and whatever is sent in between', () => {
  const { transcript, log, spoken } = record()
  for (const character of `It is ${secret}. All.`) {
    transcript.heard(chunk(character))
    transcript.heard(updated({ sessionUpdate: 'usage_update', used: 1, size: 2 }))
  }
  transcript.heard(chunk('hm', 'agent_thought_chunk'))
  transcript.end()
  expect(spoken()).toBe('It is [masked]. All.\n')
  expect(log()).toContain('"text":"It is [masked]. All."')
  expect(log()).toContain('"sessionUpdate":"agent_thought_chunk"')
})

test('a secret is masked wherever it stands in a message, and a long text is cut behind that', () => {
  const { transcript, log } = record()
  const text = `${'x'.repeat(7_996)}${secret}`
  transcript.heard({ jsonrpc: '2.0', id: 1, result: { text, _meta: { [secret]: [secret] } } })
  transcript.printed(`export MY_PASSWORD=${secret}`)
  transcript.end()
  expect(log()).not.toMatch(/correct|staple/)
  expect(log()).toContain('… [cut]')
  expect(log()).toContain('export MY_PASSWORD=[masked]\n')
})

test('what is said is shown line by line, and the briefing is named and not repeated', () => {
  const { transcript, log } = record()
  transcript.heard(chunk('One.\nTw'))
  transcript.heard(updated({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'ls' }))
  expect(log()).toContain('"text":"One.\\n"')
  expect(log().indexOf('"text":"Tw"')).toBeLessThan(log().indexOf('"title":"ls"'))
  const prompt = [{ type: 'text', text: '# The briefing' }]
  transcript.said({ jsonrpc: '2.0', id: 2, method: 'session/prompt', params: { prompt } })
  expect(log()).toContain('"text":"<briefing>"')
})

test('lines come whole however they are cut, and one beyond all bounds is left out', () => {
  const lines: string[] = []
  const { push, end } = readLines(
    (line) => lines.push(line),
    () => lines.push('<left out>'),
    10,
  )
  for (const byte of Buffer.from('ä one\r\n\n12345678901\ntwo')) push(Buffer.from([byte]))
  end()
  expect(lines).toEqual(['ä one', '<left out>', 'two'])
})
