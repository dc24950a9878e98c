import { readFileSync } from 'node:fs'
import { readOutputEvents } from '@svc/runner/agents/output-events'
import type { Adapter } from '@svc/runner/agents/adapter'
import { builtInAdapters } from '@svc/runner/agents/rows'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { optionsOf } from './agents/flags.ts'
import { type Recording, readRecordings } from './agents/recording.ts'
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

  test('is read as its cost', () => {
    expect(hear(adapter, recording.resumed).usage).toEqual(recording.usage)
  })

  test('names its conversation, where the runner has to read it', () => {
    const { sessions } = hear(adapter, recording.first)
    expect(sessions).toHaveLength(adapter.sessionId === 'read' ? 1 : 0)
    expect(hear(adapter, recording.resumed).sessions).toEqual(sessions)
  })

  test.each(['quotaWall', 'signedOut'] as const)('says why it was refused: %s', (kind) => {
    expect(hear(adapter, recording[kind]).error).toMatchSnapshot()
  })

  test('was started with options that it knows', () => {
    expect(optionsOf(adapter)).not.toEqual([])
    expect(recording.unknownOptions).toEqual([])
  })
})

function hear(adapter: Adapter, { parts }: Recording['first']) {
  const sessions: string[] = []
  const events = readOutputEvents(adapter, (id) => sessions.push(id))
  for (const part of parts) if (typeof part === 'string') events.push(Buffer.from(`${part}\n`))
  return { sessions, usage: events.usage() ?? null, error: events.error() }
}

test('no recording holds a token, or where it was made', () => {
  for (const { agent } of recordings) {
    const text = readFileSync(new URL(`agents/recordings/${agent}.json`, import.meta.url), 'utf8')
    expect(text).not.toMatch(/svc(?:ut|rt|sk)_\w{8}|sk-ant-oat01|not-a-key|\/root\b|\/home\//)
  }
})
