import { readFileSync } from 'node:fs'
import { addUsage } from '@svc/contracts/usage'
import { openHearing } from '@svc/runner/agents/acp/hear'
import { objectOf } from '@svc/runner/agents/acp/message'
import { readOutputEvents } from '@svc/runner/agents/output-events'
import type { Adapter } from '@svc/runner/agents/adapter'
import { builtInAdapters } from '@svc/runner/agents/rows'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { optionsOf } from './agents/flags.ts'
import { type Part, type Recording, readRecordings } from './agents/recording.ts'
import { parseSaid } from './agents/said.ts'
import { tools } from './agents/tools/all.ts'

const recordings = readRecordings()

/** A module of the bootstrap, which has no types. */
const { agentTools } = z
  .object({ agentTools: z.array(z.object({ name: z.string(), version: z.string() })) })
  .parse(await import(new URL('../scripts/bootstrap/agent-tools.mjs', import.meta.url).href))

test('every agent that is tried was recorded, in the version that is installed for it', () => {
  const installed = tools.map(({ key, installs }) => [
    key,
    agentTools.find(({ name }) => name.startsWith(installs))?.version,
  ])
  const recorded = recordings.map(({ agent, version }) => [agent, version])
  expect(Object.fromEntries(recorded)).toEqual(Object.fromEntries(installed))
})

describe.each(recordings)('what $title $version printed', (recording) => {
  const adapter: Adapter | undefined = builtInAdapters.find(({ key }) => key === recording.agent)
  if (adapter === undefined) throw new Error(`no row knows ${recording.agent}`)

  test('is read as its cost, which a conversation that goes on counts on', () => {
    const { usage } = recording
    const [first, resumed] = [hear(adapter, recording.first), hear(adapter, recording.resumed)]
    expect({ ...first.usage?.run, ...first.usage?.conversation }).toEqual(usage.first ?? {})
    expect({ ...usage.resumed, ...resumed.usage?.run }).toEqual(usage.resumed ?? {})
    const { usd } = resumed.usage?.conversation ?? {}
    expect(usd).toBe(usd && addUsage(usage.first, usage.resumed ?? {}).usd)
  })

  test('names its conversation, where the runner has to read it', () => {
    const { sessions } = hear(adapter, recording.first)
    expect(sessions).toHaveLength(adapter.sessionId === 'read' ? 1 : 0)
    expect(hear(adapter, recording.resumed).sessions).toEqual(sessions)
  })

  // of those that are spoken with their supervisor says it
  test.runIf(adapter.protocol === 'argv')('says why it was refused', () => {
    const { quotaWall, signedOut } = recording
    for (const refusal of [quotaWall, signedOut]) {
      expect(refusal && hear(adapter, refusal).error).toMatchSnapshot()
    }
  })

  test('was started with options that it knows', () => {
    expect(optionsOf(adapter)).not.toEqual([])
    expect(recording.unknownOptions).toEqual([])
  })
})

function hear(adapter: Adapter, { parts }: Recording['first']) {
  return adapter.protocol === 'acp' ? hearSpoken(adapter, parts) : hearPrinted(adapter, parts)
}

function hearSpoken({ tokensOf }: Adapter, parts: readonly Part[]) {
  const none = () => undefined
  const outlet = { write: none, note: none, receive: none, printed: none }
  const hearing = openHearing({ spellings: [], briefing: '', tokensOf }, outlet)
  const lines = parts.filter((part) => typeof part === 'string')
  for (const line of lines) hearing.output.push(Buffer.from(`${line}\n`))
  const answers = lines.map((line) => objectOf(parseSaid(line)?.result))
  const prompted = answers.find((answer) => 'stopReason' in answer)
  if (prompted) hearing.prompted(prompted)
  return { sessions: [], usage: hearing.usage(), error: undefined }
}

function hearPrinted(adapter: Adapter, parts: readonly Part[]) {
  const sessions: string[] = []
  const events = readOutputEvents(adapter, (id) => sessions.push(id))
  for (const part of parts) if (typeof part === 'string') events.push(Buffer.from(`${part}\n`))
  return { sessions, usage: events.usage(), error: events.error() }
}

test('no recording holds a token, or where it was made', () => {
  for (const { agent } of recordings) {
    const text = readFileSync(new URL(`agents/recordings/${agent}.json`, import.meta.url), 'utf8')
    expect(text).not.toMatch(
      /svc(?:ut|rt|sk)_\w{8}|sk-ant-oat01|not-a-key|\/root\b|\/home\/|toolchain|of a person/,
    )
  }
})
